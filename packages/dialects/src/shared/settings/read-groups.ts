import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { misplacedHooks } from '../lint/misplaced-hooks.js';
import { reportForeignFields, reportMisspelledKeys } from '../lint/unknown-fields.js';
import { formatValue } from '../text.js';
import type { DocumentContext, EventContext, GroupFormat } from './group-format.js';
import type { DocumentPath } from './reporter.js';

/** All hooks of a document, and what stands for those that are in the wrong place. Of what cannot be read its siblings stay. */
export function readEvents<Group>(
  settings: Readonly<Record<string, unknown>>,
  context: DocumentContext,
  format: GroupFormat<Group>,
): HookDefinition[] {
  return [...hooksOfSection(settings['hooks'], context, format), ...misplacedHooks(settings, context, format)];
}

/** Whether what stands under "hooks" is wrong in more than a hook or a group: nobody who means to change hooks leaves the document so. */
export function isUnusableSection<Group>(hooks: unknown, format: GroupFormat<Group>): boolean {
  if (!isPlainObject(hooks)) return hooks !== undefined;
  return Object.entries(hooks).some(([key, groups]) => format.eventOf(key) !== undefined && !Array.isArray(groups));
}

function hooksOfSection<Group>(hooks: unknown, context: DocumentContext, format: GroupFormat<Group>): HookDefinition[] {
  const { reporter } = context;
  if (hooks === undefined) return [];
  if (!isPlainObject(hooks)) {
    reporter.report('invalid_document', 'error', ['hooks'], `"hooks" is ${formatValue(hooks)} and not an object.`, {
      remedy: `Write { "${format.exampleEvent}": [ … ] }.`,
    });
    return [];
  }
  return Object.entries(hooks).flatMap(([key, groups]) => {
    const eventName = format.eventOf(key);
    if (eventName !== undefined) return readGroups(groups, { ...context, eventName, dialectEvent: key }, format);
    // These are told as what they are: as an unknown event, the remedy would lead nowhere.
    if (format.isOtherKey?.(key, groups) || (key === 'hooks' && isPlainObject(groups))) return [];
    reporter.report('unknown_event', 'error', ['hooks', key], `There is no event "${key}"; its hooks never run.`, {
      remedy: format.remedyForEvent(key),
    });
    return [];
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** More fields than any hook has are not printed. */
const maxFields = 12;

type BareHook = Fields & { readonly hooks?: undefined };

/** All groups of one event. What cannot be read leaves an invalid hook behind, so that the event knows that something was meant to run. */
export function readGroups<Group>(groups: unknown, context: EventContext, format: GroupFormat<Group>): HookDefinition[] {
  if (Array.isArray(groups)) return groups.flatMap((group, index) => readGroup(group, index, context, format));
  const { eventName, dialectEvent, reporter } = context;
  const path = ['hooks', dialectEvent];
  const message = `The groups of ${dialectEvent} are ${formatValue(groups)} and not an array.`;
  const remedy = isPlainObject(groups) ? 'Put the group in brackets: [ { "hooks": [ … ] } ].' : 'Write [ { "hooks": [ … ] } ].';
  const problem = isBareHook(groups, format)
    ? reportBareHook(
        `${dialectEvent} is a hook where a list of hook groups is expected`,
        `[ ${groupAround(groups, format)} ]`,
        path,
        context,
      )
    : reporter.report('invalid_group', 'error', path, message, { remedy, eventName });
  return [format.invalidHook(problem, 'groups', context)];
}

function readGroup<Group>(value: unknown, groupIndex: number, context: EventContext, format: GroupFormat<Group>): HookDefinition[] {
  const { eventName, dialectEvent, reporter } = context;
  const path = ['hooks', dialectEvent, groupIndex] as const;
  const invalid = (problem: Diagnostic) => [format.invalidHook(problem, String(groupIndex), context)];
  if (!isPlainObject(value)) {
    const remedy = `Write ${typeof value === 'string' ? groupAround({ command: value }, format) : '{ "hooks": [ … ] }'}.`;
    const message = `The group is ${formatValue(value)} and not an object.`;
    return invalid(reporter.report('invalid_group', 'error', path, message, { remedy, eventName }));
  }
  if (isBareHook(value, format)) {
    return invalid(reportBareHook('This is a hook where a hook group is expected', groupAround(value, format), path, context));
  }
  reportMisspelledKeys(value, format.groupFields, path, 'a hook group', reporter, eventName);
  reportForeignFields(value, format.groupFields, path, 'a hook group', reporter, eventName, format.hookFields ?? ['timeout']);
  const hooks = value['hooks'];
  if (!Array.isArray(hooks)) {
    const message = `The hooks of the group are ${formatValue(hooks)} and not an array.`;
    const remedy = `Write "hooks": [ ${format.showHook({ command: '…' })} ].`;
    return invalid(reporter.report('invalid_group', 'error', [...path, 'hooks'], message, { remedy, eventName }));
  }
  const inherited = { ...context, groupIndex, ...format.readGroup(value, path, context) };
  return hooks.map((hook, index) => format.readHook(hook, index, inherited));
}

/** A hook that stands where its group should: the form of other agents, and an easy slip. */
function isBareHook<Group>(value: unknown, format: GroupFormat<Group>): value is BareHook {
  return isPlainObject(value) && value['hooks'] === undefined && format.isHookLike(value);
}

function reportBareHook(what: string, instead: string, path: DocumentPath, { eventName, reporter }: EventContext): Diagnostic {
  return reporter.report('misplaced_hooks', 'error', path, `${what}; it does not run.`, { remedy: `Write ${instead}.`, eventName });
}

/** With everything that the hook says: a remedy that leaves a field out takes it away from whoever pastes it. */
function groupAround<Group>(hook: Fields, format: GroupFormat<Group>): string {
  const { matcher: written, ...fields } = hook;
  const matcher = typeof written === 'string' ? `"matcher": ${formatValue(written)}, ` : '';
  return `{ ${matcher}"hooks": [ ${hookText(fields, format)} ] }`;
}

/** What the format begins a hook with is its affair; one of a type of its own is told as it is written. */
function hookText<Group>(fields: Fields, format: GroupFormat<Group>): string {
  const { type, command, url, prompt, ...others } = fields;
  if (type !== undefined && type !== 'command') return `{ ${fieldsText(Object.entries(fields))} }`;
  const begins = format.showHook({ ...fields, type: 'command' });
  const rest = fieldsText(Object.entries(others));
  return rest === '' ? begins : `${begins.replace(/ \}$/, '')}, ${rest} }`;
}

function fieldsText(fields: readonly (readonly [string, unknown])[]): string {
  const texts = fields.slice(0, maxFields).map(([key, value]) => `${formatValue(key)}: ${formatValue(value)}`);
  return [...texts, ...(fields.length > maxFields ? ['…'] : [])].join(', ');
}
