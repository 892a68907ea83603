import { isPlainObject } from '../json/plain-json.js';

/** A value as it stands in a sentence: short, and never throwing, whatever it is. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === 'function') return 'a function';
  try {
    if (Array.isArray(value)) return 'an array';
    return typeof value === 'object' && value !== null ? 'an object' : String(value);
  } catch {
    // A proxy that has been revoked cannot even be asked what it is.
    return 'an object';
  }
}

/** A value of an option in a sentence: absent, a text, or any other value. */
export function describeOption(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'string' ? `the text ${describeValue(value)}` : describeValue(value);
}

/** What was thrown, as text: an `Error` does not cross the bus, and over a wire it would arrive as `{}` (field failure 79). */
export function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  try {
    if (isPlainObject(thrown) && typeof thrown['message'] === 'string') return thrown['message'];
  } catch {
    // A message that throws when it is read is no message.
  }
  return describeValue(thrown);
}

/** The `code` of what was thrown, where it has one. */
export function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown } | undefined | null)?.code;
}

/** The text with a full stop at its end, unless it ends a sentence already: text of a system or a hook often lacks it. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
