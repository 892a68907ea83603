/** Marks the prototype of each error class. `Symbol.for` gives the same symbol to all copies of this package that a process has loaded. */
const brand = Symbol.for('tenterhook.error');

/** Options of the constructor. */
export interface TenterhookErrorOptions {
  /** The error that caused this one. */
  readonly cause?: unknown;
}

/**
 * Base class of the errors that these packages throw, or reject with, on purpose: `SettingsError`, `SocketTransportError`,
 * `InvalidHookError` … Wrong use (an unknown option, a limit of -1) is a `TypeError` instead. Expected failures of an event are values, not
 * errors.
 *
 * `error instanceof TenterhookError` is also true for an error of another copy of the package, which has a class of its own. `instanceof`
 * with a class that extends this one is true only for errors of the same copy, so decide by `code`.
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

/** Classes that extend `TenterhookError` inherit this method. For them, `instanceof` works as usual. */
function hasInstance(this: unknown, value: unknown): boolean {
  if (this !== TenterhookError) return Function.prototype[Symbol.hasInstance].call(this as typeof TenterhookError, value);
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

/** Makes the errors of a class instances of `TenterhookError` too. For a class that has to extend another one, such as `TypeError`. */
export function brandErrors(errorClass: { readonly prototype: Error }): void {
  // Not enumerable, so that logs and comparisons of errors do not show it.
  Object.defineProperty(errorClass.prototype, brand, { value: true });
}
