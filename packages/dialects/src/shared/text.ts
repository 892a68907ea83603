/** A value as a message shows it: bounded, on one line. */
export function formatValue(value: unknown): string {
  const text = textOf(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** A text with at least one character. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Settings that were handed in as an object may hold what no file can. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? `${value}n` : 'a value that is no JSON';
  }
}
