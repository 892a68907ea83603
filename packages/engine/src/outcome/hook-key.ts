import { type HookDefinition, type HookLevel, type HookOutcome, hookLevels } from '@tenterhook/protocol';
import { levelOf } from '@tenterhook/protocol/internal';

/**
 * Returns the key of a hook among all hooks that may run. The key contains the level of the hook, because the id alone is not enough. An
 * example: the user and the project have copies of a hook. Usually the copies are merged to one hook, with the id of the first copy and
 * the highest level. But for some tool perhaps only the project's copy matches. Then a hook with the same id runs with the level of the
 * project. Its failures and runs must not be counted as those of the merged hook.
 */
export function keyOfHook(hook: HookDefinition): string {
  return hookKey(levelOf(hook), hook.id);
}

/** Returns the key of the hook to which an outcome belongs. */
export function keyOfOutcome(outcome: HookOutcome): string {
  return hookKey(levelOf(outcome), outcome.hookId);
}

/** Returns the key of a hook that is known by its level and id. */
export function hookKey(level: HookLevel, id: string): string {
  return `${level} ${id}`;
}

/**
 * Returns the rank of a hook's level. Higher levels have higher ranks, e.g. the user above the project. A merged hook has the highest level
 * of its copies.
 */
export function rankOf(hook: HookDefinition | HookOutcome): number {
  return hookLevels.indexOf(levelOf(hook));
}
