import type { Diagnostic, DialectContext, HookDefinition } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { suggestName } from '@tenterhook/runtime/text';
import { reportForeignFields, reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import { type MatcherLanguage, matcherField, type ReadMatcher } from '../../shared/matching.js';
import type { NameMatcher } from '../../shared/name-matcher.js';
import { definitionBase, invalidDefinition, invalidSkip } from '../../shared/settings/definition-base.js';
import type { EventContext } from '../../shared/settings/group-format.js';
import { commandProblem, modeField, onErrorField, onErrorIn, recheckField, reportNoObject } from '../../shared/settings/hook-fields.js';
import type { EntryContext } from '../../shared/settings/read-entries.js';
import { timeoutField } from '../../shared/settings/timeout-field.js';
import { formatValue } from '../../shared/text.js';
import { type AntigravityEvent, factsOf } from '../input/event-table.js';
import type { AntigravityHookData } from './hook-data.js';
import { directoryOf } from './working-directory.js';

type Fields = Readonly<Record<string, unknown>>;

/** What all hooks of a named group have in common. */
export interface ParseOptions {
  readonly group: string;
  readonly language: MatcherLanguage<NameMatcher>;
  readonly context: DialectContext;
}

export const defaultTimeoutS = 30;

export const groupFields: readonly string[] = ['matcher', 'hooks'];
export const hookFields: readonly string[] = ['type', 'command', 'timeout', 'onError', 'recheck', 'mode'];

/** Reads one hook. An invalid hook gets a `skip`, so that the results of its event report it. */
export function readHook(value: unknown, place: EntryContext, matched: ReadMatcher<NameMatcher>, options: ParseOptions): HookDefinition {
  const { document, reporter, eventName, path } = place;
  const event = place.dialectEvent as AntigravityEvent;
  const { group, context } = options;
  const base = definitionBase({ ...place, name: nameOf(group), line: document.locate(path)?.line });
  const about = { reporter, eventName, hookId: base.id };
  const fields = isPlainObject(value) ? value : undefined;
  if (fields !== undefined) {
    reportMisspelledKeys(fields, hookFields, path, 'a hook', reporter, eventName);
    reportForeignFields(fields, hookFields, path, 'a hook', reporter, eventName, groupFields);
  }
  const invalid = matched.problem ?? commandIn(value, fields, place, base.id);
  const command = invalid === undefined ? (fields?.['command'] as string) : '';
  const mode = modeField(fields?.['mode'], path, about);
  const { isGate } = factsOf(event);
  const data: AntigravityHookData = { event, matcher: matched.matcher, home: context.home, group };
  return {
    ...base,
    ...omitUndefined({ matcher: matched.matcherText }),
    timeoutMs: timeoutField(fields?.['timeout'], path, { ...about, defaultMs: defaultTimeoutS * 1000, unit: 's' }),
    onError: onErrorField(fields?.['onError'], path, about),
    ...(isGate === true ? { deniesOnCrash: true as const, deniesOnTimeout: true as const } : {}),
    ...(recheckField(fields?.['recheck'], path, about) === false ? { recheck: false as const } : {}),
    action: { kind: 'command', command, ...(mode && { mode }) },
    cwd: directoryOf(command, document, context),
    ...(invalid === undefined ? {} : { skip: invalidSkip(invalid) }),
    dialectData: data,
  };
}

/**
 * Reads an entry of an event without groups. Some versions of Antigravity also read groups there, and newer ones drop the whole file. Here
 * the hooks of such a group run.
 */
export function readEntry(value: unknown, place: EntryContext, options: ParseOptions): HookDefinition[] {
  const { path, reporter, eventName, dialectEvent } = place;
  const last = lastOf(place.last, place, options);
  const all: ReadMatcher<NameMatcher> = { matcher: options.language.all };
  if (!isPlainObject(value) || value['hooks'] === undefined || value['command'] !== undefined)
    return [readHook(value, { ...place, last }, all, options)];
  const { hooks, matcher } = value;
  if (!Array.isArray(hooks)) {
    const message = `The hooks of the group must be an array, and are ${formatValue(hooks)}.`;
    const remedy = `${dialectEvent} has no groups: write [ { "type": "command", "command": "…" } ].`;
    const problem = reporter.report('invalid_group', 'error', [...path, 'hooks'], message, { remedy, eventName });
    return [toInvalidHook(problem, last, { ...place, onError: onErrorIn(value) }, options)];
  }
  const message = `This is a hook group, but ${dialectEvent} is a plain list of hooks; newer versions of Antigravity drop the whole file. Here its hooks run.`;
  reporter.report('invalid_group', 'warning', path, message, { remedy: `Write the hooks into the list of ${dialectEvent}.`, eventName });
  const matched = matcherField(matcher, path, place, options.language);
  return hooks.map((hook, index) => {
    // The first hook was counted with its group.
    if (index > 0) reporter.countHook([...path, 'hooks', index]);
    return readHook(hook, { ...place, path: [...path, 'hooks', index], last: `${last}.${index}` }, matched, options);
  });
}

/** Returns the end of a hook's id: the name of its group, and its place in the list of the event. */
function lastOf(last: string, { dialectEvent }: EventContext, { group }: ParseOptions): string {
  return `${group}${last.slice(dialectEvent.length)}`;
}

function nameOf(group: string): string | undefined {
  return group === '' ? undefined : group;
}

/** Creates one invalid hook in place of hooks that cannot be read. */
export function toInvalidHook(
  problem: Diagnostic,
  last: string,
  place: EventContext & Pick<HookDefinition, 'onError'>,
  { group, language, context }: ParseOptions,
): HookDefinition {
  const event = place.dialectEvent as AntigravityEvent;
  const data: AntigravityHookData = { event, matcher: language.all, home: context.home, group };
  return invalidDefinition(problem, { ...place, last, name: nameOf(group) }, defaultTimeoutS * 1000, data);
}

/** Returns why a hook has no command that can run, or undefined. */
function commandIn(value: unknown, fields: Fields | undefined, place: EntryContext, hookId: string): Diagnostic | undefined {
  const { reporter, eventName, path } = place;
  if (fields === undefined) return reportNoObject(value, path, place, hookId, '{ "type": "command", "command": "…" }');
  const { type = 'command' } = fields;
  if (type === 'command') return commandProblem(fields, path, place, hookId);
  const message = `Hooks of the type ${formatValue(type)} are not supported in the format of Antigravity; the hook does not run.`;
  const remedy = suggestName(type, ['command'], 'The only type is command.');
  return reporter.report('unknown_type', 'error', [...path, 'type'], message, { remedy, eventName, hookId });
}
