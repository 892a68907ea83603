import { isPlainObject } from '@tenterhook/protocol';

/** A value as it stands in a sentence: short, and never throwing, whatever it is. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** What was thrown, as text: an `Error` does not cross the bus, and over a wire it would arrive as `{}` (field failure 79). */
export function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  if (isPlainObject(thrown)) {
    try {
      if (typeof thrown['message'] === 'string') return thrown['message'];
    } catch {
      // A message that throws when it is read is no message.
    }
  }
  return describeValue(thrown);
}

/** The `code` of what was thrown, where it has one. */
export function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown } | undefined | null)?.code;
}
