import { isAbsolute } from 'node:path';
import { baseName, evaluators, keywords, type ShellWord, type SimpleCommand, shells, wrappers } from '@tenterhook/runtime/shell';
import type { Findings } from './findings.js';
import { InterpreterReader } from './interpreter-reader.js';
import { codeInWords } from './programs/code-in-words.js';
import { interpreters, plainPrograms, riskyVariable, runners, writers } from './programs/programs.js';
import { withPlaces } from './programs/wrapper-words.js';
import { maxDepth, ReadBudget } from './read-budget.js';
import { readRunner } from './read-runner.js';
import { readWrapper, type WrappedReader } from './read-wrapper.js';
import { fileWords } from './tokens.js';
import type { ScriptPaths } from './values/expansions.js';
import { evaluated, isRisky } from './values/shell-evaluation.js';
import { shown } from './word-reader.js';

export interface ReadContext {
  /** Variables whose values are known. */
  readonly variables: Readonly<Record<string, string>>;
  /** The paths of the script whose text is read. Absent for the command of a hook. */
  readonly paths?: ScriptPaths;
  /** Whether the shell that reads the script treats `[[ … ]]` and `$'…'` as bash does. */
  readonly isBash?: boolean;
  /** How much may be parsed. @default a budget of its own */
  readonly budget?: ReadBudget;
}

/** How many characters of the budget one word takes. Words after wrappers are read several times, as in `xargs -n 1 timeout -k 2 5 …`. */
const costOfWord = 8;
export const tooMuch = 'is too much to read';

/** Reads simple commands: which program they start, and which of their words are files or code. */
export abstract class SimpleCommandReader extends InterpreterReader implements WrappedReader {
  protected readonly context: ReadContext;
  /**
   * True for the command of a hook: every unknown word may be code. False for a script: only words in places where code is expected may
   * be code.
   */
  protected readonly isStrict: boolean;
  protected readonly budget: ReadBudget;
  /** The names of functions that the texts define. */
  protected functions = new Set<string>();
  /** The reasons why the working directory is not known. */
  readonly #unknownDirectories = new Set<string>();

  constructor(context: ReadContext) {
    super();
    this.context = context;
    this.isStrict = context.paths === undefined;
    this.budget = context.budget ?? new ReadBudget();
  }

  abstract readText(text: string, depth: number): void;

  /** Returns the findings of all that was read. */
  end(): Findings {
    // An unknown directory matters only if code is searched in it.
    const isCode = this.findings.references.some(
      (one) =>
        ['manifest', 'inline', 'module'].includes(one.use) || ((one.use === 'script' || one.use === 'pattern') && !isAbsolute(one.path)),
    );
    for (const reason of this.#unknownDirectories) this.findings.openFor(reason, isCode ? 'code' : 'data');
    return this.findings;
  }

  readWords(command: SimpleCommand, depth: number, isProgram: boolean): void {
    if (!this.budget.take(costOfWord * command.length)) {
      this.noteTooMuch(command);
      return;
    }
    if (this.isStrict) for (const word of command) if (word.isOpen) this.openWord(word, 'data');
    const [words, isList] = isProgram ? [command, false] : this.#withoutPrefix(command);
    const [first, ...rest] = words;
    if (first === undefined) return;
    if (isList) {
      this.addWords(words, false);
      return;
    }
    if (first.isOpen) {
      this.openWord(first);
      this.addTokens(first.text);
      this.addWords(rest, false);
      return;
    }
    const name = baseName(first.text)
      .toLowerCase()
      .replace(/\.(?:exe|cmd|bat)$/, '');
    const isFile = first.text.includes('/') || first.text.includes('\\');
    this.findings.add(isFile ? { use: 'script', path: first.text } : { use: 'program', name: first.text });
    if (name === 'function' && rest.length > 0) {
      this.readWords(rest.slice(1), depth, false);
      return;
    }
    const interpreter = interpreters.find((one) => one.name.test(name));
    const runner = runners.find((one) => one.name.test(name));
    if (name === '.' || name === 'source') this.#readSource(rest);
    else if (name === 'cd' || name === 'pushd' || name === 'popd') this.#readCd(name, rest);
    else if (name === 'alias' || name === 'enable' || name === 'complete' || name === 'bind') {
      this.findings.openFor(`${name} changes which commands run.`);
      this.addWords(rest, false);
    } else if (shells.has(name)) this.readShell(name, words, depth);
    else if (interpreter !== undefined) this.readInterpreter(name, interpreter, rest, depth);
    else if (runner !== undefined) readRunner(name, runner, rest, this);
    else if (wrappers.has(name) || evaluators.has(name)) readWrapper(name, words, depth, this);
    else this.#readProgram(name, isFile, rest, depth);
  }

  /**
   * Removes keywords and assignments. Returns the rest, and true if the rest is not a command but a list of words, as after `for` and
   * `case`.
   */
  #withoutPrefix(command: SimpleCommand): [SimpleCommand, boolean] {
    let at = 0;
    for (; at < command.length; at += 1) {
      const { text, written } = command[at] as ShellWord;
      if (written === 'for' || written === 'select' || written === 'case') {
        const variable = command[at + 1]?.text ?? '';
        if (written !== 'case' && isRisky(variable)) this.openVariable(variable);
        return [command.slice(at + 1), true];
      }
      const name = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/.exec(text)?.[1];
      if (name !== undefined) {
        if (riskyVariable.test(name) && !isHarmless(name, command[at] as ShellWord, command[at + 1])) this.openVariable(name, command[at]);
        this.addWord(command[at] as ShellWord, false);
      } else if (!keywords.has(written) && written !== 'esac') break;
    }
    return [command.slice(at), false];
  }

