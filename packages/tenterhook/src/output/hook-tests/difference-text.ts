import type { Difference } from '../../hook-tests/compare-result.js';
import type { ExpectedText } from '../../hook-tests/test-case.js';
import { escapeForTerminal } from '../terminal/escape.js';

/** The maximum number of characters of a value. */
const mostCharacters = 600;

/** The two values of a difference, in words. */
export function inWords({ field, expected, received }: Difference): { readonly expected: string; readonly received: string } {
  if (!isOfText({ field })) return { expected: formatValue(expected), received: formatValue(received) };
  return {
    expected: escapeForTerminal(describeText(field, expected as ExpectedText), mostCharacters),
    received: received === undefined ? '(none)' : escapeForTerminal(JSON.stringify(received), mostCharacters),
  };
}

/** Whether the expected value is a text, a part of a text, or a pattern. */
export function isOfText({ field }: Pick<Difference, 'field'>): boolean {
  return field === 'reason' || field === 'context';
}

function describeText(field: string, expected: ExpectedText): string {
  const article = field === 'reason' ? 'a reason' : 'a context';
  if (typeof expected === 'string') return `${article} that contains ${JSON.stringify(expected)}`;
  return 'equals' in expected ? `the ${field} ${JSON.stringify(expected.equals)}` : `${article} in which /${expected.matches}/ is found`;
}

/** Formats a value on one line. A text has no quotes, so that it can be copied into the file. */
export function formatValue(value: unknown): string {
  if (value === undefined) return '(none)';
  return escapeForTerminal(typeof value === 'string' ? value : JSON.stringify(value), mostCharacters);
}
