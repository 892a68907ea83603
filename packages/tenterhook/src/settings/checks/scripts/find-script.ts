import type { Invocation } from '@tenterhook/protocol';
import { firstCommand, type ShellWord } from './shell-words.js';

/** The script that a command starts. */
export interface StartedScript {
  /** The path that the starting program receives. */
  readonly path: string;
  /** The text of the path in the command. */
  readonly written: string;
  /** The name or path of the interpreter that reads the script. Undefined if the script itself is executed. */
  readonly reader?: string;
  /** The words after the path. If a path contains a blank and has no quotes, the shell splits it, and its second half is here. */
  readonly rest: readonly string[];
}

type Command = Extract<Invocation, { kind: 'command' }>['command'];

/**
 * An interpreter. Its first argument after the options is a script. Only known options are listed. After any other option it is uncertain
 * which word is the script.
 */
interface Reader {
  readonly name: RegExp;
  readonly plainOption: RegExp;
  /** Options that take the next word as their argument. */
  readonly withArgument?: RegExp;
}

const readers: readonly Reader[] = [
  {
    name: /^(?:ba|da|z|k)?sh$/,
    plainOption: /^[-+](?:[abefhlnpuvx]+|-(?:login|norc|noprofile|posix))$/,
    withArgument: /^[-+][aefhlnpuvx]*o$/,
  },
  { name: /^python[\d.]*$/, plainOption: /^-[bBdEIOPqsSuvx]+$/ },
  {
    name: /^node(?:js)?$/,
    plainOption: /^--(?:no-warnings|no-deprecation|enable-source-maps|experimental-strip-types|experimental-vm-modules|[\w-]+=.*)$/,
  },
  { name: /^(?:ruby|perl)$/, plainOption: /^-[wW]$/ },
];

/** The maximum number of words after a path that are considered as part of it. */
const maxRest = 8;

/**
 * Returns the script that a command starts, if this is certain without running a shell: the first simple command is a path, or a known
 * interpreter and a path. Returns undefined for a command such as `./guard.sh || true`, whose author expects that the script may be
 * missing.
 */
export function findScript(command: Command, variables: Readonly<Record<string, string>>): StartedScript | undefined {
  if (command.kind === 'program') return scriptOf([command.file, ...command.args].map((text) => ({ text, written: text, isKnown: true })));
  const { words, end } = firstCommand(command.text, variables);
  // A `(` after the first word begins the definition of a function: `name () { … }`.
  if (end === '||' || end === '(') return undefined;
  const first = words.findIndex(({ written }) => !/^[A-Za-z_]\w*\+?=/.test(written));
  if (first === -1 || words.slice(0, first).some(({ written }) => written.startsWith('PATH'))) return undefined;
  return scriptOf(words.slice(first));
}

function scriptOf(words: readonly ShellWord[]): StartedScript | undefined {
  const [program, ...others] = words;
  if (program === undefined || !program.isKnown) return undefined;
  const name = program.text.split('/').at(-1) as string;
  if (name === 'env' || program.text === 'exec')
    return others[0]?.text.startsWith('-') || isAssignment(others[0]) ? undefined : scriptOf(others);
  const reader = readers.find((candidate) => candidate.name.test(name));
  if (reader !== undefined) return scriptOfReader(program.text, others, reader);
  return isPath(program) ? { path: program.text, written: program.written, rest: textsOf(others) } : undefined;
}

function scriptOfReader(program: string, words: readonly ShellWord[], { plainOption, withArgument }: Reader): StartedScript | undefined {
  let index = 0;
  // Skips options. `-` alone means stdin, and the arguments of `-c` and `-m` are not files, so in these cases there is no script.
  for (let word = words[0]; word?.isKnown && /^[-+]/.test(word.text); word = words[index]) {
    if (withArgument?.test(word.text)) index += 2;
    else if (plainOption.test(word.text)) index += 1;
    else return undefined;
  }
  const script = words[index];
  if (script === undefined || !script.isKnown || script.text === '' || /^\/(?:dev|proc)\//.test(script.text)) return undefined;
  return { path: script.text, written: script.written, reader: program, rest: textsOf(words.slice(index + 1)) };
}

/**
 * Tests for a path. A name without a slash is a builtin, or is searched for in PATH. Backslashes separate folders only on Windows; other
 * shells remove them.
 */
function isPath({ text, written }: ShellWord): boolean {
  return text.includes('/') || isPathOfWindows(written);
}

/** Tests for a Windows path, such as `.\hooks\guard.sh` or `C:\hooks\guard.cmd`. */
export function isPathOfWindows(written: string): boolean {
  return !written.includes('/') && /^["']?(?:[A-Za-z]:|[\w.$%{}-]+)(?:\\[\w. -]+)+["']?$/.test(written);
}

function isAssignment(word: ShellWord | undefined): boolean {
  return word !== undefined && /^\w+=/.test(word.text);
}

function textsOf(words: readonly ShellWord[]): readonly string[] {
  return words.slice(0, maxRest).map(({ text }) => text);
}
