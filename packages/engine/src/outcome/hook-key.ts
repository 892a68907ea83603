import { type HookDefinition, type HookLevel, type HookOutcome, levelOf } from '@tenterhook/protocol';

/**
 * Identifies a hook among all that may run. The id alone does not: of several copies of a hook, one runs under the id of the first, as the hook of
 * the highest level that has it. Where fewer copies fit, for another tool or another input, the same id is a hook of a lower level, and what that
 * one did says nothing about the other.
 */
export function keyOfHook(hook: HookDefinition): string {
  return hookKey(levelOf(hook), hook.id);
}

/** The key of the hook whose outcome this is. */
export function keyOfOutcome(outcome: HookOutcome): string {
  return hookKey(levelOf(outcome), outcome.hookId);
}

/** The key of a hook that is known by its level and id. */
export function hookKey(level: HookLevel, id: string): string {
  return `${level} ${id}`;
}
