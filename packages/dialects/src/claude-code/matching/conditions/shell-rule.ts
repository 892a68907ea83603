import { compileWildcard } from '@tenterhook/patterns';
import { baseName, commandsIn, innerLines, type ShellWord, type SimpleCommand, withoutPrefix, wrappers } from '@tenterhook/runtime/shell';

/** The maximum number of characters, as in Claude Code. A longer command line matches every rule. */
const maxLine = 10_000;
/** How deep shells may be nested in a command line, e.g. in `bash -c "bash -c …"`. A deeper line matches every rule. */
const maxShells = 5;
/**
 * The maximum length of all commands of a line together, in characters. A line above this limit matches every rule. Every word
 * after a wrapper such as `sudo` may begin a command, so without the limit the length could grow quadratically.
 */
const maxParts = 100_000;

export interface ShellLine {
  readonly line: string;
  /**
   * The text of every command in the line, including commands after wrappers such as `sudo`. Undefined if the commands are unknown.
   */
  readonly parts: readonly string[] | undefined;
  /** Whether the line contains a variable, `$(…)` or backquotes. */
  readonly hasExpansion: boolean;
}

/**
 * Compiles the pattern of a rule such as `Bash(git push *)` into a test of a command line. The rules are those of Claude Code's
 * hooks reference:
 * - The line matches if any command in it matches.
 * - `*` matches any text. A final ` *` may be left out of the command: `git push *` matches `git push`. A final `:*` is an older
 *   form of ` *`.
 * - A line whose commands are unknown matches every pattern.
 * - A line with a variable or a substitution matches every pattern that has more than the name of a command.
 *
 * A line that hides a command in another way does not match, e.g. a script that a shell reads on stdin. Otherwise a hook that
 * always denies would deny harmless commands.
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

/** Parses the command line of a call, once for all rules. `call` must be the same object for all rules. */
export function shellLineOf(line: string, call: object): ShellLine {
  const known = linesByCall.get(call);
  // The texts are compared too, because a caller may change its object and reuse it for the next event.
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

/** The commands found so far. `left` is the number of characters that further commands may have. */
interface Reading {
  readonly parts: string[];
  left: number;
  hasExpansion: boolean;
}

/** Adds the commands of a line. Returns false if the commands are unknown, or longer than the limit. */
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
    // If a variable contains the name of the command, the command is unknown. In `curl … | bash` only the script is unknown, and
    // the name of the command is `bash`. So a rule about `bash` matches this line, and a rule about `git push` does not, as in
    // Claude Code.
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

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}
