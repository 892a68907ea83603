import type { Dialect, DialectContext, HookDefinition, SettingsLocation } from '@tenterhook/protocol';
import { type ContractDifference, contractDifferences, contractLosses } from './contract.js';
import type { HookMigration } from './formats/hook-migration.js';
import type { HookLoss, PortableHook } from './portable/portable-hook.js';
import { type HooksByEvent, type SourceHook, sourceHooks } from './source-hooks.js';
import { type PlacedHook, placeHooks } from './target/place-hooks.js';
import { type FileToPlan, type PlannedFile, planFiles } from './target/plan-file.js';
import { readTarget, type SettingsReader, targetPlaces } from './target/target-file.js';

export interface MigratingDialect {
  readonly dialect: Dialect;
  readonly migration: HookMigration;
}

export interface MigratedHook {
  /** The definitions of the hook. There are two if one hook in the target does the work of both. */
  readonly definitions: readonly [HookDefinition, ...HookDefinition[]];
  /** `present` means that the target already has this hook. */
  readonly state: 'converts' | 'loses' | 'cannot' | 'present';
  readonly losses: readonly HookLoss[];
  /** Why the hook cannot be converted. */
  readonly reason?: string;
  /** Why the hook does not run in its original settings. Set only if the hook would run in the target. */
  readonly off?: string;
  /** The file to which the hook is added, or that already contains it. */
  readonly file?: string;
  /** The paths that the hook will have in `file`. */
  readonly paths: readonly string[];
  /** The hooks in `file` that already do the same. */
  readonly there: readonly HookDefinition[];
  /** Why the existing hooks in the target protect less than this hook. `losses` contains these sentences too. */
  readonly weaker: readonly HookLoss[];
}

/** Everything that a migration would do. Nothing is written yet. */
export interface MigrationPlan {
  readonly from: HookMigration;
  readonly to: HookMigration;
  readonly hooks: readonly MigratedHook[];
  readonly files: readonly PlannedFile[];
  /** What the user has to change in scripts. Empty if no hook is added. */
  readonly differences: readonly ContractDifference[];
}

type Portable = SourceHook & { readonly portable: PortableHook };

/**
 * Computes how each hook of a dialect is written in the settings of another dialect, and the new text of these settings. Writes
 * nothing. The dialects must not throw: wrap dialects of other authors.
 */
export async function planMigration(
  hooks: HooksByEvent,
  from: MigratingDialect,
  to: MigratingDialect,
  context: DialectContext,
  reader: SettingsReader,
): Promise<MigrationPlan> {
  const { projectDir, home } = context;
  const sources = readOnce(sourceHooks(hooks, from.dialect, from.migration, projectDir, home));
  const placeOf = targetPlaces(from.dialect, to.dialect, context);
  const migrated = new Map<SourceHook, MigratedHook>();
  const byFile = new Map<string, { readonly place: SettingsLocation; readonly sources: Portable[] }>();
  for (const source of sources) {
    const place = 'cannot' in source.portable ? source.portable : placeOf(source.definitions[0]);
    if ('cannot' in place) migrated.set(source, unmovable(source, place.cannot));
    else {
      const known = byFile.get(place.file) ?? { place, sources: [] };
      known.sources.push(source as Portable);
      byFile.set(place.file, known);
    }
  }
  const files: FileToPlan[] = [];
  for (const { place, sources: own } of byFile.values()) {
    const state = await readTarget(place, projectDir, reader);
    const document = state.state === 'refused' ? undefined : state.document;
    const target = { dialect: to.dialect, migration: to.migration, context, ...place, ...(document === undefined ? {} : { document }) };
    const written = placeHooks(
      own.map(({ portable }) => portable),
      target,
    );
    files.push({ target, state, ...written });
  }
  const planned = await planFiles(files, reader);
  for (const [at, { sources: own, place }] of [...byFile.values()].entries()) {
    const asleep = planned[at]?.asleep ?? new Map<string, string>();
    for (const [index, source] of own.entries()) {
      const placed = withAsleep(files[at]?.placed[index] as PlacedHook, asleep);
      migrated.set(source, outcomeOf(source, placed, place.file, from.migration, to.migration));
    }
  }
  const all = sources.map((source) => migrated.get(source) as MigratedHook);
  const moving = all.filter(({ state }) => state === 'converts' || state === 'loses');
  const events = new Set(moving.flatMap(({ definitions }) => definitions.map(({ eventName }) => eventName)));
  const differences = events.size === 0 ? [] : contractDifferences(from.migration.contract, to.migration.contract, events);
  return { from: from.migration, to: to.migration, hooks: all, files: planned, differences };
}

/**
 * Removes hooks that were found twice. This happens if the project is the home directory, because project and user then have the
 * same files. A user may also name a file twice.
 */
function readOnce(sources: readonly SourceHook[]): SourceHook[] {
  const first = new Map<string, string>();
  return sources.filter(({ definitions: [{ file, source }] }) => {
    if (file === undefined) return true;
    if (!first.has(file)) first.set(file, source);
    return first.get(file) === source;
  });
}

function unmovable({ definitions }: SourceHook, reason: string): MigratedHook {
  return { definitions, state: 'cannot', losses: [], reason, paths: [], there: [], weaker: [] };
}

/**
 * Adds a loss if other settings of the target keep the existing hook from running. This is known only after all files were planned.
 */
function withAsleep(placed: PlacedHook, asleep: ReadonlyMap<string, string>): PlacedHook {
  if ('cannot' in placed) return placed;
  const reasons = placed.there.flatMap(({ id, skip }) => (skip === undefined ? (asleep.get(id) ?? []) : []));
  const losses = [...new Set(reasons)].map(
    (reason): HookLoss => ({ field: 'action', message: `it does not run in the target: ${reason}` }),
  );
  return { ...placed, weaker: [...losses, ...placed.weaker] };
}

function outcomeOf(source: Portable, placed: PlacedHook, file: string, from: HookMigration, to: HookMigration): MigratedHook {
  if ('cannot' in placed) return unmovable(source, placed.cannot);
  const { definitions, portable, off } = source;
  const { paths, there, weaker } = placed;
  const losses = [
    ...weaker.map(({ field, message }) => ({ field, message: `The target already has this hook, but ${message}` })),
    ...portable.losses,
    ...placed.losses,
    ...contractLosses(portable, from, to),
  ];
  const state = paths.length === 0 ? 'present' : losses.length > 0 ? 'loses' : 'converts';
  return { definitions, state, losses, file, paths, there, weaker, ...(off === undefined ? {} : { off }) };
}
