import type { HookDefinition } from '@tenterhook/protocol';
import { maskText } from '@tenterhook/runtime/log';

/** The maximum number of characters of a text in an attribute that is not content. */
export const longestText = 256;

/** A path, or an option of a command. A slash alone is neither. */
const commandWord = /^-{1,2}\w|[^/\\\s][/\\]|[/\\][^/\\\s]/;

/**
 * Returns the name of a hook for spans and metrics. Some settings use a path or a command as the name, which may contain arguments and the
 * name of the user, so of such a name only the names of its first file or program is shown.
 */
export function shownName(name: string): string {
  const words = name.trim().split(/\s+/);
  if (!words.some((word) => commandWord.test(word))) return maskText(name).slice(0, longestText);
  const file = words.find((word) => /[/\\]/.test(word)) ?? words[0] ?? name;
  const last = file.split(/[/\\]/).findLast((part) => part !== '') ?? file;
  return maskText(last).slice(0, longestText);
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
