import { describeThrown, sentence } from './describe.js';

/** The maximum number of characters. A longer reason is cut. */
const longestReason = 200;

/**
 * Returns a sentence about an aborted operation. After `abort(new Error('user pressed esc'))`, `describeAbort('The call was
 * cancelled', signal)` returns `The call was cancelled: user pressed esc.` The default reason of `abort()` is left out, because it
 * contains no information.
 */
export function describeAbort(what: string, signal: { readonly reason?: unknown } | undefined): string {
  const reason = abortReason(signal);
  return sentence(reason === undefined ? what : `${what}: ${reason}`);
}

/** Returns the text of the reason that the host passed to `abort()`. Returns undefined if the reason has no text. */
export function abortReason(signal: { readonly reason?: unknown } | undefined): string | undefined {
  const reason = signal?.reason;
  if (typeof reason !== 'string' && !isError(reason)) return undefined;
  const text = describeThrown(reason);
  if (text === '' || (isError(reason) && reason.name === 'AbortError')) return undefined;
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
}

/** `instanceof` was rejected: it is false for errors of another realm, and for some errors of the platform. */
function isError(value: unknown): value is { readonly name: unknown; readonly message: string } {
  try {
    return typeof value === 'object' && value !== null && typeof (value as { message?: unknown }).message === 'string';
  } catch {
    return false;
  }
}
