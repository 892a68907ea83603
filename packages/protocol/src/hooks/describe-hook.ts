import { quote, shownUrl } from '@tenterhook/runtime/text';
import type { Diagnostic } from './diagnostic.js';
import type { HookAction, HookDefinition } from './hook-definition.js';

/** The maximum number of characters of a command in a sentence. */
const maxLabel = 80;

/** What a hook runs, for display. Only the field for its kind of action is set. */
export interface ShownAction {
  /** The command, with its arguments. For a program that runs without a shell, the arguments are quoted as for a shell. */
  readonly command?: string;
  /** The URL of the request, without credentials and query. */
  readonly url?: string;
  /** The type of a hook that only the host can run. */
  readonly type?: string;
}

/** Describes what a hook runs. Returns an empty object for an invalid hook and for a function. */
export function shownAction(action: HookAction): ShownAction {
  switch (action.kind) {
    case 'command':
      return action.command === '' ? {} : { command: [action.command, ...(action.args ?? []).map(quoted)].join(' ') };
    case 'http':
      return { url: shownUrl(action.url) };
    case 'host':
      return { type: action.type };
    default:
      return {};
  }
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** Returns the name of a hook, or else what it runs, shortened. */
export function hookLabel(hook: HookDefinition): string {
  const { command, url } = shownAction(hook.action);
  const label = hook.name ?? command ?? url ?? hook.id;
  return label.length > maxLabel ? `${label.slice(0, maxLabel - 1)}…` : label;
}

/** Returns the words for a hook in a sentence, e.g. `BeforeTool hook "guard"`. */
export function describeHook(hook: HookDefinition): string {
  return `${hook.eventName} hook ${quote(hookLabel(hook))}`;
}

export function placeOfHook({ id, dialect, source, eventName, file, line, column, path }: HookDefinition): Partial<Diagnostic> {
  return {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(path === undefined ? {} : { path }),
    dialect,
    source,
    eventName,
    hookId: id,
  };
}
