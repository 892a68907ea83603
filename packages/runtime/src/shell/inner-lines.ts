import { evaluators, keywords, shells, wrappers } from './names.js';
import type { SimpleCommand } from './shell-word.js';

/**
 * Returns the words of a command that may themselves be command lines. A shell with `-c` may run any of its words. Other programs that run
 * commands, such as `watch`, may run a word that contains white space, `;`, `|` or `&`.
 */
export function innerLines(name: string, words: SimpleCommand): string[] {
  const rest = words.slice(1).map(({ text }) => text);
  if (name === 'eval') return [rest.join(' ')];
  if (shells.has(name)) {
    if (!rest.some((text) => /^-\w*c/.test(text))) return [];
    return rest.flatMap((text) => (text.startsWith('-') ? (/^-\w*?c(.*\s.*)$/s.exec(text)?.slice(1) ?? []) : [text]));
  }
  return wrappers.has(name) || evaluators.has(name) ? rest.filter((text) => /[\s;|&]/.test(text)) : [];
}

/** Removes shell keywords such as `if`, and assignments such as `NAME=value`, before the command. */
export function withoutPrefix(words: SimpleCommand): SimpleCommand {
  const start = words.findIndex(({ text }) => !keywords.has(text) && !/^\w+\+?=/.test(text));
  return start === -1 ? [] : words.slice(start);
}

/** Returns the last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
