import { isAbsolute } from 'node:path';
import type { ShellWord, SimpleCommand } from '@tenterhook/runtime/shell';
import type { OpenReason } from '../open-reasons.js';
import { Findings, type Language } from './findings.js';
import { harmlessVariable } from './programs/programs.js';
import { assignedIn, isPath, maxWord, tokensOf } from './tokens.js';

/** A placeholder for the words that `xargs` reads from stdin and adds to a command. */
export const addedWord: ShellWord = { text: '$_', isOpen: true, written: '$_' };

/** The maximum number of words of a loop whose folders are searched. */
const maxOfLoop = 100;

/** Notes what the words of a command refer to, and what is unknown about them. */
export class WordReader {
  readonly findings = new Findings();
  /** For each loop variable, the words of its loop. */
  readonly #loops = new Map<string, ShellWord[]>();

  /** Notes the loops of a text: `for NAME in …`. The value of NAME in later words is one of the words after `in`. */
  noteLoops(commands: readonly SimpleCommand[]): void {
    for (const command of commands) {
      const at = command.findIndex(({ written }) => written === 'for' || written === 'select');
      const name = at === -1 ? undefined : command[at + 1]?.text;
      if (name === undefined) continue;
      const words = this.#loops.get(name) ?? [];
      this.#loops.set(name, words);
      for (const word of command.slice(at + 3)) if (words.length <= maxOfLoop) words.push(word);
    }
  }

  /** Notes an unknown word. By default, the word is assumed to decide which program or script runs (`code`). */
  openWord(word: ShellWord, kind: OpenReason['kind'] = 'code'): void {
    const reason = word.written === addedWord.written ? 'Words that are read from stdin are added to a command.' : reasonOf(word);
    const folders = kind === 'code' ? this.#foldersOf(word) : undefined;
    if (folders === undefined) this.findings.openFor(reason, kind);
    else for (const path of folders) this.findings.add({ use: 'pattern', path, reason });
    const guess = kind === 'code' ? /^\$\w+\/+([^/$`*?[{][^$`*?[{]*)$/.exec(word.text)?.[1] : undefined;
    if (guess !== undefined) this.findings.add({ use: 'guess', path: guess, ...languageOf(guess) });
  }

  /** Notes the assignment of a variable that decides which code runs. `word` is the word with the assignment. */
  openVariable(name: string, word?: ShellWord): void {
    const isData = harmlessVariable.test(name) || (name === 'PATH' && word !== undefined && this.#addSearched(word));
    this.findings.openFor(`The variable ${name} is set, which decides which code runs.`, isData ? 'data' : 'code');
  }

  addWords(words: SimpleCommand, areFiles: boolean): void {
    for (const word of words) this.addWord(word, areFiles);
  }

  addWord({ text, isOpen }: ShellWord, isFile: boolean): void {
    this.addTokens(text);
    if (isOpen) return;
    const path = assignedIn(text);
    if (isPath(path) || (isFile && !/^-|[\s:]/.test(path) && path.length < 256)) this.findings.add({ use: 'operand', path });
  }

  addTokens(text: string): void {
    if (text.length > maxWord) this.findings.openFor(`${shown(text)} is longer than what is searched for paths.`);
    for (const path of tokensOf(text)) this.findings.add({ use: 'token', path });
  }

  /**
   * Returns the folders of the files that a word names: `.hooks` for `.hooks/*.sh`, and for the variable of a loop over `.hooks/*.sh`.
   * Returns undefined if one of the folders is unknown.
   */
  #foldersOf(word: ShellWord): readonly string[] | undefined {
    const name = /^"?\$\{?([A-Za-z_]\w*)\}?"?$/.exec(word.written)?.[1];
    const words = name === undefined ? [word] : this.#loops.get(name);
    const folders = words?.map(({ text }) => /^((?:[^*?[{$`]*)\/)[^/$`]*$/.exec(text)?.[1]);
    return folders === undefined ||
      folders.length === 0 ||
      folders.length > maxOfLoop ||
      folders.some((folder) => folder === undefined || folder === '/')
      ? undefined
      : (folders as string[]).map((folder) => folder.replace(/\/+$/, ''));
  }

  /** Adds the folders of an assignment to PATH. Returns whether all added folders are known. `$PATH` in the assignment counts as known. */
  #addSearched({ text, written }: ShellWord): boolean {
    const folders = text.replace(/^PATH\+?=/, '').split(':');
    const isInBraces = /^[^$`]*(?:\$HOME\b[^$`]*)*\$\{PATH\}[^$`]*$/.test(written);
    const isBefore = (folder: string) => folder === '$PATH' || (folder === '$_' && isInBraces);
    const added = folders.filter((folder) => !isBefore(folder));
    for (const path of added) if (isAbsolute(path)) this.findings.add({ use: 'search', path });
    return added.every((folder) => isAbsolute(folder) && !/[$`*?[{]/.test(folder));
  }
}

function reasonOf({ written, text }: ShellWord): string {
  const word = written === '' ? text : written;
  const made = /[$`]|^[<>]\(/.test(word)
    ? 'contains a variable or a command'
    : /~/.test(word)
      ? 'is the home directory of a user'
      : 'is a pattern';
  return `The word ${shown(word)} ${made}.`;
}

/** Returns the language of a script by the ending of its name. */
export function languageOf(path: string): { readonly language?: Language } {
  const ending = /\.(?:([mc]?[jt]sx?)|(py)|(?:ba)?(sh))$/.exec(path);
  if (ending === null) return {};
  return { language: ending[1] !== undefined ? 'javascript' : ending[2] !== undefined ? 'python' : 'shell' };
}

/** Returns a word in a sentence, in quotes and shortened. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
