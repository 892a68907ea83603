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
import { Findings, type Language } from './findings.js';
import { type Interpreter, interpreters, plainPrograms, type Runner, readers, riskyVariable, runners, writers } from './programs.js';
import { codeInShellText, evaluated, isRisky, riskyInText } from './shell-evaluation.js';
import { assignedIn, isPath, maxWord, tokensOf } from './tokens.js';
import { readKnown } from './variables.js';

/** A command as it is configured. `shell`: a text for a POSIX shell; of any other shell the words are searched for paths only. @default posix, on Windows other */
export type HookCommand =
  | { readonly kind: 'shell'; readonly text: string; readonly shell?: 'posix' | 'other' }
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };

export interface ReadContext {
  /** Variables whose values are known. */
  readonly variables: Readonly<Record<string, string>>;
  /** The paths of the script whose text is read. Absent for the command of a hook. */
  readonly paths?: ScriptPaths;
  /** Whether bash reads the script, or a shell that reads `[[ … ]]` and `$'…'` in the same way. */
  readonly isBash?: boolean;
}

/** The maximum nesting of shells (`bash -c "bash -c …"`), and the maximum length of a text that is parsed. */
const maxDepth = 5;
const maxText = 256 * 1024;

/** Returns what the command of a hook refers to, and why it may run code that is not listed. Reads no file. */
export function readCommand(command: HookCommand, variables: Readonly<Record<string, string>>): Findings {
  const reader = new CommandReader({ variables });
  if (command.kind === 'program') {
    const known = (text: string) =>
      text.replace(/\$\{(\w+)\}/g, (written, name) => (Object.hasOwn(variables, name) ? (variables[name] ?? '') : written));
    reader.readWords(
      [command.file, ...command.args].map((text) => ({ text: known(text), isOpen: false, written: text })),
      0,
      true,
    );
  } else if (command.shell === 'other' || (command.shell === undefined && process.platform === 'win32')) {
    reader.findings.openFor('The command line is not for a POSIX shell, so it is not taken apart.');
    reader.addTokens(command.text);
  } else reader.readText(command.text, 0);
  return reader.findings;
}

/** Returns what the text of a shell script refers to. */
export function readShellScript(text: string, context: ReadContext): Findings {
  const reader = new CommandReader(context);
  reader.readText(text, 0);
  return reader.findings;
}

