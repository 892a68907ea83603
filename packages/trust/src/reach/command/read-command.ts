import { isAbsolute } from 'node:path';
import {
  baseName,
  evaluators,
  innerLines,
  keywords,
  type ShellCommands,
  type ShellWord,
  type SimpleCommand,
  shells,
  wrappers,
} from '@tenterhook/runtime/shell';
import { codeInWords } from './code-in-words.js';
import type { ScriptPaths } from './expansions.js';
import type { Findings, Language } from './findings.js';
import { InterpreterReader } from './interpreter-reader.js';
import { interpreters, plainPrograms, riskyVariable, runners, writers } from './programs.js';
import { ReadBudget } from './read-budget.js';
import { readRunner } from './read-runner.js';
import { codeInShellText, codeInValues, evaluated, isRisky, riskyInText } from './shell-evaluation.js';
import { fileWords } from './tokens.js';
import { readKnown } from './variables.js';
import { addedWord, shown } from './word-reader.js';
import { beginsWithCommand, commandAt, withStdinWords } from './wrapper-words.js';

/** A command as it is configured. With `shell: 'other'`, the text is only searched for paths. @default posix, on Windows other */
export type HookCommand =
  | { readonly kind: 'shell'; readonly text: string; readonly shell?: 'posix' | 'other' }
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };

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

/** The maximum nesting of shells (`bash -c "bash -c …"`). */
const maxDepth = 5;
/** The maximum length of a text that is parsed (characters). */
const maxText = 256 * 1024;
/** How many characters of the budget one word takes. Words after wrappers are read several times, as in `xargs -n 1 timeout -k 2 5 …`. */
const costOfWord = 8;
const tooMuch = 'is too much to read';

/** Returns what the command of a hook refers to, and why the command may run code that is not part of the pin. Reads no file. */
export function readCommand(command: HookCommand, variables: Readonly<Record<string, string>>, budget = new ReadBudget()): Findings {
  const reader = new CommandReader({ variables, budget });
  if (command.kind === 'program') {
    const known = (text: string) =>
      text.replace(/\$\{(\w+)\}/g, (written, name) => (Object.hasOwn(variables, name) ? (variables[name] ?? '') : written));
    reader.readWords(
      [command.file, ...command.args].map((text) => ({ text: known(text), isOpen: false, written: text })),
      0,
      true,
    );
  } else if (command.shell === 'other' || (command.shell === undefined && process.platform === 'win32')) {
    reader.readOtherShell(command.text);
  } else reader.readText(command.text, 0);
  return reader.end();
}

export function readShellScript(text: string, context: ReadContext): Findings {
  const reader = new CommandReader(context);
  reader.readText(text, 0);
  return reader.end();
}

class CommandReader extends InterpreterReader {
  readonly #context: ReadContext;
  /**
   * True for the command of a hook: every unknown word may be code. False for a script: only words in places where code is expected may
   * be code.
   */
  readonly #isStrict: boolean;
  #functions = new Set<string>();
  #paths: ScriptPaths;
  #isBash: boolean;
  readonly #budget: ReadBudget;

  /** The reasons why the working directory is not known. */
  readonly #unknownDirectories = new Set<string>();

  constructor(context: ReadContext) {
    super();
    this.#context = context;
    this.#isStrict = context.paths === undefined;
    this.#paths = context.paths ?? {};
    this.#isBash = context.isBash ?? false;
    this.#budget = context.budget ?? new ReadBudget();
  }

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
    const known = isRead ? readKnown(text, this.#context.variables, this.#paths, this.#budget) : undefined;
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
      this.findings.openFor(`${shown(text)} has syntax that sh reads differently than bash.`, this.#isStrict ? 'data' : 'code');
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
    for (const name of [...read.functions, ...read.commands.flatMap(namedFunction)]) this.#functions.add(name);
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
        if (word.isOpen && (this.#isStrict || languages.length > 0)) this.openWord(word, languages.length > 0 ? 'code' : 'data');
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

  readWords(command: SimpleCommand, depth: number, isProgram: boolean): void {
    if (!this.#budget.take(costOfWord * command.length)) {
      this.findings.openFor(`${shown(command.map(({ written }) => written).join(' '))} ${tooMuch}.`);
      return;
    }
    if (this.#isStrict) for (const word of command) if (word.isOpen) this.openWord(word, 'data');
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
    else if (wrappers.has(name) || evaluators.has(name)) this.#readWrapper(name, words, depth);
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
        this.#unknownDirectories.add(
          `${shown([name, ...rest.map(({ written }) => written)].join(' '))} changes to a directory that is not known.`,
        );
    }
    const path = target === undefined ? this.#context.variables['HOME'] : target.text;
    if (path !== undefined && !target?.isOpen) this.findings.add({ use: 'directory', path });
  }

  /** Reads a wrapper, which is a program that runs some of its words as a command: `env A=b timeout 5 ./guard.sh`. */
  #readWrapper(name: string, words: SimpleCommand, depth: number): void {
    const rest = words.slice(1);
    if (name === 'command' && /^-[vVp]*[vV]/.test(rest[0]?.text ?? '')) {
      this.addWords(rest, false);
      return;
    }
    const open = rest.find(({ isOpen }) => isOpen);
    if (evaluators.has(name) && open !== undefined) this.openWord(open);
    if (/^(?:trap|eval)$/.test(name)) {
      if (name === 'eval') for (const line of innerLines(name, words)) this.readText(line, depth + 1);
      if (name === 'trap' && rest[0] !== undefined && !/^-/.test(rest[0].text)) this.readText(rest[0].text, depth + 1);
      this.addWords(rest, false);
      return;
    }
    if (name === 'find') {
      this.#readFind(rest, depth);
      return;
    }
    const start = commandAt(name, rest);
    if (start !== undefined) {
      this.#readAssigned(rest.slice(0, start));
      const command = rest.slice(start);
      this.#readBehind(name === 'xargs' ? withStdinWords(rest.slice(0, start), command, addedWord) : command, depth);
    } else this.#readUnknownWrapper(name, words, depth);
    this.addWords(rest, false);
  }

  /** Reads the words between a wrapper and its command. */
  #readAssigned(words: SimpleCommand): void {
    for (const word of words) {
      const variable = /^([A-Za-z_]\w*)=/.exec(word.text)?.[1] ?? '';
      if (riskyVariable.test(variable)) this.openVariable(variable, word);
    }
  }

  /** Reads the command after a wrapper such as `command`. Its name means a program, even if the text defines a function with this name. */
  #readBehind(command: SimpleCommand, depth: number): void {
    const functions = this.#functions;
    this.#functions = new Set();
    this.readWords(command, depth + 1, false);
    this.#functions = functions;
  }

