/** Marks the prototype of each error class. `Symbol.for` gives the same symbol to all copies of this package that a process has loaded. */
const brand = Symbol.for('tenterhook.error');

/** Options of the constructor. */
export interface TenterhookErrorOptions {
  /** The error that caused this one. */
  readonly cause?: unknown;
}

/**
 * Base class of the errors that these packages throw, or reject with, for expected problems: `SettingsError`, `SocketTransportError`,
 * `InvalidHookError` … For wrong use (an unknown option, a limit of -1) they throw a `TypeError`. Failures of an event are values and are
 * not thrown.
 *
 * If several copies of the package are loaded, each has its own class. `error instanceof TenterhookError` is true for errors of all copies,
 * but `instanceof` with a class that extends this one only for errors of the same copy. So compare `code` instead.
 */
export class TenterhookError extends Error {
  static {
    TenterhookError.prototype.name = 'TenterhookError';
    Object.defineProperty(TenterhookError, Symbol.hasInstance, { value: hasInstance });
    brandErrors(TenterhookError);
  }

  /** Stable. The text of the message may change. */
  readonly code: string;

  constructor(code: string, message: string, options?: TenterhookErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Classes that extend `TenterhookError` inherit this method, but for them `instanceof` works as usual. */
function hasInstance(this: unknown, value: unknown): boolean {
  if (this !== TenterhookError) return Function.prototype[Symbol.hasInstance].call(this as typeof TenterhookError, value);
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

/** Makes the errors of a class instances of `TenterhookError` too. For a class that must extend another class, such as `TypeError`. */
export function brandErrors(errorClass: { readonly prototype: Error }): void {
  // Not enumerable, so that logs and comparisons of errors do not show it.
  Object.defineProperty(errorClass.prototype, brand, { value: true });
}
