import { compileWildcard } from '@tenterhook/patterns';
import { type ShellLine, type ShellPart, textOf } from './shell-line.js';
import type { SimpleCommand } from './shell-words.js';

/**
 * Whether any part of a command line matches the pattern of a rule such as `Bash(git push *)`: `*` matches anything, a final ` *` matches
 * nothing as well, and a final `:*` is an older form of that. A line that is not known matches, and so does a part whose relevant words are in a
 * variable: another way of writing a command must not bypass a guard. For the same reason a pattern with more than the name of a command matches
 * every line with a variable or a substitution, as in Claude Code. `ignoreCase`: without regard to case.
 */
export function compileShellRule(pattern: string, ignoreCase: boolean): (line: ShellLine) => boolean {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const written = fold(pattern.replace(/:\*$/, '*').trim());
  const hasWords = /\s/.test(written.replace(/\s*\*$/, ''));
  const tests = [...new Set([written, written.replace(/ \*$/, '')])].map((text) => compileWildcard(text));
  const literal = literalOf(written);
  const fitsText = (text: string) => tests.some((test) => test(text));
  const after = written.slice(written.indexOf(' ') + 1);
  const fitsAfter = compileWildcard(after.replace(/ \*$/, '*'));
  const fits = ({ words, text }: ShellPart) => {
    const [first, ...rest] = words;
    // A part after a wrapper: its command is unknown, its words are not.
    if (first?.isOpen) return rest.length > 0 && (fitsAfter(fold(textOf(rest))) || mayBecome(literalOf(after), rest, fold));
    return fitsText(fold(text)) || mayBecome(literal, words, fold);
  };
  return ({ line, parts, hasExpansion }) =>
    parts === undefined || (hasWords && hasExpansion) || fitsText(fold(line.trim())) || parts.some(fits);
}

/** Whether unknown words may become the text that a rule begins with. */
function mayBecome(literal: string, words: SimpleCommand, fold: (text: string) => string): boolean {
  const open = words.findIndex(({ isOpen }) => isOpen);
  if (open === -1) return false;
  const known = fold(textOf(words.slice(0, open)));
  return literal.startsWith(`${known} `) || known.startsWith(literal);
}

function literalOf(pattern: string): string {
  const star = pattern.indexOf('*');
  return star === -1 ? pattern : pattern.slice(0, star);
}
