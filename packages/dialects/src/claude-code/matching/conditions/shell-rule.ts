import { compileWildcard } from '@tenterhook/patterns';
import { commandsIn, type ShellWord, type SimpleCommand } from './shell-words.js';

/** The most characters of a command line that are read; a longer one matches every rule. */
const maxLine = 100_000;
/** The deepest nesting of shells that the words of a command start: `bash -c "bash -c …"`. */
const maxShells = 5;
/** The most words of all parts together: every word after a wrapper begins a part. A line with more words matches every rule. */
const maxWords = 5000;

/** Commands that run other words of theirs as a command. */
const wrappers = new Set(
  (
    'sudo doas env command builtin exec nohup time nice ionice stdbuf setsid timeout xargs find watch parallel chroot unshare flock ' +
    'function coproc strace ltrace taskset chrt runuser pkexec busybox toybox nsenter setarch ssh-agent dbus-run-session caffeinate'
  ).split(' '),
);
/** Commands that take a command line as one word. */
const evaluators = new Set('eval trap su script watch fish ssh'.split(' '));
const keywords = new Set('! { } if then elif else fi do done while until for select case in'.split(' '));
const shells = new Set('sh bash zsh dash ksh ash csh tcsh mksh yash rbash fish'.split(' '));
/** Commands that get further words from elsewhere. */
const extenders = new Set(['xargs', 'parallel']);
const unknownWord = { text: '$_', isOpen: true };

/**
 * Whether any part of a command line matches the pattern of a rule such as `Bash(git push *)`: `*` matches anything, a final ` *` matches
 * nothing as well, and a final `:*` is an older form of that. A line that cannot be parsed matches, and so does a part whose relevant words
 * are in a variable: another way of writing a command must not bypass a guard.
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
    // A part after a wrapper: its command is unknown, its words are not.
    if (first?.isOpen) return rest.length > 0 && (fitsAfter(textOf(rest)) || mayBecome(literalOf(after), rest));
    return fitsText(textOf(words)) || mayBecome(literal, words);
  };
  return (line) => {
    if (fitsText(line.trim())) return true;
    const parts = partsOf(line, 0, { words: maxWords });
    return parts === undefined || parts.some(fits);
  };
}

/** Every command that the line runs, also those after wrappers; undefined if that is not known, or takes more words than `left` has. */
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
    // A variable holds what runs.
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

/** Whether a shell, also after a wrapper, reads its commands from elsewhere, or gets its options from a variable. */
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

/** Whether unknown words may become the text that a rule begins with. */
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
