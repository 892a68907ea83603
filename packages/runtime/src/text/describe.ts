import { isPlainObject } from '../json/plain-json.js';

/** Returns a short text for a value, for use in a sentence, e.g. `"abc"`, `a function`. Never throws. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === 'function') return 'a function';
  try {
    if (Array.isArray(value)) return 'an array';
    return typeof value === 'object' && value !== null ? 'an object' : String(value);
  } catch {
    // Reached for a revoked proxy, because even reading its type throws.
    return 'an object';
  }
}

/**
 * Returns the value of a field that should be a text, as text. `String(value)` was rejected: it throws for an object that has a field with the
 * name `toString`, which any sender of JSON can write.
 */
export function textOfField(value: unknown): string {
  return typeof value === 'string' ? value : describeValue(value);
}

/** Returns a short text for the value of an option, or `missing` for undefined. */
export function describeOption(value: unknown): string {
  return value === undefined ? 'missing' : describeValue(value);
}

/**
 * Returns the end of a message about a callback that returned `answer` where a boolean is required. If the callback is async by
 * mistake, `answer` is a promise. A rejection of this promise is caught, because an unhandled rejection would end the process.
 */
export function describeNoBoolean(answer: unknown): string {
  const isPromise = isPlainObject(answer) && typeof answer['then'] === 'function';
  if (isPromise) void Promise.resolve(answer).catch(() => {});
  return `must return true or false at once, and returned ${isPromise ? 'a promise' : describeValue(answer)}`;
}

/**
 * Returns a thrown value as text. Sending the `Error` itself was rejected: the bus carries JSON, and an `Error` as JSON is `{}`
 * (field failure 79).
 */
export function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  try {
    if (isPlainObject(thrown) && typeof thrown['message'] === 'string') return thrown['message'];
  } catch {
    // A getter for the message threw, so the message is treated as missing.
  }
  return describeValue(thrown);
}

export function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown } | undefined | null)?.code;
}

/** Adds a full stop if the text has none at its end. Messages of operating systems and hooks often lack one. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/**
 * Puts a text in quotes, for use in a sentence. A text with double quotes gets single quotes, because `""$DIR"/guard.sh"` is hard
 * to read.
 */
export function quote(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

const maxUrl = 2_000;

/**
 * Returns a URL without credentials, query and fragment, because these may contain secrets. In an invalid URL the end of the
 * password is uncertain, so everything before the last "@" is hidden. The text after the host and ":" is also hidden unless it is a
 * port number, because it may be a password.
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

/** Returns a path as one word for a shell, in quotes if necessary. */
export function inShell(path: string): string {
  return /^[\w./@%+=:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
