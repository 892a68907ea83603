import { type HookDefinition, type HookLevel, type HookOutcome, hookLevels } from '@tenterhook/protocol';
import { levelOf } from '@tenterhook/protocol/internal';

/**
 * Returns the key of a hook among all hooks that may run: its level and its id. The id alone is not enough. For example, the user and the
 * project have copies of one hook. For most tools, both copies match and are merged into one hook of the user's level. For some tool only
 * the project's copy may match, and then a hook with the same id runs with the project's level. Its failures and runs must not be counted
 * as those of the merged hook.
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
