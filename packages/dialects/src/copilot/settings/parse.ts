import type { DialectContext, HookDefinition, HookSwitches, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { parentOf, withSlashes } from '../../shared/paths.js';
import { eventKeys as explainKeys } from '../../shared/settings/event-keys.js';
import { pluginOf } from '../../shared/settings/plugin.js';
import { type EntryFormat, isUnusableList, readEntries } from '../../shared/settings/read-entries.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { whereOf } from '../../shared/settings/switches.js';
import { formatValue } from '../../shared/text.js';
import { copilotEventNames, eventKeys, eventOfKey, isPascal } from '../input/event-table.js';
import { camelLanguage, pascalLanguage } from '../matching/matcher.js';
import type { CopilotHost } from '../options.js';
import { knownToolNames } from '../tools/tool-table.js';
import { type ParseOptions, readEntry, toInvalidHook } from './read-hook.js';

type Fields = Readonly<Record<string, unknown>>;

const keys = explainKeys({
  agent: 'Copilot',
  events: eventKeys,
  toolNames: knownToolNames,
  exampleOf: (tool) => `"preToolUse": [ { "type": "command", "matcher": "${tool}", "command": "…" } ]`,
});

/** The files of a plugin that may have hooks. */
const inPlugin = /[\\/](?:hooks[\\/])?hooks\.json$/;

/**
 * Reads the hooks of a settings document. An invalid part is dropped with a diagnostic that has its file, line, path and a remedy.
 * The rest is kept, although Copilot itself drops the whole file for some of these mistakes.
 */
export function parse(document: SettingsDocument, context: DialectContext, host: CopilotHost, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings, file, source } = document;
  if (!isPlainObject(settings)) {
    const message = `The settings must be an object, and are ${formatValue(settings)}.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "version": 1, "hooks": { … } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  reportStrictness(document, reporter);
  reportVersion(settings, reporter);
  const { home, projectDir, platform, environment, toolNames } = context;
  const languages = { camel: camelLanguage(host.at(home), toolNames), pascal: pascalLanguage(host.at(home), toolNames) };
  const isOfPlugin = source.startsWith('plugin:') || source.startsWith('extension:');
  const format = entryFormat({
    languageOf: (key) => (isPascal(key) ? languages.pascal : languages.camel),
    home,
    projectDir,
    platform,
    environment,
    isVsCode: host.isVsCode,
    ...omitUndefined({
      folder: file === undefined ? undefined : parentOf(file),
      plugin: isOfPlugin ? pluginOf(document, inPlugin) : undefined,
    }),
  });
  const hooks = readEntries(settings, { document, reporter, dialect }, format);
  const isOff = readSwitch(settings, reporter);
  const isUnusable = isUnusableList(settings['hooks'], format) || isOff === undefined;
  const switches: HookSwitches = isOff && isGeneral(file) ? { enabled: { value: false, path: ['disableAllHooks'], written: true } } : {};
  const kept = isOff && !isGeneral(file) ? hooks.map((hook) => switchedOff(hook, document)) : hooks;
  return { hooks: kept, diagnostics: reporter.diagnostics, switches, isUnusable };
}

/** Events that only Copilot has, so that they show whose settings a file has. */
const ownKeys: ReadonlySet<string> = new Set(
  copilotEventNames.filter((event) => /^(?:preMcp|userPrompt|agentStop|permissionRequest|errorOccurred|postResult|prePR)/.test(event)),
);
/** Fields of hooks that only Copilot has. */
const ownFields = ['bash', 'powershell', 'exec', 'timeoutSec'];

/** Returns the keys under "hooks" that are events, if the settings are certainly Copilot's. It shares most of its events with others. */
export function eventsIn(value: unknown): string[] {
  const hooks = isPlainObject(value) ? value['hooks'] : undefined;
  if (!isPlainObject(hooks)) return [];
  const events = Object.keys(hooks).filter((key) => eventOfKey(key) !== undefined);
  const isOwn = (key: string) => ownKeys.has(key) || (Array.isArray(hooks[key]) && (hooks[key] as unknown[]).some(isOwnEntry));
  return events.some(isOwn) ? events : [];
}

function isOwnEntry(entry: unknown): boolean {
  return isPlainObject(entry) && ownFields.some((field) => Object.hasOwn(entry, field));
}

function entryFormat(options: ParseOptions): EntryFormat {
  return {
    eventOf: (key) => (Object.hasOwn(eventKeys, key) ? eventKeys[key]?.eventName : undefined),
    ...keys,
    misplacedPlaces: [[], ['Hooks'], ['hook'], ['hooks', 'hooks']],
    exampleEvent: 'preToolUse',
    isHookLike: (value) => ['command', 'bash', 'powershell', 'exec', 'url'].some((field) => typeof value[field] === 'string'),
    readEntry: (value, context) => readEntry(value, context, options),
    invalidHook: (problem, last, context, onError) => toInvalidHook(problem, last, { ...context, onError }, options.home),
  };
}

/** Tests whether a file has settings of all kinds. The switch of any other file is about the hooks of this file alone. */
function isGeneral(file: string | undefined): boolean {
  return file !== undefined && /\/settings(?:\.local)?\.json$/.test(withSlashes(file));
}

/** Returns whether the hooks are switched off, or undefined if the switch has the wrong type. */
function readSwitch(settings: Fields, reporter: Reporter): boolean | undefined {
  const { disableAllHooks: isOff = false, disabledHooks } = settings;
  if (disabledHooks !== undefined) {
    const message = '"disabledHooks" has no effect in Tenterhook; the hooks run.';
    reporter.report('ineffective_switch', 'warning', ['disabledHooks'], message, { remedy: 'Remove the hooks that should not run.' });
  }
  if (typeof isOff === 'boolean') return isOff;
  const message = `"disableAllHooks" must be true or false, and is ${formatValue(isOff)}.`;
  reporter.report('invalid_field', 'error', ['disableAllHooks'], message, { remedy: 'Write true or false, without quotes.' });
  return undefined;
}

function switchedOff(hook: HookDefinition, document: SettingsDocument): HookDefinition {
  if (hook.skip !== undefined) return hook;
  return { ...hook, skip: { skipReason: 'disabled', reason: `"disableAllHooks" in ${whereOf(document)} switches ${hook.id} off.` } };
}

/** Reports a file that Copilot itself would not read, because it has comments or trailing commas. */
function reportStrictness({ text }: SettingsDocument, reporter: Reporter): void {
  if (text === undefined) return;
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    const message = 'Copilot itself drops the whole file, because it is not strict JSON: it has a comment or a trailing comma.';
    reporter.report('invalid_document', 'warning', [], message, { remedy: 'Remove comments and trailing commas.' });
  }
}

function reportVersion({ version }: Fields, reporter: Reporter): void {
  if (version === undefined || version === 1) return;
  const message = `"version" must be 1, and is ${formatValue(version)}; Copilot itself may not read the file.`;
  reporter.report('invalid_field', 'warning', ['version'], message, { remedy: 'Write "version": 1.' });
}
