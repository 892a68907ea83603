import type { Dialect, DialectContext, HookDefinition, SettingsLocation } from '@tenterhook/protocol';
import { type ContractDifference, contractDifferences, contractLosses } from './contract.js';
import type { HookMigration } from './formats/hook-migration.js';
import type { HookLoss, PortableHook } from './portable/portable-hook.js';
import { type HooksByEvent, type SourceHook, sourceHooks } from './source-hooks.js';
import { type PlacedHook, placeHooks } from './target/place-hooks.js';
import { type FileToPlan, type PlannedFile, planFiles } from './target/plan-file.js';
import { readTarget, type SettingsReader, targetPlaces } from './target/target-file.js';

/** A dialect whose hooks can be migrated, and how. */
export interface MigratingDialect {
  readonly dialect: Dialect;
  readonly migration: HookMigration;
}

/** What becomes of one hook. */
export interface MigratedHook {
  /** Where it is: two places if one hook of the target does what two did. */
  readonly definitions: readonly [HookDefinition, ...HookDefinition[]];
  /** `present`: the target has it already. */
  readonly state: 'converts' | 'loses' | 'cannot' | 'present';
  readonly losses: readonly HookLoss[];
  /** Why it cannot. */
  readonly reason?: string;
  /** Why it does not run where it is, and would run in the target. */
  readonly off?: string;
  /** The file that it goes to, or is in. */
  readonly file?: string;
  /** Where it will stand. */
  readonly paths: readonly string[];
  /** Hooks of that file that do the same. */
  readonly there: readonly HookDefinition[];
  /** In what those guard less than this one does; also among the losses. */
  readonly weaker: readonly HookLoss[];
}

/** All that a migration would do; nothing is done yet. */
export interface MigrationPlan {
  readonly from: HookMigration;
  readonly to: HookMigration;
  readonly hooks: readonly MigratedHook[];
  readonly files: readonly PlannedFile[];
  /** What scripts have to change; empty where no hook is added. */
  readonly differences: readonly ContractDifference[];
}

type Portable = SourceHook & { readonly portable: PortableHook };

/**
 * Says of every hook of a dialect what would become of it in another's settings, and what those would be. Writes nothing. The dialects must not
 * throw: a caller that lets others hand in dialects has to contain them.
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

/** In the home directory, the project's file and the user's are one, and its hooks are there twice; a file may also be named twice. */
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

/** What is off only by other settings than its own is known when the files are. */
function withAsleep(placed: PlacedHook, asleep: ReadonlyMap<string, string>): PlacedHook {
  if ('cannot' in placed) return placed;
  const reasons = placed.there.flatMap(({ id, skip }) => (skip === undefined ? (asleep.get(id) ?? []) : []));
  const losses = [...new Set(reasons)].map((reason): HookLoss => ({ field: 'action', message: `it does not run there: ${reason}` }));
  return { ...placed, weaker: [...losses, ...placed.weaker] };
}

function outcomeOf(source: Portable, placed: PlacedHook, file: string, from: HookMigration, to: HookMigration): MigratedHook {
  if ('cannot' in placed) return unmovable(source, placed.cannot);
  const { definitions, portable, off } = source;
  const { paths, there, weaker } = placed;
  const losses = [
    ...weaker.map(({ field, message }) => ({ field, message: `It is there, but ${message}` })),
    ...portable.losses,
    ...placed.losses,
    ...contractLosses(portable, from, to),
  ];
  const state = paths.length === 0 ? 'present' : losses.length > 0 ? 'loses' : 'converts';
  return { definitions, state, losses, file, paths, there, weaker, ...(off === undefined ? {} : { off }) };
}