  /** Reads a wrapper if it is unknown which of its words begins the command. */
  #readUnknownWrapper(name: string, words: SimpleCommand, depth: number): void {
    const rest = words.slice(1);
    if (evaluators.has(name) || rest.some(({ text }) => text.startsWith('-')) || name === 'parallel') {
      for (const line of innerLines(name, words)) this.readText(line, depth + 1);
    }
    let isUnsure = !beginsWithCommand(name);
    for (let at = 0; at < rest.length; at += 1) {
      const { text, isOpen } = rest[at] as ShellWord;
      if (/^[-+]/.test(text) || isOpen) isUnsure = true;
      else if (/^\d+(?:\.\d+)?[smhd]?$/.test(text)) continue;
      else if (/^[A-Za-z_]\w*=/.test(text)) this.#readAssigned([rest[at] as ShellWord]);
      else {
        this.findings.add({ use: 'directory', path: text });
        this.#readBehind([...rest.slice(at), ...(name === 'xargs' || name === 'parallel' ? [addedWord] : [])], depth);
        // This word may be the argument of an option. Then the command begins with one of the next words.
        if (!isUnsure) break;
        if (at > 20) this.findings.openFor(`${name} has too many words to read all of them.`);
        if (at > 20 || depth > maxDepth) break;
      }
    }
    if (isUnsure) this.findings.openFor(`${name} has options, so it is unknown which of its words is the command.`);
  }

  #readFind(rest: SimpleCommand, depth: number): void {
    rest.forEach(({ text }, at) => {
      if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) return;
      if (text.endsWith('dir')) this.#unknownDirectories.add(`${text} of find runs a command in each directory that find visits.`);
      this.readWords(withPlaces(rest.slice(at + 1)), depth + 1, false);
    });
    this.addWords(rest, false);
  }

  #readProgram(name: string, isFile: boolean, rest: SimpleCommand, depth: number): void {
    const isPlain = !isFile && (plainPrograms.has(name) || this.#functions.has(name));
    if (!isPlain && !isFile) {
      this.findings.openFor(
        `${shown(name)} may run code of the project that is not listed, such as plugins or its configuration.`,
        'loaded',
      );
      this.#readProgramInWords(rest, depth);
    }
    if (name === 'run-parts') this.#readRunParts(rest);
    const { risky, open } = evaluated(name, rest);
    for (const variable of risky)
      this.openVariable(
        variable,
        rest.find(({ text }) => text.startsWith(`${variable}=`)),
      );
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

/** Marks words with `{}` as unknown, because `{}` means a file that `find` or another program finds. */
function withPlaces(command: SimpleCommand): SimpleCommand {
  return command.map((word) => (word.text.includes('{}') ? { ...word, isOpen: true } : word));
}

/** Returns the name of the function that a command defines with the keyword `function`. */
function namedFunction([first, name]: SimpleCommand): string[] {
  return first?.written === 'function' && name !== undefined && !name.isOpen ? [name.text] : [];
}

/** Tests for an assignment to `IFS` that only `read` uses, or that splits no path. */
function isHarmless(name: string, { text, isOpen }: ShellWord, next: ShellWord | undefined): boolean {
  return name === 'IFS' && (next?.text === 'read' || (!isOpen && /^IFS=[\s,;|]*$/.test(text)));
}
