import { commandsIn, type ShellWord, type SimpleCommand } from './shell-words.js';

/** The most characters of a command line that are read, as in Claude Code. */
const maxLine = 10_000;
/** The deepest nesting of shells that the words of a command start: `bash -c "bash -c …"`. */
const maxShells = 5;
/** The most characters of all parts together: every word after a wrapper begins a part. A line with more is not known. */
const maxParts = 100_000;

/** Commands that run other words of theirs as a command. */
const wrappers = new Set(
  (
    'sudo doas env command builtin exec noglob nocorrect nohup time nice ionice stdbuf setsid timeout xargs find watch parallel chroot ' +
    'unshare flock function coproc strace ltrace taskset chrt runuser pkexec busybox toybox nsenter setarch ssh-agent dbus-run-session ' +
    'caffeinate'
  ).split(' '),
);
/** Commands that take a command line as one word. */
const evaluators = new Set('eval trap su script watch fish ssh'.split(' '));
const keywords = new Set('! { } if then elif else fi do done while until for select case in'.split(' '));
const shells = new Set('sh bash zsh dash ksh ash csh tcsh mksh yash rbash fish'.split(' '));
/** Commands that get further words from elsewhere. */
const extenders = new Set(['xargs', 'parallel']);
const unknownWord = { text: '$_', isOpen: true };

/** A command that a line runs: its words, and the same as one text. */
export interface ShellPart {
  readonly words: SimpleCommand;
  readonly text: string;
}

/** A command line as rules are compared with it. */
export interface ShellLine {
  readonly line: string;
  /** Every command that the line runs, also those after wrappers; undefined if that is not known. */
  readonly parts: readonly ShellPart[] | undefined;
  /** Whether a variable, `$(…)` or backquotes are anywhere in it. */
  readonly hasExpansion: boolean;
}

const linesByCall = new WeakMap<object, ShellLine>();

/** The command line of a call, read once for all rules. `call` is any object that is the same for all of them. */
export function shellLineOf(line: string, call: object): ShellLine {
  const known = linesByCall.get(call);
  // A caller may change its object after an event. The line is what counts.
  if (known?.line === line) return known;
  const read = readLine(line);
  linesByCall.set(call, read);
  return read;
}

function readLine(line: string): ShellLine {
  const reading: Reading = { parts: [], left: maxParts, hasExpansion: false };
  const isKnown = line.length <= maxLine && readParts(line, 0, reading);
  return { line, parts: isKnown ? reading.parts : undefined, hasExpansion: reading.hasExpansion };
}

/** What was found so far, and the characters that are left for it. */
interface Reading {
  readonly parts: ShellPart[];
  left: number;
  hasExpansion: boolean;
}

/** Adds the commands of a line. False if they are not known, or are more than there is room for. */
function readParts(line: string, depth: number, reading: Reading): boolean {
  const read = depth > maxShells ? undefined : commandsIn(line);
  if (read === undefined) return false;
  reading.hasExpansion ||= read.hasExpansion;
  const add = (words: SimpleCommand) => {
    const text = textOf(words);
    reading.left -= text.length;
    reading.parts.push({ words, text });
  };
  for (const command of read.commands) {
    const words = withoutPrefix(command);
    const [first] = words;
    if (first === undefined) continue;
    // A variable holds what runs.
    if (first.isOpen) return false;
    const base = baseName(first.text);
    // A file system may ignore case, and then `SUDO` is sudo.
    const name = base.toLowerCase();
    const bare = extenders.has(name) ? [...words, unknownWord] : words;
    add(bare);
    if (base !== first.text) add([{ text: base, isOpen: false }, ...bare.slice(1)]);
    for (let index = 1; wrappers.has(name) && index < bare.length && reading.left >= 0; index += 1) add(bare.slice(index));
    if (reading.left < 0 || runsUnknownScript(name, bare)) return false;
    if (!innerLines(name, bare).every((text) => readParts(text, depth + 1, reading))) return false;
  }
  return true;
}

/** Whether a shell, also after a wrapper, reads its commands from elsewhere, or gets its options from a variable. */
function runsUnknownScript(name: string, words: SimpleCommand): boolean {
  if (name === '.' || name === 'source') return words[1]?.text === unknownWord.text;
  const at = wrappers.has(name) ? words.findIndex(({ text }) => shells.has(baseName(text).toLowerCase())) : shells.has(name) ? 0 : -1;
  if (at === -1) return false;
  const rest = words.slice(at + 1);
  if (rest.some(({ text, isOpen }) => isOpen && !/[./]/.test(text))) return true;
  const texts = rest.map(({ text }) => text);
  if (texts.some((text) => /^-\w*c/.test(text))) return false;
  const script = texts.find((text) => !/^[-+]/.test(text));
  return script === undefined || script.startsWith('/dev/') || texts.some((text) => /^[-+]\w*[soO]/.test(text));
}

/** Words of a command that may be command lines: any word of a shell, and words with a blank of wrappers and evaluators. */
function innerLines(name: string, words: SimpleCommand): string[] {
  const rest = words.slice(1).map(({ text }) => text);
  if (name === 'eval') return [rest.join(' ')];
  if (shells.has(name)) {
    if (!rest.some((text) => /^-\w*c/.test(text))) return [];
    return rest.flatMap((text) => (text.startsWith('-') ? (/^-\w*?c(.*\s.*)$/s.exec(text)?.slice(1) ?? []) : [text]));
  }
  return wrappers.has(name) || evaluators.has(name) ? rest.filter((text) => /[\s;|&]/.test(text)) : [];
}

/** Without keywords of the shell and variables that are set for the one command. */
function withoutPrefix(words: SimpleCommand): SimpleCommand {
  const start = words.findIndex(({ text }) => !keywords.has(text) && !/^\w+\+?=/.test(text));
  return start === -1 ? [] : words.slice(start);
}

/** The words of a command as one text, with a blank between them. */
export function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

function baseName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}
