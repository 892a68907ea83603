import createDebug from 'debug';
import { escapeUnseen } from '../text/escape-unseen.js';
import { maskSecrets } from './masking/mask-secrets.js';

/**
 * Writes a line to stderr if `DEBUG` enables this log, e.g. `DEBUG=tenterhook:*`. In the format, `%s` and `%d` are replaced by
 * text, `%O` by a value or an error. These values are masked, shortened and escaped. Never throws. Callers test `enabled` before
 * they prepare expensive values.
 */
export type Log = ((format: string, ...values: unknown[]) => void) & { readonly enabled: boolean };

export function createLog(namespace: string): Log {
  let debug: createDebug.Debugger | undefined;
  const isEnabled = () => {
    if (!isRequested) return false;
    debug ??= createDebug(`tenterhook:${namespace}`);
    // In version 4 of `debug`, `debug.enabled` is undefined until a namespace is enabled.
    return debug.enabled === true;
  };
  const write = (format: string, ...values: unknown[]) => {
    if (isEnabled()) debug?.('%s', logLine(format, values));
  };
  return Object.defineProperty(write, 'enabled', { get: isEnabled }) as Log;
}

/**
 * `DEBUG` is read once, as the library `debug` does. Without `DEBUG` the library is not loaded, because loading it takes a tenth of
 * the start time.
 */
const isRequested = (globalThis.process?.env['DEBUG'] ?? '') !== '';

/** The maximum number of characters of one value in a line. */
const maxValue = 2_000;
const maxStack = 700;
const maxCauses = 3;

function logLine(format: string, values: readonly unknown[]): string {
  const rest = values[Symbol.iterator]();
  return format.replace(/%[sdO]/g, (placeholder) => {
    const next = rest.next();
    return next.done === true ? placeholder : shown(next.value, placeholder === '%O');
  });
}

/** Masks secrets before it escapes, because the masks look for unescaped quotes and line ends. */
function shown(value: unknown, asJson: boolean): string {
  const line = escapeUnseen(textOf(value, asJson));
  return line.length > maxValue ? `${line.slice(0, maxValue - 1)}…` : line;
}

function textOf(value: unknown, asJson: boolean): string {
  try {
    if (isError(value)) return textOfError(value, 0);
    const masked = maskSecrets(value);
    return typeof masked === 'string' && !asJson ? masked : (JSON.stringify(masked) ?? String(masked));
  } catch {
    return 'cannot be shown';
  }
}

/** `instanceof` was rejected, because it is false for an error of another realm. */
function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && typeof (value as Error).stack === 'string';
}

function textOfError(error: Error, depth: number): string {
  const stack = String(maskSecrets(String(error.stack).replace(/\n\s+at /g, ' at ')));
  const fields = Object.entries(error);
  const carried = fields.length === 0 ? '' : ` ${JSON.stringify(maskSecrets(Object.fromEntries(fields)))}`;
  const said = `${stack.length > maxStack ? `${stack.slice(0, maxStack)}…` : stack}${carried.slice(0, maxStack)}`;
  return isError(error.cause) && depth < maxCauses ? `${said} caused by ${textOfError(error.cause, depth + 1)}` : said;
}

const busLog = createLog('bus');

/**
 * Wraps a listener so that errors never reach its caller: they are logged. A rejection of a promise that the listener returns is
 * logged too, because an unhandled rejection would end the process (field failure 77).
 */
export function guarded<Value>(listener: (value: Value) => unknown, what: string): (value: Value) => void {
  return (value) => {
    try {
      const returned = listener(value);
      if (typeof returned === 'object' && returned !== null) void settle(returned, what);
    } catch (error) {
      busLog('%s threw: %O', what, error);
    }
  };
}

async function settle(returned: object, what: string): Promise<void> {
  try {
    await returned;
  } catch (error) {
    busLog('%s rejected: %O', what, error);
  }
}
