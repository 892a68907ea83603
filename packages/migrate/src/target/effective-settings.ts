import type { CombinedSettings, Dialect, DialectContext, ParsedSettings, SettingsDocument } from '@tenterhook/protocol';
import type { HookSwitch } from '../formats/hook-migration.js';
import { valueAt } from './settings-to-add.js';
import type { SettingsReader } from './target-file.js';

/** All settings of a dialect as they are found, with some of them as they would be. */
export interface EffectiveSettings {
  readonly documents: readonly SettingsDocument[];
  readonly combined: CombinedSettings;
}

/** What the settings of a dialect would mean with these documents, by file, in the place of those that are there. */
export async function effectiveSettings(
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
  const all = { hooks: parsed.flatMap(({ hooks }) => hooks), off: [], diagnostics: [] };
  return { documents, combined: dialect.combine?.(parsed) ?? all };
}

/** Whether any of these settings says something of the switch; what nobody speaks of may be set. */
export function speaksOf(documents: readonly SettingsDocument[], { path }: HookSwitch): boolean {
  return documents.some(({ value }) => valueAt(value, path) !== undefined);
}

function placeOf({ source, file }: SettingsDocument): Pick<ParsedSettings, 'source' | 'file'> {
  return { source, ...(file === undefined ? {} : { file }) };
}

async function found(file: string, source: string, reader: SettingsReader): Promise<SettingsDocument | undefined> {
  const result = await reader.readDocument(file, source, false);
  return result.state === 'read' ? result.document : undefined;
}
