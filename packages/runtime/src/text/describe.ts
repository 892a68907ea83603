import { isPlainObject } from '../json/plain-json.js';

/** A short text for a value, for use in a sentence. Never throws. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === 'function') return 'a function';
  try {
    if (Array.isArray(value)) return 'an array';
    return typeof value === 'object' && value !== null ? 'an object' : String(value);
  } catch {
    // The value is a revoked proxy: even reading its type throws.
    return 'an object';
  }
}

/** A short text for the value of an option, which may be missing. */
export function describeOption(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'string' ? `the text ${describeValue(value)}` : describeValue(value);
}

/**
 * The end of a sentence about a callback that must return a boolean at once, but returned `answer`. If `answer` is a promise, it is not
 * waited for. Its rejection is caught, because an async function in place of a plain one must not end the process.
 */
export function describeNoBoolean(answer: unknown): string {
  const isPromise = isPlainObject(answer) && typeof answer['then'] === 'function';
  if (isPromise) void Promise.resolve(answer).catch(() => {});
  return `must return true or false at once, and returned ${isPromise ? 'a promise' : describeValue(answer)}`;
}

/** A thrown value as text. An `Error` itself cannot cross the bus: over a wire it would arrive as `{}` (field failure 79). */
export function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  try {
    if (isPlainObject(thrown) && typeof thrown['message'] === 'string') return thrown['message'];
  } catch {
    // A message whose getter throws counts as missing.
  }
  return describeValue(thrown);
}

/** The `code` of a thrown value, if it has one. */
export function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown } | undefined | null)?.code;
}

/** The text with a full stop, unless it already ends like a sentence. Messages of operating systems and hooks often have no full stop. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/**
 * A text in quotes, for use in a sentence. A text that contains double quotes, as commands do, gets single quotes: `""$DIR"/guard.sh"` is
 * hard to read.
 */
export function quote(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** The maximum number of characters of a URL that are read. */
const maxUrl = 2_000;

/**
 * A URL as messages, screens, logs and models may show it: without credentials, query and fragment, which may contain secrets. If the URL
 * is invalid, the mistake may be in the part that separates the password from the host. So everything before the last "@" of an invalid URL
 * counts as credentials, and so does the text in the place of its port.
 */
export function shownUrl(text: string): string {
  const url = text.slice(0, maxUrl);
  const shown = URL.canParse(text)
    ? url.replace(/^([a-z][\w+.-]*:[/\\]*)[^/\\?#]*@/i, '$1…@')
    : url
        .replace(/^([a-z][\w+.-]*:[/\\]*|[/\\]*)[\s\S]*@/i, '$1…@')
        .replace(/^([^@?#]*:[/\\]*[^/\\?#:@]*:)(?!\d{1,5}(?:[/\\?#]|$))[^/\\?#]+/, '$1…');
  return `${shown.replace(/[?#][\s\S]*$/, '?…')}${text.length > maxUrl ? '…' : ''}`;
}
