import { escapeUnseen } from '../text/escape-unseen.js';
import { maskSecrets } from './masking/mask-secrets.js';

/** The most characters of one value in a line. */
const maxValue = 2_000;
const maxStack = 700;
const maxCauses = 3;

/** The line that is written: `%s` and `%d` as text, `%O` as JSON, and of an error what it says, where, what it carries and its cause. */
export function logLine(format: string, values: readonly unknown[]): string {
  const rest = values[Symbol.iterator]();
  return format.replace(/%[sdO]/g, (placeholder) => {
    const next = rest.next();
    return next.done === true ? placeholder : shown(next.value, placeholder === '%O');
  });
}

/** Masked first and escaped then: a mask looks for quotes and line ends as they were written. */
function shown(value: unknown, asJson: boolean): string {
  const line = escapeUnseen(textOf(value, asJson));
  return line.length > maxValue ? `${line.slice(0, maxValue - 1)}…` : line;
}

/** What is logged comes from anywhere, and a line of the log must never be what fails. */
function textOf(value: unknown, asJson: boolean): string {
  try {
    if (isError(value)) return textOfError(value, 0);
    const masked = maskSecrets(value);
    return typeof masked === 'string' && !asJson ? masked : (JSON.stringify(masked) ?? String(masked));
  } catch {
    return 'cannot be shown';
  }
}

/** Not by `instanceof`: an error may come from another realm. */
function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && typeof (value as Error).stack === 'string';
}

function textOfError(error: Error, depth: number): string {
  const stack = String(maskSecrets(String(error.stack).replace(/\n\s+at /g, ' at ')));
  const fields = Object.entries(error);
  const carried = fields.length === 0 ? '' : ` ${JSON.stringify(maskSecrets(Object.fromEntries(fields)))}`;
  const said = `${stack.length > maxStack ? `${stack.slice(0, maxStack)}…` : stack}${carried.slice(0, maxStack)}`;
  return isError(error.cause) && depth < maxCauses ? `${said} caused by ${textOfError(error.cause, depth + 1)}` : said;
}
