import type { ShellWord, SimpleCommand } from '@tenterhook/runtime/shell';

/** Options of a wrapper that do not change which of its words begins the command. */
interface WrapperOptions {
  readonly plain?: RegExp;
  /** Options that are followed by an argument. */
  readonly withArgument?: RegExp;
}

const none: WrapperOptions = {};

/**
 * Wrappers whose command begins with the first word that is not an option. For a wrapper that is not listed, this word may be a file, a
 * number or a user.
 */
const known = new Map<string, WrapperOptions>([
  ['env', { plain: /^(?:-[i0v]*|--(?:ignore-environment|null|debug)|-u.+|--unset=.*)$/, withArgument: /^(?:-u|--unset)$/ }],
  ['sudo', { plain: /^-[nEHSkb]+$/, withArgument: /^-[ugp]$/ }],
  ['doas', { plain: /^-[nL]+$/, withArgument: /^-u$/ }],
  ['command', { plain: /^-p$/ }],
  ['builtin', none],
  ['noglob', none],
  ['nocorrect', none],
  ['nohup', none],
  ['exec', { plain: /^-[cl]+$/, withArgument: /^-[cl]*a$/ }],
  ['time', { plain: /^-p$/ }],
  ['nice', { plain: /^(?:-n?-?\d+|--adjustment=-?\d+)$/, withArgument: /^(?:-n|--adjustment)$/ }],
  ['ionice', { plain: /^(?:-t|-[cn]\d)$/, withArgument: /^-[cn]$/ }],
  ['stdbuf', { plain: /^(?:-[ioe].+|--(?:input|output|error)=.*)$/, withArgument: /^-[ioe]$/ }],
  ['setsid', { plain: /^(?:-[cfw]+|--(?:ctty|fork|wait))$/ }],
  [
    'timeout',
    {
      plain: /^(?:-[vfp]|-[ks].+|--(?:foreground|preserve-status|verbose|kill-after=.*|signal=.*))$/,
      withArgument: /^(?:-[ks]|--(?:kill-after|signal))$/,
    },
  ],
  [
    'xargs',
    {
      plain:
        /^(?:-[0rtxo]+|-[nPLIdasEi].+|-i|--(?:null|no-run-if-empty|verbose|exit|replace|(?:replace|max-args|max-procs|max-lines|delimiter|arg-file|max-chars)=.*))$/,
      withArgument: /^(?:-0?[nPLIdasE]|--(?:max-args|max-procs|delimiter|arg-file|max-chars))$/,
    },
  ],
  ['caffeinate', { plain: /^-[dimsu]+$/, withArgument: /^-[tw]$/ }],
  ['busybox', none],
  ['toybox', none],
  ['dbus-run-session', none],
]);

/** Returns the index of the word with which the command of a wrapper begins. Undefined if that is unknown. */
export function commandAt(name: string, rest: SimpleCommand): number | undefined {
  const options = known.get(name);
  if (options === undefined) return undefined;
  for (let at = 0; at < rest.length; at += 1) {
    const { text, isOpen, written } = rest[at] as ShellWord;
    if (text === '--') return at + 1;
    const isAssignment = /^["']?[A-Za-z_]\w*=/.test(written);
    const isNumber = name === 'timeout' && /^\d+(?:\.\d+)?[smhd]?$/.test(text);
    if (isAssignment || isNumber) continue;
    if (isOpen) return undefined;
    if (options.withArgument?.test(text)) at += 1;
    else if (/^-/.test(text) && !options.plain?.test(text)) return undefined;
    else if (!/^-/.test(text)) return at;
  }
  return rest.length;
}

/** Wrappers whose first word is not a command. */
const otherFirst = /^(?:flock|chroot|taskset|chrt|setarch|runuser|coproc|ssh|su|parallel)$/;

/**
 * Tests whether the command of a wrapper certainly begins with the first word that is not an option. False for the wrappers in `known`,
 * whose options may take this word as their argument.
 */
export function beginsWithCommand(name: string): boolean {
  return !otherFirst.test(name) && !known.has(name);
}

/** Returns the command of `xargs` with the words that `xargs` takes from stdin. They are added at the end, or replace a text (`-I`). */
export function withStdinWords(options: SimpleCommand, command: SimpleCommand, added: ShellWord): SimpleCommand {
  const texts = options.map(({ text }) => text);
  const at = texts.findIndex((text) => /^(?:-0?[rtx]*[Ii]|--replace)/.test(text));
  if (at === -1) return [...command, added];
  const option = texts[at] as string;
  const attached = /^(?:-0?[rtx]*[Ii]|--replace=?)(.*)$/s.exec(option)?.[1] ?? '';
  const replaced = attached !== '' ? attached : option.endsWith('I') ? (texts[at + 1] ?? '{}') : '{}';
  return [...command.map((word) => (word.text.includes(replaced) ? { ...word, isOpen: true } : word)), added];
}

/** Marks words with `{}` as unknown, because `{}` means a file that `find` or another program finds. */
export function withPlaces(command: SimpleCommand): SimpleCommand {
  return command.map((word) => (word.text.includes('{}') ? { ...word, isOpen: true } : word));
}
