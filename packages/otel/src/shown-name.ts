import type { HookDefinition } from '@tenterhook/protocol';
import { maskShort, maskText } from '@tenterhook/runtime/log';

/** The maximum number of characters of a text in an attribute that is not content. */
export const longestText = 256;

/** A path, or an option of a command. A slash alone is neither. */
const commandWord = /^-{1,2}\w|[^/\\\s][/\\]|[/\\][^/\\\s]/;

/** A variable before a command. Its value may be a secret with slashes in it. */
const assignment = /^\w+=/;
const address = /^[a-z][\w+.-]*:\/\//i;

/** Programs whose first argument is a script. The first argument of any other program may be anything, such as a key with slashes. */
const interpreter = /^(?:node|nodejs|deno|bun|tsx|python[\d.]*|ruby|perl|php|lua|pwsh|powershell|sh|bash|zsh|dash|ksh|fish)(?:\.exe)?$/i;

/** A word ends at a space, or at the end of what is in quotes. */
const word = /(?:"[^"]*"?|'[^']*'?|[^\s"'])+/g;

/**
 * Returns the name of a hook for spans and metrics. Some settings use a path, a command or an address as the name, which may contain arguments,
 * secrets and the name of the user. Of such a name only the program, the script behind an interpreter, or the host is shown. Arguments are
 * never shown, because a value may look like a path.
 */
export function shownName(name: string): string {
  const masked = maskText(name);
  const words = masked.match(word) ?? [];
  const isCommand = assignment.test(words[0] ?? '') || masked.split(/\s+/).some((part) => commandWord.test(part));
  return (isCommand ? programOf(words) : masked).slice(0, longestText);
}

function programOf(words: readonly string[]): string {
  const at = words.findIndex((one) => !assignment.test(one));
  if (at < 0) return words[0]?.split('=')[0] ?? '';
  const [program = '', next = ''] = words.slice(at, at + 2).map((one) => one.replace(/["']/g, ''));
  if (address.test(program)) return hostOf(program);
  const isScript = interpreter.test(program) && /[/\\]/.test(next) && !/^-|=|:\/\//.test(next);
  const file = isScript ? next : program;
  return file.split(/[/\\]/).findLast((part) => part !== '') ?? file;
}

/** Returns the scheme of an address without a host, such as that of a file. */
function hostOf(text: string): string {
  const host = URL.canParse(text) ? new URL(text).hostname : '';
  return host === '' ? text.slice(0, text.indexOf(':')) : host;
}

/** Masking takes longer than a span, and most ids have this form, in which no secret is recognised. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns a text that a model or another process has chosen, such as the name of a tool or the id of a session. */
export function shownText(text: string): string {
  return uuid.test(text) ? text : maskShort(text, longestText);
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
