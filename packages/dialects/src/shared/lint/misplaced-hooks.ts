import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { isPlainObject, valueAt } from '@tenterhook/runtime/json';
import type { DocumentContext, EventContext, GroupFormat, KeyedEvent } from '../settings/group-format.js';
import { onErrorIn } from '../settings/hook-fields.js';
import type { DocumentPath } from '../settings/reporter.js';
import { formatValue } from '../text.js';

type Fields = Readonly<Record<string, unknown>>;
type BareHook = Fields & { readonly hooks?: undefined };

/** The maximum number of fields in a remedy. No hook needs more. */
const maxFields = 12;

/** What this check needs to know of a format. */
type SearchedFormat = Pick<GroupFormat<unknown>, 'misplacedPlaces' | 'meantEvent' | 'isHookLike' | 'invalidHook'>;

/** Reports events outside "hooks". Returns an invalid hook for each, so that the results of the event report it too. */
export function misplacedHooks(settings: Fields, context: DocumentContext, format: SearchedFormat): HookDefinition[] {
  return format.misplacedPlaces.flatMap((place) => {
    const section = valueAt(settings, place);
    return Object.entries(isPlainObject(section) ? section : {}).flatMap(([key, value]) => {
      const meant = format.meantEvent(key);
      if (meant === undefined || !isListOfHooks(value, format)) return [];
      context.reporter.countHook([...place, key]);
      return [reportEvent([key, value], place, meant, context, format)];
    });
  });
}

/** Tests whether a value is a hook in a place for a group or a list of groups. Other agents permit a hook there. */
export function isBareHook<Group>(value: unknown, format: GroupFormat<Group>): value is BareHook {
  return isPlainObject(value) && value['hooks'] === undefined && format.isHookLike(value);
}

/**
 * Reports a hook in the place of a group. `what` is the beginning of the message and names the place. `instead` receives a group
 * that contains the hook, and returns the corrected text.
 */
export function reportBareHook<Group>(
  hook: BareHook,
  what: string,
  instead: (group: string) => string,
  path: DocumentPath,
  { eventName, reporter }: EventContext,
  format: GroupFormat<Group>,
): Diagnostic {
  const remedy = `Write ${instead(groupAround(hook, format))}.`;
  return reporter.report('misplaced_hooks', 'error', path, `${what}; it does not run.`, { remedy, eventName });
}

/** Returns the text of a group that contains the hook, for a remedy. Users paste this text, so it has all fields of the hook. */
export function groupAround<Group>(hook: Fields, format: GroupFormat<Group>): string {
  const { matcher: written, ...fields } = hook;
  const matcher = typeof written === 'string' ? `"matcher": ${formatValue(written)}, ` : '';
  return `{ ${matcher}"hooks": [ ${hookText(fields, format)} ] }`;
}

function reportEvent(
  [key, value]: readonly [key: string, value: unknown],
  place: readonly string[],
  meant: KeyedEvent,
  context: DocumentContext,
  format: SearchedFormat,
): HookDefinition {
  const { eventName, dialectEvent } = meant;
  const where = place.length === 0 ? 'at the top level of the settings' : `under "${place.join('.')}"`;
  const message = `"${key}" is ${where}, where hooks are not read; its hooks do not run.`;
  const remedy = `Move the event: { "hooks": { "${dialectEvent}": [ … ] } }.`;
  const problem = context.reporter.report('misplaced_hooks', 'error', [...place, key], message, { remedy, eventName });
  return format.invalidHook(problem, ['misplaced', ...place].join('.'), { ...context, ...meant }, onErrorIn(value));
}

/** Tests for a list of hooks. A setting such as "notification" may have the name of an event without being a list of hooks. */
function isListOfHooks(value: unknown, format: SearchedFormat): boolean {
  return Array.isArray(value) && value.some((item) => isPlainObject(item) && ('hooks' in item || format.isHookLike(item)));
}

/** Returns the hook as text. For a command, the format decides how its first fields are written. Other hooks are shown unchanged. */
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
