import { evaluators, innerLines, type ShellWord, type SimpleCommand } from '@tenterhook/runtime/shell';
import { riskyVariable } from './programs/programs.js';
import { beginsWithCommand, commandAt, withPlaces, withStdinWords } from './programs/wrapper-words.js';
import { maxDepth } from './read-budget.js';
import { addedWord, type WordReader } from './word-reader.js';

/** Reads the commands that a wrapper runs. */
export interface WrappedReader extends WordReader {
  /** Reads a command line. */
  readText(text: string, depth: number): void;
  /** Reads the words of one command. With `isProgram`, the first word is the program, and not a keyword or an assignment. */
  readWords(command: SimpleCommand, depth: number, isProgram: boolean): void;
  /** Reads the words of a command that cannot be a function. */
  readBehind(command: SimpleCommand, depth: number): void;
  /** Whether a command with this number of words is not too much to read. */
  canRead(count: number): boolean;
  /** Notes that a command is not read. `command` may be its beginning. */
  noteTooMuch(command: SimpleCommand): void;
  /** Notes why the directory is unknown in which a command runs. */
  noteUnknownDirectory(reason: string): void;
}

/** Reads a wrapper, which is a program that runs some of its words as a command: `env A=b timeout 5 ./guard.sh`. */
export function readWrapper(name: string, words: SimpleCommand, depth: number, to: WrappedReader): void {
  const rest = words.slice(1);
  if (name === 'command' && /^-[vVp]*[vV]/.test(rest[0]?.text ?? '')) {
    to.addWords(rest, false);
    return;
  }
  const open = rest.find(({ isOpen }) => isOpen);
  if (evaluators.has(name) && open !== undefined) to.openWord(open);
  if (/^(?:trap|eval)$/.test(name)) {
    if (name === 'eval') for (const line of innerLines(name, words)) to.readText(line, depth + 1);
    if (name === 'trap' && rest[0] !== undefined && !/^-/.test(rest[0].text)) to.readText(rest[0].text, depth + 1);
    to.addWords(rest, false);
    return;
  }
  if (name === 'find') {
    readFind(rest, depth, to);
    return;
  }
  const start = commandAt(name, rest);
  if (start !== undefined) {
    readAssigned(rest.slice(0, start), to);
    const command = rest.slice(start);
    to.readBehind(name === 'xargs' ? withStdinWords(rest.slice(0, start), command, addedWord) : command, depth);
  } else readUnknownWrapper(name, words, depth, to);
  to.addWords(rest, false);
}

/** Reads the words between a wrapper and its command. */
function readAssigned(words: SimpleCommand, to: WrappedReader): void {
  for (const word of words) {
    const variable = /^([A-Za-z_]\w*)=/.exec(word.text)?.[1] ?? '';
    if (riskyVariable.test(variable)) to.openVariable(variable, word);
  }
}

/** Reads a wrapper if it is unknown which of its words begins the command. */
function readUnknownWrapper(name: string, words: SimpleCommand, depth: number, to: WrappedReader): void {
  const rest = words.slice(1);
  if (evaluators.has(name) || rest.some(({ text }) => text.startsWith('-')) || name === 'parallel') {
    for (const line of innerLines(name, words)) to.readText(line, depth + 1);
  }
  let isUnsure = !beginsWithCommand(name);
  for (let at = 0; at < rest.length; at += 1) {
    const { text, isOpen } = rest[at] as ShellWord;
    if (/^[-+]/.test(text) || isOpen) isUnsure = true;
    else if (/^\d+(?:\.\d+)?[smhd]?$/.test(text)) continue;
    else if (/^[A-Za-z_]\w*=/.test(text)) readAssigned([rest[at] as ShellWord], to);
    else {
      to.findings.add({ use: 'directory', path: text });
      to.readBehind([...rest.slice(at), ...(name === 'xargs' || name === 'parallel' ? [addedWord] : [])], depth);
      // This word may be the argument of an option. Then the command begins with one of the next words.
      if (!isUnsure) break;
      if (at > 20) to.findings.openFor(`${name} has too many words to read all of them.`);
      if (at > 20 || depth > maxDepth) break;
    }
  }
  if (isUnsure) to.findings.openFor(`${name} has options, so it is unknown which of its words is the command.`);
}

function readFind(rest: SimpleCommand, depth: number, to: WrappedReader): void {
  for (const [at, { text }] of rest.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    if (text.endsWith('dir')) to.noteUnknownDirectory(`${text} of find runs a command in each directory that find visits.`);
    // The words are counted before they are copied. Otherwise the words after each of very many commands would be copied.
    if (to.canRead(rest.length - at - 1)) to.readWords(withPlaces(rest.slice(at + 1)), depth + 1, false);
    else to.noteTooMuch(rest.slice(at + 1, at + 100));
  }
  to.addWords(rest, false);
}
