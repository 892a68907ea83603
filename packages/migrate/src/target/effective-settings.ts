import type { CombinedSettings, Dialect, DialectContext, HookSwitch, ParsedSettings, SettingsDocument } from '@tenterhook/protocol';
import { combineSafely, parseSafely } from '../../../tenterhook/src/settings/contained-dialect.js';
import { locationsOf } from '../../../tenterhook/src/settings/places.js';
import { readDocument } from '../../../tenterhook/src/settings/read-document.js';
import { valueAt } from './settings-to-add.js';

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
): Promise<EffectiveSettings> {
  const documents: SettingsDocument[] = [];
  for (const { file, source } of locationsOf(dialect, context)) {
    const document = changed.get(file) ?? (await found(file, source));
    if (document !== undefined) documents.push({ ...document, source });
  }
  const parsed: ParsedSettings[] = documents.map((document) => parseSafely(dialect, document, context));
  return { documents, combined: combineSafely(dialect, parsed) };
}

/** Whether any of these settings says something of the switch; what nobody speaks of may be set. */
export function speaksOf(documents: readonly SettingsDocument[], { path }: HookSwitch): boolean {
  return documents.some(({ value }) => valueAt(value, path) !== undefined);
}

async function found(file: string, source: string): Promise<SettingsDocument | undefined> {
  const result = await readDocument(file, source, false);
  return result.state === 'read' ? result.document : undefined;
}
