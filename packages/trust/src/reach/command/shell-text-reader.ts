import type { ShellCommands, SimpleCommand } from '@tenterhook/runtime/shell';
import type { Language } from './findings.js';
import { maxDepth } from './read-budget.js';
import { type ReadContext, SimpleCommandReader, tooMuch } from './simple-command-reader.js';
import type { ScriptPaths } from './values/expansions.js';
import { codeInShellText, codeInValues, riskyInText } from './values/shell-evaluation.js';
import { readKnown } from './values/variables.js';
import { shown } from './word-reader.js';

/** The maximum length of a text that is parsed (characters). */
const maxText = 256 * 1024;

/** Reads the text of a command line or of a script: its commands, what their stdin is, and the variables that it sets. */
export class ShellTextReader extends SimpleCommandReader {
  #paths: ScriptPaths;
  #isBash: boolean;

  constructor(context: ReadContext) {
    super(context);
    this.#paths = context.paths ?? {};
    this.#isBash = context.isBash ?? false;
  }

  /** Reads a line for a shell whose grammar is not known. If the line has only plain words, it means the same in every shell. */
  readOtherShell(text: string): void {
    const isPlain = !/[%!^&|<>(){};*?`$@\r\n]/.test(text);
    this.findings.openFor('The command line is not for a POSIX shell, so it is not analysed.', isPlain ? 'data' : 'code');
    this.addTokens(text);
    const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([word, one, other]) => one ?? other ?? word);
    if (isPlain)
      this.readWords(
        words.map((word) => ({ text: word, isOpen: false, written: word })),
        0,
        true,
      );
  }

  readText(text: string, depth: number): void {
    const isRead = depth <= maxDepth && text.length <= maxText;
    const known = isRead ? readKnown(text, this.context.variables, this.#paths, this.budget) : undefined;
    if (known === 'too much' || known?.reads === undefined) {
      const problem = known === 'too much' ? tooMuch : 'cannot be read as a shell command line';
      this.findings.openFor(`${shown(text)} ${problem}.`);
      this.addTokens(text);
      return;
    }
    for (const name of known.overwritten) if (name !== 'PWD') this.findings.openFor(`${shown(text)} sets the variable ${name}.`, 'data');
    this.findings.noteVariables(known.assigned, known.constants);
    if (text.includes('\r')) this.findings.openFor(`${shown(text)} has a carriage return, which the shell reads as a part of a word.`);
    if (known.reads[0]?.isBashOnly && !this.#isBash)
      this.findings.openFor(`${shown(text)} has syntax that sh reads differently than bash.`, this.isStrict ? 'data' : 'code');
    for (const read of known.reads) this.#readCommands(read, text, depth);
  }

  /** Reads the text after `bash -c` or a similar command. In this text `$0` is not the script. */
  protected readOther(text: string, depth: number, isBash = false): void {
    const [paths, outer] = [this.#paths, this.#isBash];
    this.#paths = {};
    this.#isBash = isBash;
    this.readText(text, depth);
    this.#paths = paths;
    this.#isBash = outer;
  }

  #readCommands(read: ShellCommands, text: string, depth: number): void {
    for (const name of [...read.functions, ...read.commands.flatMap(namedFunction)]) this.functions.add(name);
    const code = codeInShellText(read, text);
    if (code !== undefined) this.findings.openFor(code);
    const inValues = codeInValues(read, text);
    if (inValues !== undefined) this.findings.openFor(inValues);
    for (const name of riskyInText(text)) this.openVariable(name);
    this.noteLoops(read.commands);
    for (const words of read.arrays) this.addWords(words, false);
    const outer = this.fromStdin;
    this.fromStdin = [];
    for (const words of read.commands) this.readWords(words, depth, false);
    const languages = this.fromStdin;
    this.fromStdin = outer;
    let sources = 0;
    for (const { operator, word } of read.redirections) {
      const isInput = operator.includes('<');
      if (!isInput && !word.isOpen) this.findings.written.add(word.text);
      if (!isInput) continue;
      sources += 1;
      if (operator.endsWith('<<<')) this.#addInput(word.text, word.isOpen, languages, depth);
      else {
        if (word.isOpen && (this.isStrict || languages.length > 0)) this.openWord(word, languages.length > 0 ? 'code' : 'data');
        this.addTokens(word.text);
        if (!word.isOpen) for (const language of languages) this.findings.add({ use: 'script', path: word.text, language });
        if (!word.isOpen) this.findings.add({ use: 'operand', path: word.text });
      }
    }
    for (const document of read.hereDocuments) {
      sources += 1;
      this.#addInput(document.text, document.isOpen, languages, depth);
    }
    if (languages.length > sources || (languages.length > 0 && /\||\bexec\b/.test(text))) {
      this.findings.openFor(`${shown(text)} runs an interpreter that reads its program from stdin.`);
    }
  }

  /** Reads a here-document or here-string: the program of an interpreter, or data. */
  #addInput(text: string, isOpen: boolean, languages: readonly Language[], depth: number): void {
    this.addTokens(text);
    if (languages.length > 0 && isOpen) this.findings.openFor(`The text ${shown(text)}, which an interpreter runs, has a variable.`);
    for (const language of languages) this.addCode(text, language, depth);
  }

  protected addCode(text: string, language: Language, depth: number): void {
    if (language === 'shell') this.readOther(text, depth + 1);
    else this.findings.add({ use: 'inline', language, text });
    this.addTokens(text);
  }
}

/** Returns the name of the function that a command defines with the keyword `function`. */
function namedFunction([first, name]: SimpleCommand): string[] {
  return first?.written === 'function' && name !== undefined && !name.isOpen ? [name.text] : [];
}
