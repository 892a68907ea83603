import { describeThrown, sentence } from './describe.js';

/** Characters of the reason of a host; a longer one is cut. */
const longestReason = 200;

/**
 * A sentence about what a signal has ended: `describeAbort('The call was cancelled', signal)` is `The call was cancelled: user pressed esc.` after
 * `abort(new Error('user pressed esc'))`. Without a reason of the host it is only the first part: the reason of a plain `abort()` says nothing.
 */
export function describeAbort(what: string, signal: { readonly reason?: unknown } | undefined): string {
  const reason = abortReason(signal);
  return sentence(reason === undefined ? what : `${what}: ${reason}`);
}

/** The reason that the host gave to `abort()`, if it has a text. */
export function abortReason(signal: { readonly reason?: unknown } | undefined): string | undefined {
  const reason = signal?.reason;
  if (typeof reason !== 'string' && !isError(reason)) return undefined;
  const text = describeThrown(reason);
  if (text === '' || (isError(reason) && reason.name === 'AbortError')) return undefined;
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
}

/** By its shape: errors of another realm, and those of the platform, which are no `Error` everywhere. */
function isError(value: unknown): value is { readonly name: unknown; readonly message: string } {
  try {
    return typeof value === 'object' && value !== null && typeof (value as { message?: unknown }).message === 'string';
  } catch {
    return false;
  }
}
