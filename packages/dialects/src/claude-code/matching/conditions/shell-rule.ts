import { compileWildcard } from '@tenterhook/patterns';
import type { SimpleCommand } from '@tenterhook/runtime/shell';
import { type ShellLine, type ShellPart, textOf } from './shell-line.js';

/**
 * Compiles the pattern of a rule such as `Bash(git push *)` into a test of a command line. The test is true if any command in the line
 * matches. `*` matches any text, a final ` *` also matches no text, and a final `:*` is an older form of ` *`. A line that cannot be parsed
 * matches, and so does a command whose relevant words are in a variable, because a guard must not be bypassed by writing a command
 * differently. For the same reason, and as in Claude Code, a pattern that has more than the name of a command matches every line with a
 * variable or a substitution.
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
    // These words follow a wrapper, so the first one may not be the name of the command. Only the words after it can be compared.
    if (first?.isOpen) return rest.length > 0 && (fitsAfter(fold(textOf(rest))) || mayBecome(literalOf(after), rest, fold));
    return fitsText(fold(text)) || mayBecome(literal, words, fold);
  };
  return ({ line, parts, hasExpansion }) =>
    parts === undefined || (hasWords && hasExpansion) || fitsText(fold(line.trim())) || parts.some(fits);
}

/** Tests whether the words could expand to the literal text with which a rule begins. */
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
