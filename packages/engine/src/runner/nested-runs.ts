import { describeHook, type HookDefinition } from '@tenterhook/protocol';
import { readNesting } from '@tenterhook/spawner/internal';

/**
 * From this depth of nested hooks on, a hook does not run within itself. The depth is not 1, because a hook may start an agent that has the
 * same hooks. Such nesting ends by itself, unless the inner agent fires the same event for the same reason.
 */
const mostReentries = 4;

/**
 * Returns a text that is equal for the same hook in all agents of a machine. The id alone is not enough, because another project may have a
 * different hook with this id.
 */
export function jobKindOf({ id, action }: HookDefinition): string {
  return JSON.stringify(action.kind === 'command' ? [id, action.command, action.args] : [id, action.kind]);
}

/**
 * Why the hook must not be started; undefined if it may. Without this check, a hook that starts an agent which fires the same event would
 * start ever more agents, until its timeout. Chains of different hooks are limited by the spawner, to eight levels.
 */
export function reentranceOf(hook: HookDefinition): string | undefined {
  if (hook.action.kind !== 'command') return undefined;
  const { depth, isWithin } = readNesting();
  if (depth < mostReentries || !isWithin(jobKindOf(hook))) return undefined;
  const remedy = 'Switch off hooks in the agent that the hook starts, or end the hook early if TENTERHOOK_JOB is set.';
  return `${describeHook(hook)} did not run: this agent runs inside ${depth} nested hooks, and one of them is this hook. ${remedy}`;
}
