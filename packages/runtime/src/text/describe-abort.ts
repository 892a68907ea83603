import { describeThrown, sentence } from './describe.js';

/** The maximum number of characters of the reason that a host gives. A longer one is cut. */
const longestReason = 200;

/**
 * Returns a sentence about an operation that a signal has aborted. After `abort(new Error('user pressed esc'))`, `describeAbort('The call
 * was cancelled', signal)` returns `The call was cancelled: user pressed esc.` Without a reason from the host, only the first part is
 * returned, because the default reason of `abort()` has no information.
 */
export function describeAbort(what: string, signal: { readonly reason?: unknown } | undefined): string {
  const reason = abortReason(signal);
  return sentence(reason === undefined ? what : `${what}: ${reason}`);
}

/** Returns the reason that the host passed to `abort()`, if it has a text. */
export function abortReason(signal: { readonly reason?: unknown } | undefined): string | undefined {
  const reason = signal?.reason;
  if (typeof reason !== 'string' && !isError(reason)) return undefined;
  const text = describeThrown(reason);
  if (text === '' || (isError(reason) && reason.name === 'AbortError')) return undefined;
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
}

/** Checks fields and not `instanceof`, because errors of another realm or of the platform are not always instances of `Error`. */
function isError(value: unknown): value is { readonly name: unknown; readonly message: string } {
  try {
    return typeof value === 'object' && value !== null && typeof (value as { message?: unknown }).message === 'string';
  } catch {
    return false;
  }
}
