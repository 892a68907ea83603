import { compileWildcard } from '@tenterhook/patterns';
import { baseName, commandsIn, innerLines, type ShellWord, type SimpleCommand, withoutPrefix, wrappers } from '@tenterhook/runtime/shell';

/** The maximum length of a command line, in characters, as in Claude Code. A longer line matches every rule. */
const maxLine = 10_000;
/** The maximum nesting of shells in a command line, such as `bash -c "bash -c …"`. A deeper line matches every rule. */
const maxShells = 5;
/**
 * The maximum number of characters in all commands of a line together. A line with more matches every rule. The limit is needed because
 * every word after a wrapper such as `sudo` may begin a command: the number can grow quadratically.
 */
const maxParts = 100_000;

/** A parsed command line, with which rules are compared. */
export interface ShellLine {
  readonly line: string;
  /** The text of every command in the line, including commands after wrappers such as `sudo`. Undefined if the commands are unknown. */
  readonly parts: readonly string[] | undefined;
  /** Whether the line contains a variable, `$(…)` or backquotes. */
  readonly hasExpansion: boolean;
}

/**
 * Compiles the pattern of a rule such as `Bash(git push *)` into a test of a command line. The rules are those of Claude Code's hooks
 * reference:
 * - The line matches if any command in it matches.
 * - `*` matches any text. A final ` *` may be absent: `git push *` matches `git push`. A final `:*` is an older form of ` *`.
 * - A line whose commands are unknown matches every pattern.
 * - A line with a variable or a substitution matches every pattern that has more than the name of a command.
 * Other lines that hide a command do not match, such as a script for a shell on its stdin. If they matched, a hook that always denies would
 * deny harmless commands.
 */
export function compileShellRule(pattern: string, ignoreCase: boolean): (line: ShellLine) => boolean {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const written = fold(pattern.replace(/:\*$/, ' *').trim());
  const hasWords = /\s/.test(written.replace(/\s*\*$/, ''));
  const tests = [...new Set([written, written.replace(/ \*$/, '')])].map((text) => compileWildcard(text));
  const fits = (text: string) => tests.some((test) => test(fold(text)));
  return ({ line, parts, hasExpansion }) => parts === undefined || (hasWords && hasExpansion) || fits(line.trim()) || parts.some(fits);
}

const linesByCall = new WeakMap<object, ShellLine>();

/** Parses the command line of a call, once for all rules. `call` is an object that is the same for all rules. */
export function shellLineOf(line: string, call: object): ShellLine {
  const known = linesByCall.get(call);
  // The texts are compared as well, because a caller may change its object and reuse it for the next event.
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

/** The commands found so far, and how many characters further commands may have. */
interface Reading {
  readonly parts: string[];
  left: number;
  hasExpansion: boolean;
}

/** Adds the commands of a line. Returns false in two cases: the commands are unknown, or they have more characters than the limit. */
function readParts(line: string, depth: number, reading: Reading): boolean {
  const read = depth > maxShells ? undefined : commandsIn(line, { isScript: true });
  if (read === undefined) return false;
  reading.hasExpansion ||= read.hasExpansion;
  const add = (words: SimpleCommand) => {
    const text = textOf(words);
    reading.left -= text.length;
    reading.parts.push(text);
  };
  for (const command of read.commands) {
    const words = withoutPrefix(command);
    const [first] = words;
    if (first === undefined) continue;
    // A variable contains the name of the command, so the command is unknown. In `curl … | bash` only the script is unknown. There the name
    // of the command is `bash`: a rule about `bash` matches it, and a rule about `git push` does not, as in Claude Code.
    if (first.isOpen) return false;
    const base = baseName(first.text);
    // On a file system that ignores case, `SUDO` runs sudo.
    const name = base.toLowerCase();
    add(words);
    if (base !== first.text) add([{ text: base, isOpen: false, written: base }, ...words.slice(1)]);
    for (let index = 1; wrappers.has(name) && index < words.length && reading.left >= 0; index += 1) add(words.slice(index));
    if (reading.left < 0) return false;
    if (!innerLines(name, words).every((text) => readParts(text, depth + 1, reading))) return false;
  }
  return true;
}

/** Joins the words of a command with blanks. */
function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}
