import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { groupAround, isBareHook, misplacedHooks, reportBareHook } from '../lint/misplaced-hooks.js';
import { reportForeignFields, reportMisspelledKeys } from '../lint/unknown-fields.js';
import { formatValue } from '../text.js';
import { type DocumentContext, type EventContext, type GroupFormat, pathOfEvent } from './group-format.js';
import { onErrorIn } from './hook-fields.js';

/**
 * Reads all hooks of a document. Creates an invalid hook for each event outside "hooks". An invalid part does not affect the
 * others.
 */
export function readEvents<Group>(
  settings: Readonly<Record<string, unknown>>,
  context: DocumentContext,
  format: GroupFormat<Group>,
): HookDefinition[] {
  return [...readSection(settings['hooks'], context, format), ...misplacedHooks(settings, context, format)];
}

/** Tests whether "hooks" as a whole has the wrong form. This can happen for a moment while a user edits the file. */
export function isUnusableSection<Group>(hooks: unknown, format: GroupFormat<Group>): boolean {
  if (!isPlainObject(hooks)) return hooks !== undefined;
  return Object.entries(hooks).some(([key, groups]) => format.eventOf(key) !== undefined && !Array.isArray(groups));
}

function readSection<Group>(hooks: unknown, context: DocumentContext, format: GroupFormat<Group>): HookDefinition[] {
  const { reporter } = context;
  if (hooks === undefined) return [];
  if (!isPlainObject(hooks)) {
    reporter.report('invalid_document', 'error', ['hooks'], `"hooks" must be an object, and is ${formatValue(hooks)}.`, {
      remedy: `Write { "${format.exampleEvent}": [ … ] }.`,
    });
    return [];
  }
  const keys = Object.keys(hooks);
  // Other functions report these keys, with a better remedy than the one for an unknown event.
  const isOther = (key: string) => format.isOtherKey?.(key, hooks[key]) || (key === 'hooks' && isPlainObject(hooks[key]));
  const unknown = new Set(keys.filter((key) => format.eventOf(key) === undefined && !isOther(key)));
  // All keys are counted before the first one is reported: the count can stop the reading early, and the search for a similar name
  // takes long.
  for (const key of unknown) reporter.countHook(['hooks', key]);
  return keys.flatMap((key) => {
    const eventName = format.eventOf(key);
    if (eventName !== undefined) return readGroups(hooks[key], { ...context, eventName, dialectEvent: key }, format);
    if (!unknown.has(key)) return [];
    reporter.report('unknown_event', 'error', ['hooks', key], `Unknown event ${formatValue(key)}; its hooks never run.`, {
      remedy: format.remedyForEvent(key),
    });
    return [];
  });
}

/** Reads all groups of one event. An unreadable group becomes an invalid hook, so that the results of the event report it. */
export function readGroups<Group>(groups: unknown, context: EventContext, format: GroupFormat<Group>): HookDefinition[] {
  if (Array.isArray(groups)) return groups.flatMap((group, index) => readGroup(group, index, context, format));
  const { eventName, dialectEvent, reporter } = context;
  const path = pathOfEvent(context);
  const invalid = (problem: Diagnostic) => [format.invalidHook(problem, 'groups', context, onErrorIn(groups))];
  if (isBareHook(groups, format)) {
    const what = `${dialectEvent} is a hook where an array of hook groups is expected`;
    return invalid(reportBareHook(groups, what, (group) => `[ ${group} ]`, path, context, format));
  }
  const message = `The groups of ${dialectEvent} must be an array, and are ${formatValue(groups)}.`;
  const remedy = isPlainObject(groups) ? 'Put the group in brackets: [ { "hooks": [ … ] } ].' : 'Write [ { "hooks": [ … ] } ].';
  return invalid(reporter.report('invalid_group', 'error', path, message, { remedy, eventName }));
}

function readGroup<Group>(value: unknown, groupIndex: number, context: EventContext, format: GroupFormat<Group>): HookDefinition[] {
  const { eventName, reporter } = context;
  const path = [...pathOfEvent(context), groupIndex];
  // A group without hooks counts as one hook too, because its matcher is compiled.
  reporter.countHook(path);
  const invalid = (problem: Diagnostic) => [format.invalidHook(problem, String(groupIndex), context, onErrorIn(value))];
  if (!isPlainObject(value)) {
    const remedy = `Write ${typeof value === 'string' ? groupAround({ command: value }, format) : '{ "hooks": [ … ] }'}.`;
    const message = `The group must be an object, and is ${formatValue(value)}.`;
    return invalid(reporter.report('invalid_group', 'error', path, message, { remedy, eventName }));
  }
  if (isBareHook(value, format)) {
    const what = 'This is a hook where a hook group is expected';
    return invalid(reportBareHook(value, what, (group) => group, path, context, format));
  }
  reportMisspelledKeys(value, format.groupFields, path, 'a hook group', reporter, eventName);
  reportForeignFields(value, format.groupFields, path, 'a hook group', reporter, eventName, format.hookFields ?? ['timeout']);
  const hooks = value['hooks'];
  if (!Array.isArray(hooks)) {
    const message = `The hooks of the group must be an array, and are ${formatValue(hooks)}.`;
    const remedy = `Write "hooks": [ ${format.showHook({ command: '…' })} ].`;
    return invalid(reporter.report('invalid_group', 'error', [...path, 'hooks'], message, { remedy, eventName }));
  }
  const inherited = { ...context, groupIndex, ...format.readGroup(value, path, context) };
  return hooks.map((hook, index) => {
    // The first hook was counted with its group.
    if (index > 0) reporter.countHook([...path, 'hooks', index]);
    return format.readHook(hook, index, inherited);
  });
}
