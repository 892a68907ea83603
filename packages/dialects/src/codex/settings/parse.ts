import type { DialectContext, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { matcherField } from '../../shared/matching.js';
import { eventKeys } from '../../shared/settings/event-keys.js';
import type { GroupFormat } from '../../shared/settings/group-format.js';
import { pluginOf } from '../../shared/settings/plugin.js';
import { isUnusableSection, readEvents } from '../../shared/settings/read-groups.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { codexEvents, isCodexEvent } from '../input/event-table.js';
import { matcherLanguage } from '../matching/matcher.js';
import type { CodexHost } from '../options.js';
import { knownToolNames } from '../tools/tool-table.js';
import { type CodexGroup, hookFields, type ParseOptions, readHook, toInvalidHook } from './read-hook.js';
import { hasUnusableSwitch, readReviews, readSwitches } from './switches.js';

const keys = eventKeys({
  agent: 'Codex',
  events: codexEvents,
  toolNames: knownToolNames,
  exampleOf: (tool) => `"PreToolUse": [ { "matcher": "${tool}", "hooks": [ … ] } ]`,
});

/** The files of a plugin that may have hooks. */
const inPlugin = /[\\/](?:hooks[\\/]hooks|\.codex-plugin[\\/]plugin)\.json$/;

/** Keys under "hooks" that are not events. */
const otherKeys: ReadonlySet<string> = new Set(['state', 'managed_dir', 'windows_managed_dir']);

/**
 * Reads the hooks of a settings document. An invalid part is dropped with a diagnostic that has its file, line, path and a remedy.
 * The rest is kept.
 */
export function parse(document: SettingsDocument, context: DialectContext, host: CodexHost, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings, file } = document;
  if (!isPlainObject(settings)) {
    const message = `The settings must be an object, and are ${formatValue(settings)}.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "hooks": { … } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const options: ParseOptions = {
    host,
    platform: context.platform,
    ...omitUndefined({
      plugin: pluginOf(document, inPlugin),
      toolNames: context.toolNames,
      realFile: file === undefined ? undefined : (context.files.realPath?.(file) ?? file),
    }),
  };
  const format = groupFormat(options);
  const switches = readSwitches(settings, document, reporter);
  const data = readReviews(settings, document, reporter);
  const hooks = readEvents(settings, { document, reporter, dialect }, format);
  const isUnusable = hasUnusableSwitch(settings) || isUnusableSection(settings['hooks'], format);
  return { hooks, diagnostics: reporter.diagnostics, switches, data, isUnusable };
}

/**
 * Returns the keys under "hooks" if they are certainly events of Codex. Claude Code has nearly all events of Codex, so these alone do
 * not show whose settings they are.
 */
export function eventsIn(value: unknown): string[] {
  const hooks = isPlainObject(value) ? value['hooks'] : undefined;
  const events = isPlainObject(hooks) ? Object.keys(hooks).filter(isCodexEvent) : [];
  return events.includes('Interrupt') ? events : [];
}

/** Describes the format `{ "hooks": { event: [ { matcher, "hooks": [ hook ] } ] } }` with Codex's events and fields. */
function groupFormat(options: ParseOptions): GroupFormat<CodexGroup> {
  const language = matcherLanguage(options.host, options.toolNames);
  return {
    eventOf: (key) => (isCodexEvent(key) ? codexEvents[key].eventName : undefined),
    ...keys,
    isOtherKey: (key) => otherKeys.has(key),
    misplacedPlaces: [[], ['Hooks'], ['hook'], ['hooks', 'hooks']],
    exampleEvent: 'PreToolUse',
    groupFields: ['matcher', 'hooks'],
    hookFields,
    isHookLike: (value) => typeof value['command'] === 'string' || value['type'] === 'mcp_tool',
    showHook: ({ command }) => `{ "type": "command", "command": ${formatValue(command ?? '…')} }`,
    readGroup(fields, path, context) {
      const { problem, ...group } = matcherField(fields['matcher'], path, context, language);
      return { group, ...(problem === undefined ? {} : { invalidGroup: problem }) };
    },
    readHook: (value, index, context) => readHook(value, index, context, options),
    invalidHook: (problem, last, context, onError) => toInvalidHook(problem, last, { ...context, onError }),
  };
}
