import { type HookDecision, isPlainObject, verdictOf } from '@tenterhook/protocol';

/**
 * What an object may say against an operation, each named by its field: an event that does not know one of the fields must
 * not lose what the other says.
 */
export function objectionsOf(object: Readonly<Record<string, unknown>>): string[] {
  const specific = object['hookSpecificOutput'];
  const objections = [
    `decision ${verdictOf(object['decision'] as HookDecision)}`,
    `permission ${verdictOf((isPlainObject(specific) ? specific['permissionDecision'] : undefined) as HookDecision)}`,
  ].filter((objection) => objection.endsWith(' deny') || objection.endsWith(' ask'));
  return object['continue'] === false ? [...objections, 'stop'] : objections;
}
