import { diffContents } from '../../../../output/reports/text-diff.js';
import { escapeForTerminal } from '../../../../output/terminal/escape.js';

const maxLine = 400;

/** Returns the differences of two texts, a line each. */
export function diffLines(before: string, after: string): string {
  const diff = diffContents(Buffer.from(before), Buffer.from(after));
  if ('problem' in diff) return `${diff.problem}\n`;
  return diff.lines.map(({ kind, text }) => `${kind}${kind === '@' ? ' ' : ''}${escapeForTerminal(text, maxLine)}\n`).join('');
}
