import type { CombinedSettings, Diagnostic, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { ZodType } from '@tenterhook/runtime/schema';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import { type Switch, SwitchedOffHooks } from '../../shared/settings/switched-off.js';
import { disabledHook, levelOf, levelsAbove, misspelledEntries, readDisabled, wordOf } from '../../shared/settings/switches.js';
import { formatValue } from '../../shared/text.js';
import type { RedactionLists } from '../options.js';
import { dataOf, type GeminiHookData } from './hook-data.js';
import { enabledField, notificationsField, redactionFields } from './schema.js';

/** Settings of one file that are about hooks in general. */
export interface Switches {
  readonly enabled?: boolean;
  readonly notifications?: boolean;
  readonly disabled: readonly string[];
  /** Present if the file asks for a redacted environment. */
  readonly redaction?: RedactionLists;
}

type Fields = Readonly<Record<string, unknown>>;

export function readSwitches(settings: Fields, reporter: Reporter): Switches {
  const hooksConfig = readSection(settings, ['hooksConfig'], reporter);
  const security = isPlainObject(settings['security']) ? settings['security'] : {};
  const redaction = readSection(security, ['security', 'environmentVariableRedaction'], reporter);
  const enabled = readField<boolean>(hooksConfig, ['hooksConfig', 'enabled'], enabledField, 'true', reporter);
  const notifications = readField<boolean>(hooksConfig, ['hooksConfig', 'notifications'], notificationsField, 'true', reporter);
  const place = ['security', 'environmentVariableRedaction'];
  const isRedacted = readField<boolean>(redaction, [...place, 'enabled'], redactionFields.enabled, 'true', reporter);
  const allowed = readField<string[]>(redaction, [...place, 'allowed'], redactionFields.allowed, '["NAME"]', reporter);
  const blocked = readField<string[]>(redaction, [...place, 'blocked'], redactionFields.blocked, '["NAME"]', reporter);
  const disabled = readDisabled(settings, reporter);
  return {
    disabled,
    ...omitUndefined({ enabled, notifications, redaction: isRedacted === true ? omitUndefined({ allowed, blocked }) : undefined }),
  };
}

/** Whether a switch has the wrong type, so that it is not known whether hooks should run. An invalid entry of a list is only left out. */
export function hasUnusableSwitch({ hooksConfig }: Fields): boolean {
  if (!isPlainObject(hooksConfig)) return hooksConfig !== undefined;
  const { enabled, disabled } = hooksConfig;
  return (enabled !== undefined && typeof enabled !== 'boolean') || (disabled !== undefined && !Array.isArray(disabled));
}

/** Rules across files: which hooks are enabled, and which ones a list disables. A list counts in any file. */
export function combine(parsed: readonly ParsedSettings[]): CombinedSettings {
  const diagnostics: Diagnostic[] = [];
  const hooks: HookDefinition[] = [];
  const off = new SwitchedOffHooks();
  for (const { source, hooks: own } of parsed) {
    // The administrator's file comes first; the file of a repository never decides about hooks of the user (decision 25).
    const speakers = ['system', source, ...(levelsAbove[levelOf(source)] ?? [])];
    const enabled = wordOf(speakers, parsed, (document) => switchesOf(document).enabled);
    const isHidden = wordOf(speakers, parsed, (document) => switchesOf(document).notifications)?.value === false;
    const redactions = parsed.filter((document) => isAmong(document, speakers)).flatMap((document) => switchesOf(document).redaction ?? []);
    for (const hook of own) {
      if (enabled?.value === false) off.add(hook, { document: enabled.document, ...switchOf(enabled.where, hook) });
      else
        hooks.push(
          withGeneralSettings(
            disabledHook(hook, parsed, diagnostics, { disabledBy, mayDisable: () => true }) ?? hook,
            isHidden,
            redactions,
          ),
        );
    }
  }
  return { hooks, off: off.off, diagnostics: [...off.diagnostics, ...diagnostics, ...misspelledEntries(parsed, disabledBy)] };
}

function switchOf(where: string, { file }: HookDefinition): Omit<Switch, 'document'> {
  const elsewhere = file === undefined || file === where ? '' : `, or write "hooksConfig": { "enabled": true } in ${file}`;
  return { path: ['hooksConfig', 'enabled'], reason: `hooksConfig.enabled is false in ${where}.`, remedy: `Write true${elsewhere}.` };
}

function withGeneralSettings(hook: HookDefinition, isHidden: boolean, redactions: readonly RedactionLists[]): HookDefinition {
  if (!isHidden && redactions.length === 0) return hook;
  const data: GeminiHookData = { ...dataOf(hook), ...(redactions.length === 0 ? {} : { redactions }) };
  return { ...hook, ...(isHidden ? { hidden: true } : {}), dialectData: data };
}

function isAmong({ source }: ParsedSettings, speakers: readonly string[]): boolean {
  return speakers.includes(source) || speakers.includes(levelOf(source));
}

function disabledBy(document: ParsedSettings): readonly string[] {
  return switchesOf(document).disabled;
}

/** An extension has no switches: they are not read there. */
function switchesOf(document: ParsedSettings): Switches {
  return (document.data as Switches | undefined) ?? { disabled: [] };
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
