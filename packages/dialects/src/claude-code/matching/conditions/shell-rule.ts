import { compileWildcard } from '@tenterhook/patterns';
import { commandsIn, type ShellWord, type SimpleCommand } from './shell-words.js';

/** The maximum length of a command line, in characters. A longer line matches every rule. */
const maxLine = 100_000;
/** The maximum nesting of shells in a command line, such as `bash -c "bash -c …"`. A deeper line matches every rule. */
const maxShells = 5;
/**
 * The maximum number of words in all commands of a line together. After a wrapper such as `sudo`, every word may begin a command, so the
 * number can grow quadratically. A line with more words matches every rule.
 */
const maxWords = 5000;

/** Wrappers: commands that run some of their arguments as another command. */
const wrappers = new Set(
  (
    'sudo doas env command builtin exec nohup time nice ionice stdbuf setsid timeout xargs find watch parallel chroot unshare flock ' +
    'function coproc strace ltrace taskset chrt runuser pkexec busybox toybox nsenter setarch ssh-agent dbus-run-session caffeinate'
  ).split(' '),
);
/** Evaluators: commands that take a whole command line as one argument. */
const evaluators = new Set('eval trap su script watch fish ssh'.split(' '));
const keywords = new Set('! { } if then elif else fi do done while until for select case in'.split(' '));
const shells = new Set('sh bash zsh dash ksh ash csh tcsh mksh yash rbash fish'.split(' '));
/** Commands that receive further arguments from stdin or from files. */
const extenders = new Set(['xargs', 'parallel']);
const unknownWord = { text: '$_', isOpen: true };

/**
 * Compiles the pattern of a rule such as `Bash(git push *)` into a test of a command line. The test is true if any command in the line
 * matches. `*` matches any text, a final ` *` also matches no text, and a final `:*` is an older form of ` *`. A line that cannot be parsed
 * matches, and so does a command whose relevant words are in a variable: writing a command in another way must not bypass a guard.
 */
export function compileShellRule(pattern: string): (line: string) => boolean {
  const written = pattern.replace(/:\*$/, '*').trim();
  const tests = [written, written.replace(/ \*$/, '')].map((text) => compileWildcard(text));
  const literal = literalOf(written);
  const fitsText = (text: string) => tests.some((test) => test(text));
  const after = written.slice(written.indexOf(' ') + 1);
  const fitsAfter = compileWildcard(after.replace(/ \*$/, '*'));
  const fits = (words: SimpleCommand) => {
    const [first, ...rest] = words;
    // The first word is unknown, because these are the words after a wrapper. Only the words that follow can be compared.
    if (first?.isOpen) return rest.length > 0 && (fitsAfter(textOf(rest)) || mayBecome(literalOf(after), rest));
    return fitsText(textOf(words)) || mayBecome(literal, words);
  };
  return (line) => {
    if (fitsText(line.trim())) return true;
    const parts = partsOf(line, 0, { words: maxWords });
    return parts === undefined || parts.some(fits);
  };
}

/**
 * Returns every command that the line runs, including those after wrappers. Returns undefined if that cannot be determined, or if the
 * commands have more words than `left` allows.
 */
function partsOf(line: string, depth: number, left: { words: number }): SimpleCommand[] | undefined {
  if (line.length > maxLine || depth > maxShells) return undefined;
  const commands = commandsIn(line);
  if (commands === undefined) return undefined;
  const parts: SimpleCommand[] = [];
  const add = (part: SimpleCommand) => {
    left.words -= part.length;
    parts.push(part);
  };
  for (const command of commands) {
    const words = withoutPrefix(command);
    const [first] = words;
    if (first === undefined) continue;
    // The name of the command is in a variable, so what runs is unknown.
    if (first.isOpen) return undefined;
    const name = baseName(first.text);
    const bare = extenders.has(name) ? [...words, unknownWord] : words;
    add(bare);
    if (name !== first.text) add([{ text: name, isOpen: false }, ...bare.slice(1)]);
    for (let index = 1; wrappers.has(name) && index < bare.length && left.words >= 0; index += 1) add(bare.slice(index));
    if (left.words < 0 || runsUnknownScript(name, bare)) return undefined;
    for (const text of innerLines(name, bare)) {
      const nested = partsOf(text, depth + 1, left);
      if (nested === undefined) return undefined;
      for (const part of nested) parts.push(part);
    }
  }
  return parts;
}

/**
 * Tests whether a shell, perhaps after a wrapper, reads its commands from stdin, a device or a file whose name is unknown, or takes its
 * options from a variable. What it runs is then unknown.
 */
function runsUnknownScript(name: string, words: SimpleCommand): boolean {
  if (name === '.' || name === 'source') return words[1]?.text === unknownWord.text;
  const at = wrappers.has(name) ? words.findIndex(({ text }) => shells.has(baseName(text))) : shells.has(name) ? 0 : -1;
  if (at === -1) return false;
  const rest = words.slice(at + 1);
  if (rest.some(({ text, isOpen }) => isOpen && !/[./]/.test(text))) return true;
  const texts = rest.map(({ text }) => text);
  if (texts.some((text) => /^-\w*c/.test(text))) return false;
  const script = texts.find((text) => !/^[-+]/.test(text));
  return script === undefined || script.startsWith('/dev/') || texts.some((text) => /^[-+]\w*[soO]/.test(text));
}

/**
 * Returns the words of a command that may themselves be command lines: every word of a shell, and the words with a blank of wrappers and
 * evaluators.
 */
function innerLines(name: string, words: SimpleCommand): string[] {
  const rest = words.slice(1).map(({ text }) => text);
  if (name === 'eval') return [rest.join(' ')];
  if (shells.has(name)) {
    if (!rest.some((text) => /^-\w*c/.test(text))) return [];
    return rest.flatMap((text) => (text.startsWith('-') ? (/^-\w*?c(.*\s.*)$/s.exec(text)?.slice(1) ?? []) : [text]));
  }
  return wrappers.has(name) || evaluators.has(name) ? rest.filter((text) => /[\s;|&]/.test(text)) : [];
}

/** Removes shell keywords such as `if`, and assignments before the command such as `NAME=value`. */
function withoutPrefix(words: SimpleCommand): SimpleCommand {
  const start = words.findIndex(({ text }) => !keywords.has(text) && !/^\w+\+?=/.test(text));
  return start === -1 ? [] : words.slice(start);
}

/** Tests whether the words could expand to the literal text with which a rule begins. */
function mayBecome(literal: string, words: SimpleCommand): boolean {
  const open = words.findIndex(({ isOpen }) => isOpen);
  if (open === -1) return false;
  const known = textOf(words.slice(0, open));
  return literal.startsWith(`${known} `) || known.startsWith(literal);
}

function literalOf(pattern: string): string {
  const star = pattern.indexOf('*');
  return star === -1 ? pattern : pattern.slice(0, star);
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

function baseName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}
