import { type HookDefinition, isPlainObject, type SettingsDocument } from '@tenterhook/protocol';
import { sameEvent } from '../events/known-event.js';
import type { Reporter } from '../settings/reporter.js';
import type { EventContext } from './group-context.js';
import { invalidHookOf } from './parse-hook.js';

/** Where people put events instead of under "hooks". A list, and no search of the whole document: most of it is not about hooks. */
const places: readonly (readonly string[])[] = [
  [],
  ['Hooks'],
  ['hook'],
  ['hooks', 'hooks'],
  ['hooksConfig'],
  ['hooksConfig', 'hooks'],
  ['tools'],
  ['tools', 'hooks'],
];

/** Events outside of "hooks": nobody would look for them there, so each is said, and leaves an outcome of its event behind. */
export function misplacedHooks(document: SettingsDocument, reporter: Reporter, dialect: string): HookDefinition[] {
  return places.flatMap((place) =>
    Object.entries(sectionAt(document.value, place)).flatMap(([key, value]) => {
      const eventName = sameEvent(key)?.eventName;
      if (eventName === undefined || !isListOfHooks(value)) return [];
      return [misplaced(key, place, { eventName, document, reporter, dialect })];
    }),
  );
}

function misplaced(key: string, place: readonly string[], context: EventContext): HookDefinition {
  const { eventName, reporter } = context;
  const where = place.length === 0 ? 'at the top level of the settings' : `under "${place.join('.')}"`;
  const message = `"${key}" stands ${where}, where no hooks are looked for; its hooks do not run.`;
  const remedy = `Move it: { "hooks": { "${eventName}": [ … ] } }.`;
  const problem = reporter.report('misplaced_hooks', 'error', [...place, key], message, { remedy, eventName });
  return invalidHookOf(problem, ['misplaced', ...place].join('.'), context);
}

function sectionAt(value: unknown, place: readonly string[]): Record<string, unknown> {
  const section = place.reduce<unknown>((at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
  return isPlainObject(section) ? section : {};
}

/** Other settings of an agent may have the name of an event, "notification" for one; a list of hooks looks like nothing else. */
function isListOfHooks(value: unknown): boolean {
  return Array.isArray(value) && value.some((item) => isPlainObject(item) && ('hooks' in item || 'command' in item));
}
