import {
  baseName,
  commandsIn,
  innerLines,
  type ShellWord,
  type SimpleCommand,
  shells,
  withoutPrefix,
  wrappers,
} from '@tenterhook/runtime/shell';

/** The maximum length of a command line, in characters, as in Claude Code. A longer line matches every rule. */
const maxLine = 10_000;
/** The maximum nesting of shells in a command line, such as `bash -c "bash -c …"`. A deeper line matches every rule. */
const maxShells = 5;
/**
 * The maximum number of characters in all commands of a line together. After a wrapper such as `sudo`, every word may begin a command, so the
 * number can grow quadratically. A line with more matches every rule.
 */
const maxParts = 100_000;

/** Commands that receive further arguments from stdin or from files. */
const extenders = new Set(['xargs', 'parallel']);
const unknownWord: ShellWord = { text: '$_', isOpen: true, written: '' };

/** A command that a line runs: its words, and these words joined to one text. */
export interface ShellPart {
  readonly words: SimpleCommand;
  readonly text: string;
}

/** A parsed command line, with which rules are compared. */
export interface ShellLine {
  readonly line: string;
  /** Every command that the line runs, including commands after wrappers. Undefined if the commands are unknown. */
  readonly parts: readonly ShellPart[] | undefined;
  /** Whether the line contains a variable, `$(…)` or backquotes. */
  readonly hasExpansion: boolean;
}

const linesByCall = new WeakMap<object, ShellLine>();

/** Parses the command line of a call, once for all rules. `call` is an object that is the same for all rules. */
export function shellLineOf(line: string, call: object): ShellLine {
  const known = linesByCall.get(call);
  // The line is compared too, because a caller may change its object and reuse it for the next event.
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

/** The commands found so far, and the number of characters that are left for further commands. */
interface Reading {
  readonly parts: ShellPart[];
  left: number;
  hasExpansion: boolean;
}

/** Adds the commands of a line. Returns false if the commands are unknown, or if they have more characters than the limit. */
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
    // The name of the command is in a variable, so what runs is unknown.
    if (first.isOpen) return false;
    const base = baseName(first.text);
    // On a file system that ignores case, `SUDO` runs sudo.
    const name = base.toLowerCase();
    const bare = extenders.has(name) ? [...words, unknownWord] : words;
    add(bare);
    if (base !== first.text) add([{ text: base, isOpen: false, written: base }, ...bare.slice(1)]);
    for (let index = 1; wrappers.has(name) && index < bare.length && reading.left >= 0; index += 1) add(bare.slice(index));
    if (reading.left < 0 || runsUnknownScript(name, bare)) return false;
    if (!innerLines(name, bare).every((text) => readParts(text, depth + 1, reading))) return false;
  }
  return true;
}

/**
 * Tests whether a shell, perhaps after a wrapper, reads its commands from stdin, a device or a file whose name is unknown, or takes its
 * options from a variable. If so, it is unknown what the shell runs.
 */
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

/** Joins the words of a command with blanks. */
export function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}
