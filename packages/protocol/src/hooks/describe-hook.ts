import type { Diagnostic } from './diagnostic.js';
import type { HookAction, HookDefinition } from './hook-definition.js';

/** The most characters of a command that a sentence shows. */
const maxLabel = 80;

/** What a hook runs, as people see it. */
export interface ShownAction {
  /** With its arguments, where it is run without a shell, written as a shell would take them. */
  readonly command?: string;
  /** Where a request goes, without credentials and query. */
  readonly url?: string;
  /** Of what only the host can do. */
  readonly type?: string;
}

/** Nothing is known of what could not be read, and of a function nothing but the id of the hook. */
export function shownAction(action: HookAction): ShownAction {
  switch (action.kind) {
    case 'command':
      return action.command === '' ? {} : { command: [action.command, ...(action.args ?? []).map(quoted)].join(' ') };
    case 'http':
      return { url: withoutSecrets(action.url) };
    case 'host':
      return { type: action.type };
    default:
      return {};
  }
}

/** Credentials, and a query, which may hold a token, are for the server alone, and this is for screens, logs and models. */
function withoutSecrets(url: string): string {
  return url.replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, '$1…@').replace(/[?#].*$/s, '?…');
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** What people call a hook: its name, else what it runs, bounded. */
export function hookLabel(hook: HookDefinition): string {
  const { command, url } = shownAction(hook.action);
  const label = hook.name ?? command ?? url ?? hook.id;
  return label.length > maxLabel ? `${label.slice(0, maxLabel - 1)}…` : label;
}

/** A hook in a sentence: `BeforeTool hook "guard"`. */
export function describeHook(hook: HookDefinition): string {
  return `${hook.eventName} hook "${hookLabel(hook)}"`;
}

/** Which hook a diagnostic is about, and where it stands. */
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