class CommandReader {
  readonly findings = new Findings();
  readonly #context: ReadContext;
  /** In the command of a hook, each word that is not known counts; in a script, only those that may be code. */
  readonly #isStrict: boolean;
  #functions: ReadonlySet<string> = new Set();
  /** The languages of the interpreters that read their program from stdin. */
  #fromStdin: Language[] = [];
  #paths: ScriptPaths;
  #isBash: boolean;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#isStrict = context.paths === undefined;
    this.#paths = context.paths ?? {};
    this.#isBash = context.isBash ?? false;
  }

  readText(text: string, depth: number): void {
    const isRead = depth <= maxDepth && text.length <= maxText;
    const known = isRead ? readKnown(text, this.#context.variables, this.#paths) : undefined;
    if (known?.reads === undefined) {
      this.findings.openFor(`${shown(text)} cannot be read as a shell command line.`);
      this.addTokens(text);
      return;
    }
    for (const name of known.overwritten) if (name !== 'PWD') this.findings.openFor(`${shown(text)} sets the variable ${name}.`);
    this.findings.noteVariables(known.assigned, known.constants);
    if (text.includes('\r')) this.findings.openFor(`${shown(text)} has a carriage return, which is a part of a word.`);
    if (known.reads[0]?.isBashOnly && !this.#isBash)
      this.findings.openFor(`${shown(text)} has syntax that sh reads differently than bash.`);
    for (const read of known.reads) this.#readCommands(read, text, depth);
  }

  /** Reads a text with which another shell is started: in it, `$0` is not the script. */
  #readOther(text: string, depth: number, isBash = false): void {
    const [paths, outer] = [this.#paths, this.#isBash];
    this.#paths = {};
    this.#isBash = isBash;
    this.readText(text, depth);
    this.#paths = paths;
    this.#isBash = outer;
  }

  #readCommands(read: ShellCommands, text: string, depth: number): void {
    this.#functions = new Set([...this.#functions, ...read.functions, ...read.commands.flatMap(namedFunction)]);
    const code = codeInShellText(read, text);
    if (code !== undefined) this.findings.openFor(code);
    for (const name of riskyInText(text)) this.#openVariable(name);
    for (const words of read.arrays) this.#addWords(words, false);
    const outer = this.#fromStdin;
    this.#fromStdin = [];
    for (const words of read.commands) this.readWords(words, depth, false);
    const languages = this.#fromStdin;
    this.#fromStdin = outer;
    let sources = 0;
    for (const { operator, word } of read.redirections) {
      const isInput = operator.includes('<');
      if (!isInput && !word.isOpen) this.findings.written.add(word.text);
      if (!isInput) continue;
      sources += 1;
      if (operator.endsWith('<<<')) this.#addInput(word.text, word.isOpen, languages, depth);
      else {
        if (word.isOpen && (this.#isStrict || languages.length > 0)) this.#openWord(word);
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

  /** A here-document or here-string: the program of an interpreter, or data. */
  #addInput(text: string, isOpen: boolean, languages: readonly Language[], depth: number): void {
    this.addTokens(text);
    if (languages.length > 0 && isOpen) this.findings.openFor(`The text ${shown(text)}, which an interpreter runs, has a variable.`);
    for (const language of languages) this.#addCode(text, language, depth);
  }

  #addCode(text: string, language: Language, depth: number): void {
    if (language === 'shell') this.#readOther(text, depth + 1);
    else this.findings.add({ use: 'inline', language, text });
    this.addTokens(text);
  }

  /** Reads a simple command. */
  readWords(command: SimpleCommand, depth: number, isProgram: boolean): void {
    if (this.#isStrict) for (const word of command) if (word.isOpen) this.#openWord(word);
    const [words, isList] = isProgram ? [command, false] : this.#withoutPrefix(command);
    const [first, ...rest] = words;
    if (first === undefined) return;
    if (isList) {
      this.#addWords(words, false);
      return;
    }
    if (first.isOpen) {
      this.#openWord(first);
      this.addTokens(first.text);
      this.#addWords(rest, false);
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
      this.#addWords(rest, false);
    } else if (shells.has(name)) this.#readShell(name, words, depth);
    else if (interpreter !== undefined) this.#readInterpreter(name, interpreter, rest, depth);
    else if (runner !== undefined) this.#readRunner(name, runner, rest);
    else if (wrappers.has(name) || evaluators.has(name)) this.#readWrapper(name, words, depth);
    else this.#readProgram(name, isFile, rest);
  }

  /** Removes keywords and assignments. The words of `for` and `case` are a list, and no command. */
  #withoutPrefix(command: SimpleCommand): [SimpleCommand, boolean] {
    let at = 0;
    for (; at < command.length; at += 1) {
      const { text, written } = command[at] as ShellWord;
      if (written === 'for' || written === 'select' || written === 'case') {
        const variable = command[at + 1]?.text ?? '';
        if (written !== 'case' && isRisky(variable)) this.#openVariable(variable);
        return [command.slice(at + 1), true];
      }
      const name = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/.exec(text)?.[1];
      if (name !== undefined) {
        if (riskyVariable.test(name) && !isHarmless(name, command[at] as ShellWord, command[at + 1])) this.#openVariable(name);
        this.#addWord(command[at] as ShellWord, false);
      } else if (!keywords.has(written) && written !== 'esac') break;
    }
    return [command.slice(at), false];
  }

  #readSource(rest: SimpleCommand): void {
    const [file, ...others] = rest[0]?.text === '--' ? rest.slice(1) : rest;
    if (file === undefined) return;
    if (file.isOpen) this.#openWord(file);
    else this.findings.add({ use: 'script', path: file.text, language: 'shell', isSourced: true });
    this.addTokens(file.text);
    this.#addWords(others, false);
  }

  #readCd(name: string, rest: SimpleCommand): void {
    const target = rest.find(({ text }) => !/^-[A-Za-z-]/.test(text));
    if (name !== 'cd' || target?.isOpen || target?.text === '-') {
      if (name === 'cd' || rest.length > 0)
        this.findings.openFor(
          `${shown([name, ...rest.map(({ written }) => written)].join(' '))} changes to a directory that is not known.`,
        );
    }
    const path = target === undefined ? this.#context.variables['HOME'] : target.text;
    if (path !== undefined && !target?.isOpen) this.findings.add({ use: 'directory', path });
  }

  #readShell(name: string, words: SimpleCommand, depth: number): void {
    const rest = words.slice(1);
    if (/^(?:fish|csh|tcsh)$/.test(name)) this.findings.openFor(`Scripts of ${name} are not taken apart.`);
    if (rest.some(({ text }) => /^-\w*c/.test(text))) {
      const open = rest.find(({ isOpen }) => isOpen);
      if (open !== undefined) this.#openWord(open);
      for (const line of innerLines(name, words)) this.#readOther(line, depth + 1, /^(?:bash|zsh|ksh|mksh)$/.test(name));
      this.#addWords(rest, false);
      return;
    }
    const script = this.#scriptOf(
      name,
      rest,
      /^[-+](?:[abefhiklmnpruvxBCEHPT]+|-(?:login|norc|noprofile|posix|verbose))$/,
      /^[-+][a-zA-Z]*[oO]$/,
    );
    if (script === undefined) this.#fromStdin.push('shell');
    else if (!script.isOpen) this.findings.add({ use: 'script', path: script.text, language: languageOfShell(name) });
    this.#addWords(rest, false);
  }

  #readInterpreter(name: string, { language, plain, withArgument, inline }: Interpreter, rest: SimpleCommand, depth: number): void {
    const code = rest.findIndex(({ text }) => inline?.test(text));
    const module = language === 'python' ? rest.findIndex(({ text }) => /^-[bBdEiIOPqsSuvx]*m/.test(text)) : -1;
    const script = this.#scriptOf(name, rest, plain, withArgument, inline);
    if (language === 'other') this.findings.openFor(`It is unknown which files a program of ${name} loads.`);
    const isScriptFirst = script !== undefined && [code, module].every((at) => at === -1 || rest.indexOf(script) < at);
    if (isScriptFirst) {
      if (!script.isOpen) this.findings.add({ use: 'script', path: script.text, language });
    } else if (code !== -1 || module !== -1) {
      // Every word that may be the code is read as code, whatever the options before it mean.
      for (const word of rest) {
        if (word.isOpen) this.#openWord(word);
        const attached = inline?.exec(word.text)?.[1];
        if (code !== -1 && /\s|import|require|\(/.test(attached ?? word.text)) this.#addCode(attached || word.text, language, depth);
      }
      if (module !== -1) this.#readModule(rest, module);
    } else if (!rest.some(({ text }) => /^(?:--version|-V|--help|-v|-h)$/.test(text))) this.#fromStdin.push(language);
    this.#addWords(rest, false);
  }

  #readModule(rest: SimpleCommand, at: number): void {
    const attached = /^-[bBdEiIOPqsSuvx]*m(.+)$/.exec(rest[at]?.text ?? '')?.[1];
    const name = attached ?? rest[at + 1]?.text ?? '';
    if (/^\w+(?:\.\w+)*$/.test(name)) this.findings.add({ use: 'module', name });
    else this.findings.openFor(`The name of the Python module ${shown(name)} is not known.`);
  }

  /** The word that is the script: the first after the options. Any option that is not known makes the command open. */
  #scriptOf(name: string, rest: SimpleCommand, plain: RegExp, withArgument?: RegExp, inline?: RegExp): ShellWord | undefined {
    for (let at = 0; at < rest.length; at += 1) {
      const word = rest[at] as ShellWord;
      if (word.isOpen) this.#openWord(word);
      if (word.text === '--') return rest[at + 1];
      if (word.text === '-') return undefined;
      if (!/^[-+]/.test(word.text)) return word;
      if (inline?.test(word.text) || /^-[bBdEiIOPqsSuvx]*m/.test(word.text)) return undefined;
      if (withArgument?.test(word.text)) at += 1;
      else if (!plain.test(word.text) && !/^(?:--version|-V|--help|-h)$/.test(word.text)) {
        this.findings.openFor(`The option ${shown(word.written)} of ${name} may load code that is not listed.`);
      }
    }
    return undefined;
  }

  #readRunner(name: string, { names, others, runsPackage, runs }: Runner, rest: SimpleCommand): void {
    this.findings.openFor(`${name} runs ${runs}.`);
    this.findings.add({ use: 'manifest', names, others });
    for (const { text, isOpen } of rest) {
      if (isOpen || text.startsWith('-')) continue;
      this.findings.add({ use: 'directory', path: text });
      const language = languageOf(text);
      if (language !== undefined) this.findings.add({ use: 'script', path: text, language });
      if (runsPackage?.test(name) && /^[\w.-]+$/.test(text)) this.findings.add({ use: 'token', path: `node_modules/.bin/${text}` });
    }
    this.#addWords(rest, false);
  }

  /** A program that runs some of its words: `env A=b timeout 5 ./guard.sh`. */
  #readWrapper(name: string, words: SimpleCommand, depth: number): void {
    const rest = words.slice(1);
    if (name === 'command' && /^-[vVp]*[vV]/.test(rest[0]?.text ?? '')) {
      this.#addWords(rest, false);
      return;
    }
    const open = rest.find(({ isOpen }) => isOpen);
    if (evaluators.has(name) && open !== undefined) this.#openWord(open);
    if (/^(?:trap|eval)$/.test(name)) {
      if (name === 'eval') for (const line of innerLines(name, words)) this.readText(line, depth + 1);
      if (name === 'trap' && rest[0] !== undefined && !/^-/.test(rest[0].text)) this.readText(rest[0].text, depth + 1);
      this.#addWords(rest, false);
      return;
    }
    if (name === 'find') {
      this.#readFind(rest, depth);
      return;
    }
    if (evaluators.has(name) || rest.some(({ text }) => text.startsWith('-')) || name === 'parallel') {
      for (const line of innerLines(name, words)) this.readText(line, depth + 1);
    }
    const adds = name === 'xargs' || name === 'parallel';
    let hasOption = false;
    for (let at = 0; at < rest.length; at += 1) {
      const { text, isOpen } = rest[at] as ShellWord;
      if (/^[-+]/.test(text) || isOpen) hasOption = true;
      else if (/^\d+(?:\.\d+)?[smhd]?$/.test(text)) continue;
      else if (/^[A-Za-z_]\w*=/.test(text)) {
        const variable = text.slice(0, text.indexOf('='));
        if (riskyVariable.test(variable)) this.#openVariable(variable);
      } else {
        this.findings.add({ use: 'directory', path: text });
        // Behind a wrapper such as `command` a name is a program, also if the text has a function of this name.
        const functions = this.#functions;
        this.#functions = new Set();
        this.readWords([...rest.slice(at), ...(adds ? [added] : [])], depth + 1, false);
        this.#functions = functions;
        // The word may be the argument of an option. Then one of the next words is the command.
        if (!hasOption) break;
        if (at > 20) this.findings.openFor(`${name} has more words than are read.`);
        if (at > 20 || depth > maxDepth) break;
      }
    }
    if (hasOption) this.findings.openFor(`${name} has options, so which of its words is the command is not known.`);
    this.#addWords(rest, false);
  }

  #readFind(rest: SimpleCommand, depth: number): void {
    rest.forEach(({ text }, at) => {
      if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) return;
      // `{}` is the name of a file that find finds.
      this.readWords(
        rest.slice(at + 1).map((word) => (word.text.includes('{}') ? { ...word, isOpen: true } : word)),
        depth + 1,
        false,
      );
    });
    this.#addWords(rest, false);
  }

  #readProgram(name: string, isFile: boolean, rest: SimpleCommand): void {
    const isPlain = !isFile && (plainPrograms.has(name) || this.#functions.has(name));
    if (!isPlain && !isFile)
      this.findings.openFor(`${shown(name)} may run code of the project that is not listed, such as plugins or its configuration.`);
    const { risky, open } = evaluated(name, rest);
    for (const variable of risky) this.#openVariable(variable);
    for (const word of open) this.#openWord(word);
    const reason = codeInWords(name, rest);
    if (reason !== undefined) this.findings.openFor(reason);
    if (writers.has(name)) {
      for (const { text, isOpen } of rest) if (!isOpen) this.findings.written.add(text);
      return;
    }
    this.#addWords(rest, readers.has(name));
  }

  #addWords(words: SimpleCommand, areFiles: boolean): void {
    for (const word of words) this.#addWord(word, areFiles);
  }

  #addWord({ text, isOpen }: ShellWord, isFile: boolean): void {
    this.addTokens(text);
    if (isOpen) return;
    const path = assignedIn(text);
    if (isPath(path) || (isFile && !/^-|[\s:]/.test(path) && path.length < 256)) this.findings.add({ use: 'operand', path });
  }

  addTokens(text: string): void {
    if (text.length > maxWord) this.findings.openFor(`${shown(text)} is longer than what is searched for paths.`);
    for (const path of tokensOf(text)) this.findings.add({ use: 'token', path });
  }

  #openVariable(name: string): void {
    this.findings.openFor(`The variable ${name} is set, which decides which code runs.`);
  }

  #openWord({ written, text }: ShellWord): void {
    const word = written === '' ? text : written;
    if (word === added.text) {
      this.findings.openFor('Words that are read from stdin are added to a command.');
      return;
    }
    const made = /[$`]|^[<>]\(/.test(word)
      ? 'is made by a variable or a command'
      : /~/.test(word)
        ? 'is the home directory of a user'
        : 'is a pattern';
    this.findings.openFor(`The word ${shown(word)} ${made}.`);
  }
}

const added: ShellWord = { text: '$_', isOpen: true, written: '$_' };

/** Returns the name of the function that a command defines with the word `function`. */
function namedFunction([first, name]: SimpleCommand): string[] {
  return first?.written === 'function' && name !== undefined && !name.isOpen ? [name.text] : [];
}

function languageOfShell(name: string): Language {
  if (/^(?:fish|csh|tcsh)$/.test(name)) return 'other';
  return /^(?:bash|zsh|ksh|mksh)$/.test(name) ? 'bash' : 'shell';
}

/** `IFS` that `read` alone uses, or that splits no path. */
function isHarmless(name: string, { text, isOpen }: ShellWord, next: ShellWord | undefined): boolean {
  return name === 'IFS' && (next?.text === 'read' || (!isOpen && /^IFS=[\s,;|]*$/.test(text)));
}

/** Returns the language of a script that a runner starts. */
function languageOf(path: string): Language | undefined {
  const ending = /\.(?:([mc]?[jt]sx?)|(py)|(?:ba)?(sh))$/.exec(path);
  return ending?.[1] !== undefined ? 'javascript' : ending?.[2] !== undefined ? 'python' : ending?.[3] !== undefined ? 'shell' : undefined;
}

/** Returns a word in a sentence, in quotes and shortened. */
function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
