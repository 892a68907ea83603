import type { SimpleCommand } from '@tenterhook/runtime/shell';
import { readers } from './programs/programs.js';

/** The maximum length of a text in which paths are searched. */
export const maxWord = 100_000;

/**
 * Returns every part of a word that may be a path:
 * - the word itself;
 * - the text after `=`, `@` or a short option;
 * - the parts between blanks, quotes and punctuation, because a word may be a program for `awk`, `sed` or `ssh`.
 */
export function tokensOf(word: string): string[] {
  const text = word.slice(0, maxWord);
  const parts = new Set([text, text.replace(/^-{1,2}[\w-]*=/, ''), text.replace(/^-[A-Za-z]/, ''), text.replace(/^@/, '')]);
  for (const part of text.split(/[\s"'`;|&<>(){}[\],:=@$!*?\\]+/)) {
    parts.add(part);
    parts.add(part.replace(/^-[A-Za-z]/, ''));
  }
  return [...parts].filter((part) => part !== '' && part !== '.' && part !== '/' && !part.includes('\0'));
}

/** Tests whether a word can only be a path. If so, the path is recorded even if the file is missing. */
export function isPath(word: string): boolean {
  return word.length < 1_000 && /^(?:\.{1,2}\/|\/|(?!-)[\w.@+-]+\/)[\w.@+~, -][\w./@+~, -]*$/.test(word) && !/\/{2}/.test(word);
}

/** Returns the text after `=` in an option or assignment, or the word itself. */
export function assignedIn(word: string): string {
  return /^(?:-{1,2})?[A-Za-z_][\w-]*=(.*)$/s.exec(word)?.[1] ?? word;
}

/** Options of `grep` that are followed by a number or a pattern. */
const withArgument = /^-[a-zA-Z]*[emABC]$/;

/**
 * Returns the indexes of words that name a file which a program reads or tests for, even if they have no slash. These are all words of
 * `cat`, the files of `grep`, and the word after `-f` in `[ -f .skip ]`. A missing file counts too, because the hook may act differently
 * once the file exists.
 */
export function fileWords(name: string, words: SimpleCommand): ReadonlySet<number> {
  const all = words.map((_, at) => at);
  if (readers.has(name)) return new Set(all);
  const textAt = (at: number) => words[at]?.text ?? '';
  if (/^(?:\[|\[\[|test)$/.test(name)) return new Set(all.filter((at) => /^-[a-hkprsuwxGLNOS]$/.test(textAt(at - 1))));
  if (!/^[efz]?grep$/.test(name)) return new Set();
  const operands = all.filter((at) => !textAt(at).startsWith('-') && !withArgument.test(textAt(at - 1)));
  // The first word is the pattern to search for, unless an option gives the pattern.
  const hasPattern = words.some(({ text }) => /^(?:-[a-zA-Z]*[ef]|--regexp|--file)/.test(text));
  return new Set(hasPattern ? operands : operands.slice(1));
}
