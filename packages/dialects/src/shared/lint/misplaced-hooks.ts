import type { HookDefinition } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { DocumentContext, GroupFormat, KeyedEvent } from '../settings/group-format.js';

/** Events outside of "hooks": nobody would look for them there, so each is said, and leaves an outcome of its event behind. */
export function misplacedHooks<Group>(
  settings: Readonly<Record<string, unknown>>,
  context: DocumentContext,
  format: GroupFormat<Group>,
): HookDefinition[] {
  return format.misplacedPlaces.flatMap((place) =>
    Object.entries(sectionAt(settings, place)).flatMap(([key, value]) => {
      const meant = format.meantEvent(key);
      return meant === undefined || !isListOfHooks(value, format) ? [] : [misplaced(key, place, meant, context, format)];
    }),
  );
}

function misplaced<Group>(
  key: string,
  place: readonly string[],
  meant: KeyedEvent,
  context: DocumentContext,
  format: GroupFormat<Group>,
): HookDefinition {
  const { eventName, dialectEvent } = meant;
  const where = place.length === 0 ? 'at the top level of the settings' : `under "${place.join('.')}"`;
  const message = `"${key}" stands ${where}, where no hooks are looked for; its hooks do not run.`;
  const remedy = `Move it: { "hooks": { "${dialectEvent}": [ … ] } }.`;
  const problem = context.reporter.report('misplaced_hooks', 'error', [...place, key], message, { remedy, eventName });
  return format.invalidHook(problem, ['misplaced', ...place].join('.'), { ...context, ...meant });
}

function sectionAt(value: unknown, place: readonly string[]): Record<string, unknown> {
  const section = place.reduce<unknown>((at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
  return isPlainObject(section) ? section : {};
}

/** Other settings of an agent may have the name of an event, "notification" for one; a list of hooks looks like nothing else. */
function isListOfHooks<Group>(value: unknown, format: GroupFormat<Group>): boolean {
  return Array.isArray(value) && value.some((item) => isPlainObject(item) && ('hooks' in item || format.isHookLike(item)));
}
