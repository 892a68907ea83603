import type { HookDefinition, HookSwitches, ParsedSettings } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { ZodType } from '@tenterhook/runtime/schema';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import { readDisabled } from '../../shared/settings/switches.js';
import { formatValue } from '../../shared/text.js';
import type { RedactionLists } from '../options.js';
import { dataOf, type GeminiHookData } from './hook-data.js';
import { enabledField, notificationsField, redactionFields } from './schema.js';

type Fields = Readonly<Record<string, unknown>>;

/** Reads the switch and the list of disabled hooks of a document. */
export function readSwitches(settings: Fields, reporter: Reporter): HookSwitches {
  const path = ['hooksConfig', 'enabled'];
  const enabled = readField<boolean>(readSection(settings, ['hooksConfig'], reporter), path, enabledField, 'true', reporter);
  return {
    ...(enabled === undefined ? {} : { enabled: { value: enabled, path } }),
    ...readDisabled(settings, reporter),
  };
}

export function readGeneralSettings(settings: Fields, reporter: Reporter): GeneralSettings {
  const hooksConfig = isPlainObject(settings['hooksConfig']) ? settings['hooksConfig'] : {};
  const security = isPlainObject(settings['security']) ? settings['security'] : {};
  const place = ['security', 'environmentVariableRedaction'];
  const redaction = readSection(security, place, reporter);
  const notifications = readField<boolean>(hooksConfig, ['hooksConfig', 'notifications'], notificationsField, 'true', reporter);
  const isRedacted = readField<boolean>(redaction, [...place, 'enabled'], redactionFields.enabled, 'true', reporter);
  const allowed = readField<string[]>(redaction, [...place, 'allowed'], redactionFields.allowed, '["NAME"]', reporter);
  const blocked = readField<string[]>(redaction, [...place, 'blocked'], redactionFields.blocked, '["NAME"]', reporter);
  return omitUndefined({ notifications, redaction: isRedacted === true ? omitUndefined({ allowed, blocked }) : undefined });
}

/**
 * Tests whether a switch has the wrong type. It is then unknown whether hooks should run. An invalid entry in the list of disabled
 * hooks does not matter here, because only this entry is dropped.
 */
export function hasUnusableSwitch({ hooksConfig }: Fields): boolean {
  if (!isPlainObject(hooksConfig)) return hooksConfig !== undefined;
  const { enabled, disabled } = hooksConfig;
  return (enabled !== undefined && typeof enabled !== 'boolean') || (disabled !== undefined && !Array.isArray(disabled));
}

/** Settings of a document that apply to all hooks and that only this format has. */
export interface GeneralSettings {
  readonly notifications?: boolean;
  /** The redaction lists. Present only if the file asks for a redacted environment. */
  readonly redaction?: RedactionLists;
}

/**
 * Returns the hook with the general settings of all documents that apply to it. If one of them switches notifications off, runs of
 * the hook are not shown. The hook has the redaction lists of all these documents.
 */
export function configure(hook: HookDefinition, reaching: readonly ParsedSettings[]): HookDefinition {
  const general = reaching.map(({ data }) => (data as GeneralSettings | undefined) ?? {});
  const isHidden = general.some(({ notifications }) => notifications === false);
  const redactions = general.flatMap(({ redaction }) => redaction ?? []);
  if (!isHidden && redactions.length === 0) return hook;
  const data: GeminiHookData = { ...dataOf(hook), ...(redactions.length === 0 ? {} : { redactions }) };
  return { ...hook, ...(isHidden ? { hidden: true } : {}), dialectData: data };
}

function readSection(parent: Fields, path: readonly string[], reporter: Reporter): Fields {
  const section = parent[path.at(-1) as string];
  if (section === undefined || isPlainObject(section)) return section ?? {};
  reporter.report('invalid_field', 'error', path, `"${path.at(-1)}" must be an object, and is ${formatValue(section)}; it is ignored.`, {
    remedy: 'Write an object.',
  });
  return {};
}

function readField<Value>(section: Fields, path: DocumentPath, schema: ZodType, example: string, reporter: Reporter): Value | undefined {
  const name = path.at(-1) as string;
  const value = section[name];
  if (value === undefined) return undefined;
  if (schema.safeParse(value).success) return value as Value;
  reporter.report('invalid_field', 'error', path, `"${name}" has an invalid value: ${formatValue(value)}; it is ignored.`, {
    remedy: `Write "${name}": ${example}.`,
  });
  return undefined;
}
