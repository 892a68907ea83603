import { evaluators, keywords, shells, wrappers } from './names.js';
import type { SimpleCommand } from './shell-word.js';

/**
 * Returns the words of a command that may themselves be command lines. After `sh -c`, any word may be one. For other programs that
 * run commands, such as `watch`, it is a word that contains white space, `;`, `|` or `&`.
 */
export function innerLines(name: string, words: SimpleCommand): string[] {
  const rest = words.slice(1).map(({ text }) => text);
  if (name === 'eval') return [rest.join(' ')];
  if (shells.has(name)) {
    if (!rest.some((text) => /^-\w*c/.test(text))) return [];
    return rest.flatMap((text) => (text.startsWith('-') ? attachedLine(text) : [text]));
  }
  return wrappers.has(name) || evaluators.has(name) ? rest.filter((text) => /[\s;|&]/.test(text)) : [];
}

/**
 * Returns the command line in `-cls -l`. A word without white space is only options. This is tested apart: a pattern for both would search
 * the white space again after each `c`, and a model chooses the word.
 */
function attachedLine(option: string): string[] {
  return /\s/.test(option) ? (/^-\w*?c(.*)$/s.exec(option)?.slice(1) ?? []) : [];
}

/** Removes the shell keywords and the assignments before a command, e.g. `if`, `NAME=value`. */
export function withoutPrefix(words: SimpleCommand): SimpleCommand {
  const start = words.findIndex(({ text }) => !keywords.has(text) && !/^\w+\+?=/.test(text));
  return start === -1 ? [] : words.slice(start);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
