import { ignoresCase } from '@tenterhook/patterns';
import { type DialectContext, type HookEventName, isHookEventName, type ParsedDocument, type SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { matcherField } from '../../shared/matching.js';
import { parentOf } from '../../shared/paths.js';
import type { GroupFormat, KeyedEvent } from '../../shared/settings/group-format.js';
import { formatMisspelled, misspelledEvent, sameEvent } from '../../shared/settings/known-event.js';
import { isUnusableSection, readEvents } from '../../shared/settings/read-groups.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { type ClaudeEvent, canonicalEvents, claudeEvents, isClaudeEvent } from '../input/event-table.js';
import { matcherLanguage } from '../matching/matcher.js';
import type { ClaudeHost } from '../options.js';
import { knownToolNames } from '../tools/tool-table.js';
import { allHandlerFields } from './handler-types.js';
import { type ClaudeGroup, getEventOfKey, type HookPlugin, type ParseOptions } from './parse-context.js';
import { type GeneralSettings, hasUnusablePolicy, readEnv, readPolicies, readSessionEndMs } from './policies.js';
import { readHook, toInvalidHook } from './read-hook.js';

const eventNames = Object.keys(claudeEvents) as ClaudeEvent[];

/**
 * Reads the hooks of a settings document. Drops each invalid part, and keeps the rest. A diagnostic for the part has file, line, path and
 * remedy.
 */
export function parse(
  document: SettingsDocument,
  { home, projectDir, environment, platform, toolNames }: DialectContext,
  host: ClaudeHost,
  dialect: string,
): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings, frontMatterOf } = document;
  if (!isPlainObject(settings)) {
    const message = `The settings must be an object, and are ${formatValue(settings)}.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "hooks": { … } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const plugin = getPlugin(document);
  // The manifest of a plugin may have a field "env", but it is ignored.
  const env = plugin === undefined ? readEnv(settings, reporter) : {};
  const options: ParseOptions = {
    host,
    roots: { home, projectDir, ignoreCase: host.ignoreCase ?? ignoresCase(platform) },
    platform,
    environment: { ...environment, ...env.env },
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
    meantEvent,
    remedyForEvent,
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

/** Returns the event that an unknown name probably means: a misspelt event, or another agent's name of it. */
function meantEvent(name: string): KeyedEvent | undefined {
  const own = eventNames.find((event) => normalize(event) === normalize(name));
  const eventName = own === undefined ? sameEvent(name)?.eventName : claudeEvents[own].eventName;
  const dialectEvent = own ?? eventNames.find((event) => claudeEvents[event].eventName === eventName);
  return eventName === undefined || dialectEvent === undefined ? undefined : { eventName, dialectEvent };
}

function remedyForEvent(key: string): string {
  const meant = meantEvent(key)?.dialectEvent;
  if (meant !== undefined && normalize(meant) !== normalize(key)) return `Other agents use that name; in this format it is "${meant}".`;
  if (knownToolNames.includes(key))
    return `"${key}" is the name of a tool. Write "PreToolUse": [ { "matcher": "${key}", "hooks": [ … ] } ].`;
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const nameOf = (eventName: HookEventName) => eventNames.find((event) => claudeEvents[event].eventName === eventName);
  const misspelled = formatMisspelled(misspelledEvent(key, eventNames), nameOf);
  if (misspelled !== undefined) return misspelled;
  return isHookEventName(key)
    ? `Claude Code has no such event; write the hook in the format of LLxprt Code.`
    : `The events are ${eventNames.join(', ')}.`;
}

function showHook({ command, url, prompt }: Readonly<Record<string, unknown>>): string {
  if (typeof url === 'string') return `{ "type": "http", "url": ${formatValue(url)} }`;
  if (typeof prompt === 'string') return `{ "type": "prompt", "prompt": ${formatValue(prompt)} }`;
  return `{ "type": "command", "command": ${formatValue(command ?? '…')} }`;
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/[_ -]/g, '');
}

/**
 * Returns the plugin that a document belongs to. Its directory is the one that the host passed. If the host passed none, the path of the
 * document's file determines the directory.
 */
function getPlugin({ source, directory, file }: SettingsDocument): HookPlugin | undefined {
  const name = /^plugin:(.+)$/s.exec(source)?.[1];
  const folder = file === undefined ? undefined : /^(.*)[\\/](?:hooks[\\/]hooks|\.claude-plugin[\\/]plugin)\.json$/s.exec(file)?.[1];
  const root = directory ?? folder ?? (name === undefined || file === undefined ? undefined : parentOf(file));
  if (root === undefined || (name === undefined && folder === undefined)) return undefined;
  return { root, ...omitUndefined({ name }) };
}
