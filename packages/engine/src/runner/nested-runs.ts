import { describeHook, type HookDefinition } from '@tenterhook/protocol';
import { readNesting } from '@tenterhook/spawner/internal';

/**
 * From this depth on, a hook does not run within itself. Not from the first on: a hook may start an agent whose hooks are the same, such as a
 * guard, and that ends if the agent does not cause the same event for the same reason.
 */
const mostReentries = 4;

/** Equal for the same hook in all agents of a machine: its id alone may be that of another hook in another project. */
export function jobKindOf({ id, action }: HookDefinition): string {
  return JSON.stringify(action.kind === 'command' ? [id, action.command, action.args] : [id, action.kind]);
}

/**
 * Why the hook must not be started; undefined if it may. A hook that starts an agent whose events start the hook again would otherwise add a process
 * of each, level by level, until its timeout. The spawner starts nothing from the eighth level on, for chains of hooks that differ.
 */
export function reentranceOf(hook: HookDefinition): string | undefined {
  if (hook.action.kind !== 'command') return undefined;
  const { depth, isWithin } = readNesting();
  if (depth < mostReentries || !isWithin(jobKindOf(hook))) return undefined;
  const remedy = 'Start the agent in it without hooks, or let it end early if TENTERHOOK_JOB is set.';
  return `${describeHook(hook)} did not run, because it is running itself: this agent runs within ${depth} hooks, each started by an agent in the one before. ${remedy}`;
}