  #readSource(rest: SimpleCommand): void {
    const [file, ...others] = rest[0]?.text === '--' ? rest.slice(1) : rest;
    if (file === undefined) return;
    if (file.isOpen) this.openWord(file);
    else this.findings.add({ use: 'script', path: file.text, language: 'shell', isSourced: true });
    this.addTokens(file.text);
    this.addWords(others, false);
  }

  #readCd(name: string, rest: SimpleCommand): void {
    const target = rest.find(({ text }) => !/^-[A-Za-z-]/.test(text));
    if (name !== 'cd' || target?.isOpen || target?.text === '-') {
      if (name === 'cd' || rest.length > 0)
        this.noteUnknownDirectory(
          `${shown([name, ...rest.map(({ written }) => written)].join(' '))} changes to a directory that is not known.`,
        );
    }
    const path = target === undefined ? this.context.variables['HOME'] : target.text;
    if (path !== undefined && !target?.isOpen) this.findings.add({ use: 'directory', path });
  }

  canRead(count: number): boolean {
    return costOfWord * count <= this.budget.limit - this.budget.taken;
  }

  noteTooMuch(command: SimpleCommand): void {
    // The reason shows fewer characters than this number of words has.
    const text = command.slice(0, 80).map(({ written }) => written);
    this.findings.openFor(`${shown(text.join(' '))} ${tooMuch}.`);
  }

  noteUnknownDirectory(reason: string): void {
    this.#unknownDirectories.add(reason);
  }

  /** Reads the command after a wrapper such as `command`. Its name means a program, even if the text defines a function with this name. */
  readBehind(command: SimpleCommand, depth: number): void {
    const functions = this.functions;
    this.functions = new Set();
    this.readWords(command, depth + 1, false);
    this.functions = functions;
  }

  #readProgram(name: string, isFile: boolean, rest: SimpleCommand, depth: number): void {
    const isPlain = !isFile && (plainPrograms.has(name) || this.functions.has(name));
    if (!isPlain && !isFile) {
      this.findings.openFor(
        `${shown(name)} may run code of the project that is not listed, such as plugins or its configuration.`,
        'loaded',
      );
      this.#readProgramInWords(rest, depth);
    }
    if (name === 'run-parts') this.#readRunParts(rest);
    const { risky, open } = evaluated(name, rest);
    const assigned = new Map<string, ShellWord>();
    for (const word of rest) {
      const [variable = ''] = word.text.split('=', 1);
      if (variable.length < word.text.length && !assigned.has(variable)) assigned.set(variable, word);
    }
    for (const variable of new Set(risky)) this.openVariable(variable, assigned.get(variable));
    for (const word of open) this.openWord(word);
    const reason = codeInWords(name, rest);
    if (reason !== undefined) this.findings.openFor(reason.text, reason.kind);
    if (writers.has(name)) {
      for (const { text, isOpen } of rest) if (!isOpen) this.findings.written.add(text);
      return;
    }
    const files = fileWords(name, rest);
    for (const [at, word] of rest.entries()) this.addWord(word, files.has(at));
  }

  /** Reads the words of `run-parts`, which runs the files of a folder. */
  #readRunParts(rest: SimpleCommand): void {
    for (const word of rest) {
      if (word.isOpen) this.openWord(word);
      else if (!word.text.startsWith('-'))
        this.findings.add({ use: 'pattern', path: word.text, reason: `run-parts runs files of ${shown(word.text)}.` });
    }
  }

  /** Reads the words of an unknown program. It may start the program that its words name, as `entr` and `doppler run --` do. */
  #readProgramInWords(rest: SimpleCommand, depth: number): void {
    const at = rest.findIndex(
      ({ text, isOpen }) =>
        !isOpen &&
        /^(?:[\w.+-]+|\/.*)$/.test(text) &&
        (shells.has(baseName(text)) || interpreters.some((one) => one.name.test(baseName(text)))),
    );
    if (at !== -1 && at < rest.length - 1 && depth <= maxDepth) this.readWords(withPlaces(rest.slice(at)), depth + 1, false);
  }
}

/** Tests for an assignment to `IFS` that only `read` uses, or that splits no path. */
function isHarmless(name: string, { text, isOpen }: ShellWord, next: ShellWord | undefined): boolean {
  return name === 'IFS' && (next?.text === 'read' || (!isOpen && /^IFS=[\s,;|]*$/.test(text)));
}
