import { TenterhookError } from '@tenterhook/protocol';
import { untilAbort } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeAbort, describeOption, suggestName } from '@tenterhook/runtime/text';

/** Options of the calls that read settings again. */
export interface ReloadOptions {
  /**
   * Stops waiting: the call rejects with a TenterhookError (`cancelled`). If the settings are already being read, the reading continues,
   * and the hooks are still replaced. If the signal aborted before the call, nothing is read. @default none
   */
  readonly signal?: AbortSignal | undefined;
}

/** Throws a TypeError that names a wrong option and the caller. If a misspelt `signal` were ignored, the call could wait forever. */
export function requireSignalOption(caller: string, options: { readonly signal?: AbortSignal | undefined }): void {
  if (!isPlainObject(options)) throw new TypeError(`The options of ${caller} must be an object, and are ${describeOption(options)}.`);
  const unknown = Object.keys(options).find((name) => name !== 'signal');
  if (unknown !== undefined)
    throw new TypeError(`${caller} has no option "${unknown}". ${suggestName(unknown, ['signal'], 'Its option is signal.')}`);
  const { signal } = options;
  if (signal === undefined || isSignal(signal)) return;
  throw new TypeError(`${caller}: "signal" must be an AbortSignal, and is ${describeOption(signal)}.`);
}

/** Checks the properties instead of the class, because a signal of another realm, e.g. of a `vm` context, has another class. */
export function isSignal(value: unknown): value is AbortSignal {
  return typeof (value as Partial<AbortSignal> | null | undefined)?.aborted === 'boolean';
}

/**
 * Waits for `work`. If the signal aborts first, the returned promise rejects with a TenterhookError (`cancelled`). `undone` is a sentence
 * for its message, e.g. "The file was not created".
 */
export function cancellable<Value>(
  { caller, undone }: { readonly caller: string; readonly undone: string },
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  return untilAbort(
    work,
    signal,
    ({ reason }) => new TenterhookError('cancelled', `${caller}: ${describeAbort(undone, { reason })}`, { cause: reason }),
  );
}
