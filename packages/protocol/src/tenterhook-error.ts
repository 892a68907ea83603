/** On the prototype of each error class. `Symbol.for`, because it is the same symbol in all copies of this package that a process has loaded. */
const brand = Symbol.for('tenterhook.error');

/** What an error is made with. */
export interface TenterhookErrorOptions {
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/**
 * Base of the errors that these packages throw and reject with on purpose: `SettingsError`, `SocketTransportError`, `InvalidHookError` … Wrong use
 * (an option that is not known, a limit of -1) is a `TypeError` instead, and expected failures of an event are values, not errors.
 *
 * `error instanceof TenterhookError` is also true for an error of another copy of the package, which has a class of its own. Decide by `code`:
 * `instanceof` of the classes that extend this one knows its own copy alone.
 */
export class TenterhookError extends Error {
  static {
    TenterhookError.prototype.name = 'TenterhookError';
    Object.defineProperty(TenterhookError, Symbol.hasInstance, { value: hasInstance });
    brandErrors(TenterhookError);
  }

  /** Stable; the text of the message is not. */
  readonly code: string;

  constructor(code: string, message: string, options?: TenterhookErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Inherited by the classes that extend `TenterhookError`: they recognise their own errors, as any class does. */
function hasInstance(this: unknown, value: unknown): boolean {
  if (this !== TenterhookError) return Function.prototype[Symbol.hasInstance].call(this as typeof TenterhookError, value);
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

/** Makes the errors of a class that has to extend another one, such as `TypeError`, instances of `TenterhookError` too. */
export function brandErrors(errorClass: { readonly prototype: Error }): void {
  // Not enumerable: what an error looks like in a log or a comparison stays as it is.
  Object.defineProperty(errorClass.prototype, brand, { value: true });
}
