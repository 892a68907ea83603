import type { HookDefinition } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../text.js';
import type { DocumentContext, GroupFormat } from '../settings/group-format.js';
import { misplacedHooks } from '../lint/misplaced-hooks.js';
import { readGroups } from '../settings/read-groups.js';

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
