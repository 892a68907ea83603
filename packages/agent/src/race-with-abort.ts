import { onAbort } from '@tenterhook/runtime/async';
import { describeAbort } from '@tenterhook/runtime/text';

/** The time in milliseconds that work has after an abort to end by itself and return its results so far. */
const graceMs = 500;

/** Thrown if work ignores its signal after an abort. The work may still run, but its result is not used. */
export class AbortTimeoutError extends Error {
  override readonly name = 'AbortTimeoutError';
}

/** Returns what is thrown after an abort: the reason of the signal, as frameworks and their providers throw it. */
export function abortError(signal: AbortSignal | undefined): unknown {
  return signal?.reason ?? new DOMException('The call was cancelled.', 'AbortError');
}

/**
 * Returns a promise that settles with the result of the work. If the work ignores the abort of its signal, the promise rejects with an
 * AbortTimeoutError. Otherwise a tool could block an agent that must stop.
 */
export function raceWithAbort<Value>(work: () => Value | Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = () => {
      timer = setTimeout(
        () => settle(() => reject(new AbortTimeoutError(describeAbort('It was cancelled but did not end', signal)))),
        graceMs,
      );
    };
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      stopListening?.();
      finish();
    };
    const stopListening = signal === undefined ? undefined : onAbort(signal, giveUp);
    if (signal?.aborted) giveUp();
    new Promise<Value>((settleWork) => settleWork(work())).then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}
