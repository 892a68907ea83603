import { ignoresCase } from '@tenterhook/patterns';
import type { DialectContext, HookEventName, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { matcherField } from '../../shared/matching.js';
import { eventKeys } from '../../shared/settings/event-keys.js';
import type { GroupFormat } from '../../shared/settings/group-format.js';
import { pluginOf } from '../../shared/settings/plugin.js';
import { powershellCommand } from '../../shared/settings/powershell.js';
import { isUnusableSection, readEvents } from '../../shared/settings/read-groups.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { type ClaudeEvent, canonicalEvents, claudeEvents, isClaudeEvent } from '../input/event-table.js';
import { matcherLanguage } from '../matching/matcher.js';
import type { ClaudeHost } from '../options.js';
import { knownToolNames } from '../tools/tool-table.js';
import { allHandlerFields } from './handler-types.js';
import { type ClaudeGroup, getEventOfKey, type ParseOptions } from './parse-context.js';
import { type GeneralSettings, hasUnusablePolicy, readEnv, readPolicies, readSessionEndMs } from './policies.js';
import { readHook, toInvalidHook } from './read-hook.js';

const keys = eventKeys({
  agent: 'Claude Code',
  events: claudeEvents,
  toolNames: knownToolNames,
  exampleOf: (tool) => `"PreToolUse": [ { "matcher": "${tool}", "hooks": [ … ] } ]`,
});

/** The files of a plugin that may have hooks. */
const inPlugin = /[\\/](?:hooks[\\/]hooks|\.claude-plugin[\\/]plugin)\.json$/;

/**
 * Reads the hooks of a settings document. An invalid part is dropped with a diagnostic that has its file, line, path and a remedy.
 * The rest is kept.
 */
export function parse(document: SettingsDocument, context: DialectContext, host: ClaudeHost, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { home, projectDir, environment, platform, toolNames } = context;
  const { value: settings, frontMatterOf } = document;
  if (!isPlainObject(settings)) {
    const message = `The settings must be an object, and are ${formatValue(settings)}.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "hooks": { … } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const plugin = pluginOf(document, inPlugin);
  // A field "env" in the manifest of a plugin is ignored.
  const env = plugin === undefined ? readEnv(settings, reporter) : {};
  const options: ParseOptions = {
    host,
    roots: { home, projectDir, ignoreCase: host.ignoreCase ?? ignoresCase(platform) },
    platform,
    environment: { ...environment, ...env.env },
    powershell: (text) => powershellCommand(text, context),
    ...omitUndefined({ frontMatterOf, plugin, toolNames }),
  };
  const format = groupFormat(options);
  const switches = readPolicies(settings, document, reporter);
  const data: GeneralSettings = { ...readSessionEndMs(environment), ...env };
  const hooks = readEvents(settings, { document, reporter, dialect }, format);
  const isUnusable = hasUnusablePolicy(settings) || isUnusableSection(settings['hooks'], format);
  return { hooks, diagnostics: reporter.diagnostics, switches, data, isUnusable };
}

/** Returns the keys under "hooks" that are events of Claude Code. */
export function eventsIn(value: unknown): string[] {
  const hooks = isPlainObject(value) ? value['hooks'] : undefined;
  return isPlainObject(hooks) ? Object.keys(hooks).filter(isClaudeEvent) : [];
}

/** Describes the format `{ "hooks": { event: [ { matcher, "hooks": [ hook ] } ] } }` with Claude Code's events and fields. */
function groupFormat(options: ParseOptions): GroupFormat<ClaudeGroup> {
  const language = matcherLanguage(options.host, options.toolNames);
  return {
    eventOf: (key) => (isClaudeEvent(key) ? getEventName(key, options) : undefined),
    ...keys,
    isOtherKey: (key) => key === 'disableAllHooks',
    misplacedPlaces: [[], ['Hooks'], ['hook'], ['hooks', 'hooks'], ['permissions', 'hooks']],
    exampleEvent: 'PreToolUse',
    groupFields: ['matcher', 'hooks'],
    hookFields: allHandlerFields,
    isHookLike: (value) => ['command', 'url', 'prompt'].some((field) => typeof value[field] === 'string') || value['type'] === 'mcp_tool',
    showHook,
    readGroup(fields, path, context) {
      const { problem, ...group } = matcherField(fields['matcher'], path, context, language);
      return { group, ...(problem === undefined ? {} : { invalidGroup: problem }) };
    },
    readHook: (value, index, context) => readHook(value, index, context, options),
    invalidHook: (problem, last, context, onError) => toInvalidHook(problem, last, { ...context, onError }, options),
  };
}

function getEventName(key: ClaudeEvent, options: ParseOptions): HookEventName {
  return canonicalEvents[getEventOfKey({ dialectEvent: key }, options)] as HookEventName;
}

function showHook({ command, url, prompt }: Readonly<Record<string, unknown>>): string {
  if (typeof url === 'string') return `{ "type": "http", "url": ${formatValue(url)} }`;
  if (typeof prompt === 'string') return `{ "type": "prompt", "prompt": ${formatValue(prompt)} }`;
  return `{ "type": "command", "command": ${formatValue(command ?? '…')} }`;
}
