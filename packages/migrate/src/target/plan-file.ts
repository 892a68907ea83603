import type { CombinedSettings, Dialect, DialectContext, ParsedSettings, SettingsDocument, SettingsLocation } from '@tenterhook/protocol';
import { hookLabel } from '@tenterhook/protocol/internal';
import { pathText } from '@tenterhook/runtime/json';
import type { HookSwitch } from '../formats/hook-migration.js';
import { insertJson, type JsonObject } from './insert-json.js';
import type { PlacedHook, Target } from './place-hooks.js';
import { type SettingsToAdd, valueAt } from './settings-to-add.js';
import type { SettingsReader, TargetFile } from './target-file.js';

export interface PlannedFile extends SettingsLocation {
  /** Everything that is added to the file, as one object. Empty if nothing is added. */
  readonly added: JsonObject;
  readonly hookCount: number;
  /** Notes for the user about switches and lists of disabled hooks. */
  readonly notes: readonly string[];
  /** The existing hooks that would not run: id and reason. */
  readonly asleep: ReadonlyMap<string, string>;
  /** Why the file is not changed. */
  readonly problem?: string;
  /** The new text of the file. Missing if there is a problem or nothing to write. */
  readonly change?: { readonly realFile: string; readonly before: string | undefined; readonly text: string };
}

export interface FileToPlan {
  readonly target: Target;
  readonly state: TargetFile;
  readonly placed: readonly PlacedHook[];
  readonly toAdd: SettingsToAdd;
}

export async function planFiles(files: readonly FileToPlan[], reader: SettingsReader): Promise<PlannedFile[]> {
  const changed = new Map<string, SettingsDocument>();
  for (const { target, state, toAdd } of files) {
    const document = toAdd.isEmpty || state.state === 'refused' ? undefined : documentWith(state.text, toAdd, target, reader);
    if (document !== undefined) changed.set(target.file, document);
  }
  const planned: PlannedFile[] = [];
  for (const file of files) planned.push(await planFile(file, changed, reader));
  return planned;
}

async function planFile(
  { target, state, placed, toAdd }: FileToPlan,
  changed: ReadonlyMap<string, SettingsDocument>,
  reader: SettingsReader,
): Promise<PlannedFile> {
  const { file, source } = target;
  const hookCount = placed.reduce((sum, hook) => sum + ('cannot' in hook ? 0 : hook.paths.length), 0);
  const plan = { file, source, hookCount, added: toAdd.value, notes: [], asleep: new Map<string, string>() };
  const isChanged = changed.has(file);
  if (hookCount > 0 && state.state === 'refused') return { ...plan, problem: state.problem };
  const { documents, combined } = await effectiveSettings(target.dialect, target.context, changed, reader);
  if (hookCount === 0 || state.state === 'refused') {
    const asleep = asleepIn(combined, file);
    return { ...plan, asleep, notes: notesOfThose(placed, asleep) };
  }
  const notes = isChanged ? notesOn(target, toAdd, documents, combined) : [];
  // If the new hooks need a switch, it also switches on the existing hooks.
  const isSwitched = isChanged && migrationSets(target, documents);
  const asleep = asleepIn(isSwitched ? { ...combined, off: [] } : combined, file);
  const inserted = insertJson(state.text, toAdd.value);
  if ('problem' in inserted) return { ...plan, asleep, problem: `${pathText(inserted.path) || 'The settings'}: ${inserted.problem}.` };
  const before = state.state === 'missing' ? undefined : state.text;
  return { ...plan, notes, asleep, change: { realFile: state.realFile, before, text: inserted.text } };
}

function asleepIn({ hooks, off }: CombinedSettings, file: string): Map<string, string> {
  const reasons = [...hooks.flatMap((hook) => (hook.skip === undefined ? [] : [{ hook, reason: hook.skip.reason }])), ...off];
  return new Map(reasons.filter(({ hook }) => hook.file === file).map(({ hook, reason }) => [hook.id, reason]));
}

function notesOfThose(placed: readonly PlacedHook[], asleep: ReadonlyMap<string, string>): string[] {
  const there = placed.flatMap((hook) => ('cannot' in hook ? [] : hook.there));
  const reasons = there.flatMap(({ id }) => asleep.get(id) ?? []);
  return [...new Set(reasons)].map((reason) => `The existing hooks do not run: ${reason}`);
}

function migrationSets({ migration }: Target, documents: readonly SettingsDocument[]): boolean {
  return migration.switch !== undefined && !speaksOf(documents, migration.switch);
}

function documentWith(text: string, toAdd: SettingsToAdd, { file, source }: Target, reader: SettingsReader): SettingsDocument | undefined {
  const inserted = insertJson(text, toAdd.value);
  if ('problem' in inserted) return undefined;
  const result = reader.documentOfText(inserted.text.replace(/^\uFEFF/, ''), file, source);
  return result.state === 'read' ? result.document : undefined;
}

/**
 * Returns notes on whether the hooks would run in the target. If no settings have the switch that the hooks need, the switch is
 * added.
 */
function notesOn(target: Target, toAdd: SettingsToAdd, documents: readonly SettingsDocument[], combined: CombinedSettings): string[] {
  const { dialect, migration, context, file, document } = target;
  const known = new Set(document === undefined ? [] : dialect.parse(document, context).hooks.map(({ id }) => id));
  const notes = combined.hooks
    .filter((hook) => hook.file === file && hook.skip !== undefined && !known.has(hook.id))
    .map((hook) => `"${hookLabel(hook)}" would not run: ${hook.skip?.reason}`);
  const off = combined.off.filter(({ hook }) => hook.file === file);
  const [first] = off;
  if (first === undefined) return notes;
  const { switch: needed } = migration;
  if (needed === undefined || !migrationSets(target, documents)) return [...notes, `The hooks would not run: ${first.reason}`];
  toAdd.set(needed.path, needed.value);
  const others = off.filter(({ hook }) => known.has(hook.id)).length;
  const also = others === 0 ? '' : ` This setting also switches on existing hooks (${others}).`;
  return [...notes, `${needed.path.join('.')}: ${needed.value} is added too. Without this setting the hooks would not run.${also}`];
}

/** All settings of a dialect. Documents that the migration changes have their planned content. */
interface EffectiveSettings {
  readonly documents: readonly SettingsDocument[];
  readonly combined: CombinedSettings;
}

/** Returns the hooks that a dialect would have after the change. `changed` has the new documents by file. */
async function effectiveSettings(
  dialect: Dialect,
  context: DialectContext,
  changed: ReadonlyMap<string, SettingsDocument>,
  reader: SettingsReader,
): Promise<EffectiveSettings> {
  const documents: SettingsDocument[] = [];
  for (const { file, source } of dialect.locations(context)) {
    const document = changed.get(file) ?? (await found(file, source, reader));
    if (document !== undefined) documents.push({ ...document, source });
  }
  const parsed = documents.map((document): ParsedSettings => ({ ...placeOf(document), ...dialect.parse(document, context) }));
  return { documents, combined: reader.combine(dialect, parsed) };
}

function speaksOf(documents: readonly SettingsDocument[], { path }: HookSwitch): boolean {
  return documents.some(({ value }) => valueAt(value, path) !== undefined);
}

function placeOf({ source, file }: SettingsDocument): Pick<ParsedSettings, 'source' | 'file'> {
  return { source, ...(file === undefined ? {} : { file }) };
}

async function found(file: string, source: string, reader: SettingsReader): Promise<SettingsDocument | undefined> {
  const result = await reader.readDocument(file, source, false);
  return result.state === 'read' ? result.document : undefined;
}
