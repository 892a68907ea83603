import type { DialectContext, HookDefinition, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName } from '@tenterhook/runtime/text';
import { type MatcherLanguage, matcherField, type ReadMatcher } from '../../shared/matching.js';
import type { NameMatcher } from '../../shared/name-matcher.js';
import { eventKeys } from '../../shared/settings/event-keys.js';
import { type DocumentContext, type GroupFormat, pathOfHook } from '../../shared/settings/group-format.js';
import { onErrorIn } from '../../shared/settings/hook-fields.js';
import { readList } from '../../shared/settings/read-entries.js';
import { readGroups } from '../../shared/settings/read-groups.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { whereOf } from '../../shared/settings/switches.js';
import { formatValue } from '../../shared/text.js';
import { type AntigravityEvent, antigravityEventNames, antigravityEvents, factsOf, isAntigravityEvent } from '../input/event-table.js';
import { matcherLanguage } from '../matching/matcher.js';
import type { AntigravityHost } from '../options.js';
import { knownToolNames } from '../tools/tool-table.js';
import { groupFields, hookFields, type ParseOptions, readEntry, readHook, toInvalidHook } from './read-hook.js';

type Fields = Readonly<Record<string, unknown>>;

const keys = eventKeys({
  agent: 'Antigravity',
  events: antigravityEvents,
  toolNames: knownToolNames,
  exampleOf: (tool) => `"PreToolUse": [ { "matcher": "${tool}", "hooks": [ … ] } ]`,
});

/**
 * Reads the hooks of a settings document: named groups, each with lists of hooks by event. An invalid part is dropped with a diagnostic that
 * has its file, line, path and a remedy. The rest is kept, although Antigravity itself drops the whole file for some of these mistakes.
 */
