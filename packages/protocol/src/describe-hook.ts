import type { Diagnostic } from './diagnostic.js';
import type { HookDefinition } from './hook-definition.js';

/** The most characters of a command that a sentence shows. */
const maxLabel = 80;

/** What people call a hook: its name, else what it runs, bounded. */
export function hookLabel(hook: HookDefinition): string {
  const label = hook.name ?? (hook.action.kind === 'command' && hook.action.command !== '' ? hook.action.command : hook.id);
  return label.length > maxLabel ? `${label.slice(0, maxLabel - 1)}…` : label;
}

/** A hook in a sentence: `BeforeTool hook "guard"`. */
export function describeHook(hook: HookDefinition): string {
  return `${hook.eventName} hook "${hookLabel(hook)}"`;
}

/** Which hook a diagnostic is about, and where it stands. */
export function placeOfHook({ id, dialect, source, eventName, file, line }: HookDefinition): Partial<Diagnostic> {
  return {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    dialect,
    source,
    eventName,
    hookId: id,
  };
}
