import type { HookDefinition } from '@tenterhook/protocol';
import { maskSecrets, maskText } from '@tenterhook/runtime/log';

/** The maximum number of characters of a text in an attribute that is not content. */
export const longestText = 256;

/** A path, or an option of a command. A slash alone is neither. */
const commandWord = /^-{1,2}\w|[^/\\\s][/\\]|[/\\][^/\\\s]/;

/** A variable before a command. Its value may be a secret with slashes in it. */
const assignment = /^\w+=/;
const address = /^[a-z][\w+.-]*:\/\//i;

/**
 * Returns the name of a hook for spans and metrics. Some settings use a path, a command or an address as the name, which may contain arguments,
 * secrets and the name of the user. Of such a name only the program, the script behind an interpreter, or the host is shown. Arguments are
 * never shown, because a value may look like a path.
 */
export function shownName(name: string): string {
  const masked = maskText(name);
  const words = masked.trim().split(/\s+/);
  const shown = words.some((word) => commandWord.test(word)) ? programOf(words) : masked;
  return shown.slice(0, longestText);
}

function programOf(words: readonly string[]): string {
  const at = words.findIndex((word) => !assignment.test(word));
  if (at < 0) return words[0]?.split('=')[0] ?? '';
  const [program = '', next = ''] = words.slice(at);
  if (address.test(program)) return URL.canParse(program) ? new URL(program).hostname : program.slice(0, program.indexOf(':'));
  const isScript = /[/\\]/.test(next) && !/^-|=|:\/\//.test(next);
  const file = /[/\\]/.test(program) || !isScript ? program : next;
  return file.split(/[/\\]/).findLast((part) => part !== '') ?? file;
}

/** Returns a text that a model or another process has chosen, such as the name of a tool. */
export function shownText(text: string): string {
  return String(maskSecrets(text)).slice(0, longestText);
}

/** The names of a hook as spans, metrics and logs show them. */
export interface ShownHook {
  readonly id: string;
  /** Undefined if the hook has no name. */
  readonly name: string | undefined;
}

/** A definition does not change, and masking a name takes longer than starting a span. */
const known = new WeakMap<HookDefinition, ShownHook>();

export function shownHook(hook: HookDefinition): ShownHook {
  let shown = known.get(hook);
  if (shown === undefined) {
    shown = { id: shownId(hook.id), name: hook.name === undefined ? undefined : shownName(hook.name) };
    known.set(hook, shown);
  }
  return shown;
}

/**
 * Returns the id of a hook, `<dialect>/<source>/<event>/<last>`, with the name that is shown. A number after the name tells hooks with the same
 * name apart, and stays.
 */
export function shownId(id: string): string {
  const end = id.lastIndexOf('/') + 1;
  const [, last = '', number = ''] = /^(.*?)(~\d+)?$/s.exec(id.slice(end)) ?? [];
  return `${maskText(id.slice(0, end))}${shownName(last.replaceAll('%2F', '/'))}${number}`.slice(0, longestText);
}
