import { maskShort } from '@tenterhook/runtime/log';

/** The maximum number of characters that are read of a text, many more than are shown. */
const maxRead = 4_000;

/**
 * Formats a value for a message: on one line, with at most 60 characters, and with secrets masked. Users may write a secret in the
 * wrong place, and messages reach screens, logs and models. For a URL, use `shownUrl`.
 */
export function formatValue(value: unknown): string {
  // A settings file may contain a text of megabytes, of which only the start is shown.
  const start = typeof value === 'string' ? value.slice(0, maxRead) : value;
  return maskShort(toText(start), 60);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/**
 * Returns the JSON of a value, or a description if `JSON.stringify` throws. Settings that were passed as an object may contain such
 * a value.
 */
function toText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? `${value}n` : 'a value that is not JSON';
  }
}
