import type { MigratedHook, MigrationPlan } from '@tenterhook/migrate';
import type { HookDefinition } from '@tenterhook/protocol';
import { type FileOutcome, problemOf } from './migration-report.js';

/** A migration as `--json` prints it. */
export function migrationDocument({ hooks, differences }: MigrationPlan, files: readonly FileOutcome[]): object {
  return { hooks: hooks.map(hookDocument), files: files.map(fileDocument), differences };
}

function hookDocument({ definitions, state, losses, reason, off, file, paths, there }: MigratedHook): object {
  const [{ id, name, dialectEvent, eventName, source, file: from, line }, ...others] = definitions;
  return withGiven({
    hookId: id,
    // Two hooks may become one.
    with: others.length === 0 ? undefined : others.map((hook) => hook.id),
    name,
    eventName,
    dialectEvent,
    source,
    file: from,
    line,
    state,
    losses,
    reason,
    off,
    target: file === undefined ? undefined : { file, paths, there: there.map(placeOf) },
  });
}

function fileDocument(planned: FileOutcome): object {
  const { file, source, added, hookCount, notes } = planned.file;
  const problem = problemOf(planned);
  const state = hookCount === 0 ? 'unchanged' : problem === undefined ? planned.outcome.state : 'failed';
  return withGiven({ file, source, state, problem, hookCount, added, notes });
}

function placeOf({ id: hookId, line }: HookDefinition): object {
  return withGiven({ hookId, line });
}

function withGiven(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
