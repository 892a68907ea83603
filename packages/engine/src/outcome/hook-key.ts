import { type HookDefinition, type HookLevel, type HookOutcome, hookLevels } from '@tenterhook/protocol';
import { levelOf } from '@tenterhook/protocol/internal';

/**
 * Returns the key that identifies a hook among all hooks that may run. The id is not enough. If several levels have copies of a hook, they
 * are merged to one hook, which has the id of the first copy and the highest of the levels. For another tool or input fewer copies may
 * match, and the hook with the same id then has a lower level. What one of the two did must not be attributed to the other.
 */
export function keyOfHook(hook: HookDefinition): string {
  return hookKey(levelOf(hook), hook.id);
}

/** Returns the key of the hook whose outcome this is. */
export function keyOfOutcome(outcome: HookOutcome): string {
  return hookKey(levelOf(outcome), outcome.hookId);
}

/** Returns the key of a hook that is known by its level and id. */
export function hookKey(level: HookLevel, id: string): string {
  return `${level} ${id}`;
}

/** Returns the rank of a hook: the index of its level. If several levels have copies of it, the highest of these levels is used. */
export function rankOf(hook: HookDefinition | HookOutcome): number {
  return hookLevels.indexOf(levelOf(hook));
}
