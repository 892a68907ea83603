/** Marks the prototypes of error classes. `Symbol.for` returns the same symbol in all copies of this package that a process has loaded. */
const brand = Symbol.for('tenterhook.error');

/** Options of the constructor. */
export interface TenterhookErrorOptions {
  /** The error that caused this one. */
  readonly cause?: unknown;
}

/**
 * Base class of the errors that these packages throw for expected problems: `SettingsError`, `SocketTransportError` … For wrong
 * use, such as an unknown option, they throw a `TypeError`. Failures of an event are not thrown: its result contains them.
 *
 * A process may load several copies of this package. `error instanceof TenterhookError` is true for errors of all copies. For a
 * class that extends this one, `instanceof` is true only for errors of the same copy, so compare `code` instead.
 */
export class TenterhookError extends Error {
  static {
    TenterhookError.prototype.name = 'TenterhookError';
    Object.defineProperty(TenterhookError, Symbol.hasInstance, { value: hasInstance });
    brandErrors(TenterhookError);
  }

  /** The code never changes. The text of the message may change. */
  readonly code: string;

  constructor(code: string, message: string, options?: TenterhookErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** For classes that extend `TenterhookError`, `instanceof` works as usual. */
function hasInstance(this: unknown, value: unknown): boolean {
  if (this !== TenterhookError) return Function.prototype[Symbol.hasInstance].call(this as typeof TenterhookError, value);
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

/**
 * Makes the errors of a class instances of `TenterhookError` too. This is for a class that must extend another class, such as
 * `TypeError`.
 */
export function brandErrors(errorClass: { readonly prototype: Error }): void {
  // Not enumerable, so that logs and comparisons of errors do not show it.
  Object.defineProperty(errorClass.prototype, brand, { value: true });
}
