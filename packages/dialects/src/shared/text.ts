/** A value as a message shows it: on one line, and cut after 60 characters. */
export function formatValue(value: unknown): string {
  const text = toText(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** A text with at least one character. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A list of texts. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Settings that were passed as an object may hold values that JSON does not have. */
function toText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? `${value}n` : 'a value that is not JSON';
  }
}
