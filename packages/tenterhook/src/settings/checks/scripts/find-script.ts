import type { Invocation } from '@tenterhook/protocol';
import { firstCommand, type ShellWord } from './shell-words.js';

/** The script that a command starts. */
export interface StartedScript {
  /** The path, as the program that opens it receives it. */
  readonly path: string;
  /** As it is in the command. */
  readonly written: string;
  /** The program that reads the script, a name or a path; undefined where the script is executed itself. */
  readonly reader?: string;
  /** The words after it, for a path with a blank that is not quoted. */
  readonly rest: readonly string[];
}

type Command = Extract<Invocation, { kind: 'command' }>['command'];

/** A program whose first argument that is not an option is a script, and its options without an argument. After any other, the script is not known. */
interface Reader {
  readonly name: RegExp;
  readonly plainOption: RegExp;
  /** Options whose argument is the next word. */
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

/** The words after a path that may belong to it. */
const maxRest = 8;

/**
 * The script that a command starts, if that is certain without running a shell: the first simple command is a path, or a known interpreter with one.
 * `./guard.sh || true` expects that the script may be missing, so nothing is known of it.
 */
export function findScript(command: Command, variables: Readonly<Record<string, string>>): StartedScript | undefined {
  if (command.kind === 'program') return scriptOf([command.file, ...command.args].map((text) => ({ text, written: text, isKnown: true })));
  const { words, end } = firstCommand(command.text, variables);
  // `name () { … }` defines a function.
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
  // `-` is stdin, and the arguments of `-c` and `-m` are no files.
  for (let word = words[0]; word?.isKnown && /^[-+]/.test(word.text); word = words[index]) {
    if (withArgument?.test(word.text)) index += 2;
    else if (plainOption.test(word.text)) index += 1;
    else return undefined;
  }
  const script = words[index];
  if (script === undefined || !script.isKnown || script.text === '' || /^\/(?:dev|proc)\//.test(script.text)) return undefined;
  return { path: script.text, written: script.written, reader: program, rest: textsOf(words.slice(index + 1)) };
}

/** A name without a slash is looked up in PATH, and may be a builtin. Backslashes are those of Windows, which a shell removes. */
function isPath({ text, written }: ShellWord): boolean {
  return text.includes('/') || isPathOfWindows(written);
}

/** `.\hooks\guard.sh`, `C:\hooks\guard.cmd`. */
export function isPathOfWindows(written: string): boolean {
  return !written.includes('/') && /^["']?(?:[A-Za-z]:|[\w.$%{}-]+)(?:\\[\w. -]+)+["']?$/.test(written);
}

function isAssignment(word: ShellWord | undefined): boolean {
  return word !== undefined && /^\w+=/.test(word.text);
}

function textsOf(words: readonly ShellWord[]): readonly string[] {
  return words.slice(0, maxRest).map(({ text }) => text);
}