export function parse(document: SettingsDocument, context: DialectContext, host: AntigravityHost, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings } = document;
  if (!isPlainObject(settings)) {
    const message = `The settings must be an object, and are ${formatValue(settings)}.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "my-hooks": { "PreToolUse": [ … ] } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const language = matcherLanguage(host.at(context.home), context.toolNames);
  const place: DocumentContext = { document, reporter, dialect };
  const hooks = Object.entries(settings).flatMap(([name, group]) => readNamed(name, group, place, { group: name, language, context }));
  return { hooks, diagnostics: reporter.diagnostics, isUnusable: Object.values(settings).some(isUnusableGroup) };
}

/** Tests whether a named group as a whole has the wrong form. This can happen for a moment while a user edits the file. */
function isUnusableGroup(group: unknown): boolean {
  if (!isPlainObject(group)) return true;
  const { enabled = true } = group;
  const isSwitch = enabled === null || typeof enabled === 'boolean';
  return !isSwitch || antigravityEventNames.some((event) => group[event] !== undefined && !Array.isArray(group[event]));
}

/**
 * Returns the keys of named groups if they are certainly events of Antigravity. A group with the name `hooks` does not count, because most other
 * formats have it.
 */
export function eventsIn(value: unknown): string[] {
  if (!isPlainObject(value)) return [];
  const groups = Object.entries(value).flatMap(([name, group]) => (name !== 'hooks' && isPlainObject(group) ? [group] : []));
  const lists = groups.flatMap((group) => Object.entries(group).flatMap(([key, list]) => (Array.isArray(list) ? [key] : [])));
  return lists.some(isAntigravityEvent) ? [...new Set(lists)] : [];
}

/** Reads one entry of the settings: a named group, or a value in place of one. */
function readNamed(name: string, group: unknown, place: DocumentContext, options: ParseOptions): HookDefinition[] {
  const { reporter } = place;
  if (isPlainObject(group)) return readGroup(name, group, place, options);
  reporter.countHook([name]);
  const meant = Array.isArray(group) ? (isAntigravityEvent(name) ? ownEvent(name) : keys.meantEvent(name)) : undefined;
  if (meant === undefined) {
    const message = `${formatValue(name)} must be a named group of hooks, and is ${formatValue(group)}; Antigravity itself may drop the whole file.`;
    reporter.report('invalid_group', 'error', [name], message, { remedy: 'Write { "PreToolUse": [ … ] }, or remove the key.' });
    return [];
  }
  const { eventName, dialectEvent } = meant;
  const message = `"${name}" is at the top level of the settings, where named groups are; its hooks do not run.`;
  const remedy = `Write { "my-hooks": { "${dialectEvent}": [ … ] } }.`;
  const problem = reporter.report('misplaced_hooks', 'error', [name], message, { remedy, eventName });
  return [toInvalidHook(problem, 'misplaced', { ...place, ...meant, onError: onErrorIn(group) }, options)];
}

function ownEvent(event: AntigravityEvent) {
  return { eventName: factsOf(event).eventName, dialectEvent: event };
}

function readGroup(name: string, group: Fields, document: DocumentContext, options: ParseOptions): HookDefinition[] {
  const place = { ...document, section: [name] };
  const { reporter } = place;
  const isOn = readEnabled(group, name, reporter);
  const hooks = Object.entries(group).flatMap(([key, list]) => {
    if (key === 'enabled') return [];
    if (!isAntigravityEvent(key)) {
      reportUnknown(key, list, name, reporter);
      return [];
    }
    const at = { ...place, ...ownEvent(key) };
    const format = groupFormat(options);
    if (factsOf(key).ofTool === true) return readGroups(list, at, format);
    return readList(list, at, { invalidHook: format.invalidHook, readEntry: (value, entry) => readEntry(value, entry, options) });
  });
  return isOn ? hooks : hooks.map((hook) => switchedOff(hook, name, document.document));
}

/** Reads `enabled`. Any value except `false` leaves the hooks on: a guard must not be switched off by a mistake. */
function readEnabled(group: Fields, name: string, reporter: Reporter): boolean {
  const { enabled = true } = group;
  if (enabled === null || typeof enabled === 'boolean') return enabled !== false;
  const message = `"enabled" must be true or false, and is ${formatValue(enabled)}; the hooks of the group run.`;
  reporter.report('invalid_field', 'error', [name, 'enabled'], message, { remedy: 'Write true or false, without quotes.' });
  return true;
}

function reportUnknown(key: string, value: unknown, name: string, reporter: Reporter): void {
  const path = [name, key];
  reporter.countHook(path);
  if (typeof value === 'object' && value !== null) {
    reporter.report('unknown_event', 'error', path, `Unknown event ${formatValue(key)}; its hooks never run.`, {
      remedy: keys.remedyForEvent(key),
    });
    return;
  }
  // Users add a key "comment", because JSON has no comments.
  if (key === 'comment' || key === 'description') return;
  const isSwitch = key.toLowerCase() === 'enabled' || nearestName(key, ['enabled', 'disabled']) !== undefined;
  const effect = isSwitch ? ': nothing is switched off' : '';
  const remedy = isSwitch
    ? 'Write "enabled": false to switch the group off.'
    : `The fields are enabled, ${antigravityEventNames.join(', ')}.`;
  reporter.report('invalid_field', 'warning', path, `${formatValue(key)} is not a field of a named group and is ignored${effect}.`, {
    remedy,
  });
}

function switchedOff(hook: HookDefinition, name: string, document: SettingsDocument): HookDefinition {
  const reason = `"enabled" of the group ${formatValue(name)} in ${whereOf(document)} switches ${hook.id} off.`;
  return { ...hook, skip: { skipReason: 'disabled', reason } };
}

/** Describes the groups of an event of tools: `[ { matcher, "hooks": [ hook ] } ]`. */
function groupFormat(options: ParseOptions): GroupFormat<ReadMatcher<NameMatcher>> {
  const { group: name } = options;
  const language: MatcherLanguage<NameMatcher> = options.language;
  return {
    eventOf: (key) => (isAntigravityEvent(key) ? factsOf(key).eventName : undefined),
    ...keys,
    misplacedPlaces: [],
    exampleEvent: 'PreToolUse',
    groupFields,
    hookFields,
    isHookLike: (value) => typeof value['command'] === 'string',
    showHook: ({ command }) => `{ "type": "command", "command": ${formatValue(command ?? '…')} }`,
    readGroup(fields, path, context) {
      const matched = matcherField(fields['matcher'], path, context, language);
      return { group: matched, ...(matched.problem === undefined ? {} : { invalidGroup: matched.problem }) };
    },
    readHook: (value, index, context) =>
      readHook(
        value,
        { ...context, path: pathOfHook(context, index), last: `${name}.${context.groupIndex}.${index}` },
        context.group,
        options,
      ),
    invalidHook: (problem, last, context, onError) => toInvalidHook(problem, `${name}.${last}`, { ...context, onError }, options),
  };
}
