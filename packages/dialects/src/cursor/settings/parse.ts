import type { Diagnostic, DialectContext, HookDefinition, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { startsRelay } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { eventKeys } from '../../shared/settings/event-keys.js';
import { pluginOf } from '../../shared/settings/plugin.js';
import { type EntryFormat, isUnusableList, readEntries } from '../../shared/settings/read-entries.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { cursorEvents, isCursorEvent } from '../input/event-table.js';
import { matcherLanguage } from '../matching/matcher.js';
import type { CursorHost } from '../options.js';
import { knownToolNames } from '../tools/tool-table.js';
import { type ParseOptions, readHook, toInvalidHook } from './read-hook.js';

const keys = eventKeys({
  agent: 'Cursor',
  events: cursorEvents,
  toolNames: knownToolNames,
  exampleOf: (tool) => `"preToolUse": [ { "matcher": "^${tool}$", "command": "…" } ]`,
});

/** The files of a plugin that may have hooks. */
const inPlugin = /[\\/](?:hooks[\\/]hooks-cursor|\.cursor-plugin[\\/]plugin)\.json$/;

/**
 * Reads the hooks of a settings document. An invalid part is dropped with a diagnostic that has its file, line, path and a remedy.
 * The rest is kept, although Cursor itself rejects the whole file for some of these mistakes.
 */
export function parse(
  document: SettingsDocument,
  { home, projectDir, toolNames }: DialectContext,
  host: CursorHost,
  dialect: string,
): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings } = document;
  if (!isPlainObject(settings)) {
    const message = `The settings must be an object, and are ${formatValue(settings)}.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "version": 1, "hooks": { … } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const plugin = pluginOf(document, inPlugin);
  // A manifest has the version of the plugin under this name.
  const invalid = plugin === undefined ? findWrongVersion(settings, reporter) : undefined;
  const language = matcherLanguage(host.at(home), toolNames);
  const format = entryFormat({ language, home, projectDir, ...omitUndefined({ plugin, invalid }) });
  const hooks = readEntries(settings, { document, reporter, dialect }, format);
  if (!host.passesContent) reportUnsentContent(hooks, reporter);
  const isUnusable = invalid !== undefined || isUnusableList(settings['hooks'], format);
  return { hooks, diagnostics: reporter.diagnostics, isUnusable };
}

/** Reports hooks that may look for secrets in the content of a file, which hosts do not pass unless they say that they do. */
function reportUnsentContent(hooks: readonly HookDefinition[], reporter: Reporter): void {
  const isReading = ({ dialectEvent, skip, action }: HookDefinition) =>
    dialectEvent === 'beforeReadFile' && skip === undefined && !startsRelay(action);
  const reading = hooks.find(isReading);
  if (reading === undefined) return;
  const message = 'Hooks of beforeReadFile receive an empty "content": the agent does not pass the content of a file before it is read.';
  const remedy =
    'Compare "file_path" in the hook, or let it read the file. If the agent passes the content, set its option passesContent of cursor().';
  reporter.report('unsent_field', 'warning', ['hooks', 'beforeReadFile'], message, {
    remedy,
    eventName: reading.eventName,
    hookId: reading.id,
  });
}

/** Returns the keys under "hooks" that are events of Cursor, if each has a list of hooks without groups. */
export function eventsIn(value: unknown): string[] {
  const hooks = isPlainObject(value) ? value['hooks'] : undefined;
  if (!isPlainObject(hooks)) return [];
  return Object.keys(hooks).filter((key) => isCursorEvent(key) && Array.isArray(hooks[key]) && (hooks[key] as unknown[]).every(isEntry));
}

/** Tests for an entry that may be a hook of Cursor. Copilot has some of the same events, but other fields for commands. */
function isEntry(entry: unknown): boolean {
  return (
    !isPlainObject(entry) || !['hooks', 'bash', 'powershell', 'exec', 'timeoutSec', 'url'].some((field) => Object.hasOwn(entry, field))
  );
}

function entryFormat(options: ParseOptions): EntryFormat {
  return {
    eventOf: (key) => (isCursorEvent(key) ? cursorEvents[key].eventName : undefined),
    ...keys,
    unknownEventEffect: 'its hooks never run, and Cursor itself rejects the whole file',
    misplacedPlaces: [[], ['Hooks'], ['hook'], ['hooks', 'hooks']],
    exampleEvent: 'preToolUse',
    isHookLike: (value) => typeof value['command'] === 'string' || value['type'] === 'prompt',
    readEntry: (value, context) => [readHook(value, context, options)],
    invalidHook: (problem, last, context, onError) => toInvalidHook(problem, last, { ...context, onError }, options.home),
  };
}

/** Reports a version that is missing or not 1. Cursor rejects a file of another version, so its hooks do not run here either. */
function findWrongVersion(settings: Readonly<Record<string, unknown>>, reporter: Reporter): Diagnostic | undefined {
  const { version } = settings;
  if (version === 1) return undefined;
  const remedy = 'Write "version": 1.';
  if (version === undefined) {
    const message = '"version" is missing; Cursor itself may reject the file.';
    reporter.report('invalid_field', 'note', [], message, { remedy });
    return undefined;
  }
  const message = `"version" must be 1, and is ${formatValue(version)}; no hook of these settings runs.`;
  return reporter.report('invalid_document', 'error', ['version'], message, { remedy });
}
