import type { Difference } from '../../hook-tests/compare-result.js';
import type { CaseWarning } from '../../hook-tests/hook-problems.js';
import type { CaseResult, TestFileResult } from '../../hook-tests/run-test-file.js';
import { type ParagraphPlace, paragraph, type ReportStyle, shortenPath, shortenPaths } from '../reports/report-style.js';
import { diffContents } from '../reports/text-diff.js';
import { escapeForTerminal } from '../terminal/escape.js';
import { formatDuration } from '../timeline/duration.js';
import { formatValue, inWords, isOfText } from './difference-text.js';

/** The maximum number of lines of a diff, or of a text. */
const mostLines = 40;

/**
 * Formats one case: a line, and below it what differs, and what its hooks warn about. Names and values come from files and hooks, so they
 * are escaped.
 */
export function renderCase(
  file: string,
  { name, line, durationMs, differences, warnings, notes }: CaseResult,
  style: ReportStyle,
): string[] {
  const { paint } = style;
  const shown = escapeForTerminal(name, 200);
  const place = escapeForTerminal(`${shortenPath(file, style)}:${line}`, 400);
  const first =
    differences.length === 0
      ? `${paint('green', '✓')} ${shown}  ${paint('dim', formatDuration(durationMs))}`
      : `${paint('red', '✗')} ${shown}  ${paint('dim', place)}`;
  const hints = differences.map(({ hint = '' }) => hint);
  return [
    first,
    ...differences.flatMap((difference) => renderDifference(difference, style)),
    // A failure has its warning as a hint.
    ...warnings.filter(({ message }) => !hints.some((hint) => hint.includes(message))).flatMap((warning) => renderWarning(warning, style)),
    ...notes.flatMap((note) => paragraph(`note: ${note}`, { indent: 4, hanging: 6, look: 'dim' }, style)),
  ];
}

function renderWarning({ hook, message }: CaseWarning, style: ReportStyle): string[] {
  const lines = textLines(shortenPaths(`${hook}: ${message}`, style), { indent: 6, look: 'yellow' }, style);
  return lines.map((line, index) => (index === 0 ? `    ${style.paint('yellow', '⚠')} ${line.trimStart()}` : line));
}

/** Formats each line of a text as a paragraph, because a stack trace on one line could not be read. */
function textLines(text: string, place: ParagraphPlace, style: ReportStyle): string[] {
  const lines = text.split(/\r?\n/);
  const shown = lines.slice(0, mostLines).flatMap((line) => paragraph(line, place, style));
  return lines.length > mostLines ? [...shown, `${' '.repeat(place.indent)}… ${lines.length - mostLines} more lines`] : shown;
}

export function renderProblems({ problems }: TestFileResult, style: ReportStyle): string[] {
  return problems.flatMap((problem) => {
    const [first = '', ...more] = paragraph(shortenPaths(problem, style), { indent: 0, hanging: 4 }, style);
    return [`${style.paint('red', '✗')} ${first}`, ...more];
  });
}

/** Formats the sums of all files. The last line has a form that test tools recognise. */
export function renderSums(results: readonly TestFileResult[], style: ReportStyle): string[] {
  const { passed, failed, broken } = sumsOf(results);
  const files = broken === 0 ? '' : `${style.paint('red', `${broken} file${broken === 1 ? '' : 's'} could not be used.`)}\n`;
  return ['', `${files}${passed} passed, ${style.paint(failed === 0 ? 'plain' : 'red', `${failed} failed`)}`];
}

export function sumsOf(results: readonly TestFileResult[]): { readonly passed: number; readonly failed: number; readonly broken: number } {
  const cases = results.flatMap((result) => result.cases);
  const failed = cases.filter(({ differences }) => differences.length > 0).length;
  return { passed: cases.length - failed, failed, broken: results.filter(({ problems }) => problems.length > 0).length };
}

function renderDifference(difference: Difference, style: ReportStyle): string[] {
  const { field, hint } = difference;
  const isRefused = field === 'response' && hint !== undefined;
  // The event was refused, and the hint says why.
  if (isRefused) return textLines(shortenPaths(hint, style), { indent: 4, look: 'red' }, style);
  const label = `    ${escapeForTerminal(field, 100)}`;
  const hints = hint === undefined ? [] : textLines(shortenPaths(hint, style), { indent: 6, look: 'dim' }, style);
  const [expected, received] = wholeValues(difference);
  if (isLong(expected) || isLong(received)) return [label, ...diffLines(expected, received, style), ...hints];
  const { expected: wanted, received: found } = inWords(difference);
  return [`${label}: expected ${style.paint('green', wanted)}, received ${style.paint('red', found)}`, ...hints];
}

/** The values that a diff can compare. Of a text only a part may be expected, which cannot be compared with the whole. */
function wholeValues(difference: Difference): [expected: unknown, received: unknown] {
  const { expected, received } = difference;
  if (!isOfText(difference)) return [expected, received];
  const isWhole = typeof expected === 'object' && expected !== null && 'equals' in expected && received !== undefined;
  return isWhole ? [expected.equals, received] : [undefined, undefined];
}

function isLong(value: unknown): boolean {
  return typeof value === 'string'
    ? value.includes('\n') || value.length > 60
    : typeof value === 'object' && JSON.stringify(value).length > 60;
}

/** Formats two long values as a line diff: `-` is expected, `+` was received. */
function diffLines(expected: unknown, received: unknown, style: ReportStyle): string[] {
  const diff = diffContents(Buffer.from(textOf(expected)), Buffer.from(textOf(received)));
  if ('problem' in diff) return [`      - ${formatValue(expected)}`, `      + ${formatValue(received)}`];
  const looks = { '-': 'green', '+': 'red', ' ': 'dim', '@': 'cyan' } as const;
  const lines = diff.lines.filter(({ kind }) => kind !== '@');
  const shown = lines
    .slice(0, mostLines)
    .map(({ kind, text }) => `      ${style.paint(looks[kind], `${kind} ${escapeForTerminal(text, 200)}`)}`);
  return lines.length > mostLines ? [...shown, `      … ${lines.length - mostLines} more lines`] : shown;
}

function textOf(value: unknown): string {
  return `${typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '(none)')}\n`;
}
