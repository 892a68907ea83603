import { describeHook, type HookDefinition } from '@tenterhook/protocol';
import { readNesting } from '@tenterhook/spawner/internal';

/**
 * The depth of nested hooks from which a hook does not run within itself. It is not 1: a hook may start an agent that has the same hooks,
 * such as a guard. This ends by itself if that agent does not fire the same event for the same reason.
 */
const mostReentries = 4;

/**
 * A text that is equal for the same hook in all agents of a machine. The id alone would not do: another project may have another hook with
 * this id.
 */
export function jobKindOf({ id, action }: HookDefinition): string {
  return JSON.stringify(action.kind === 'command' ? [id, action.command, action.args] : [id, action.kind]);
}

/**
 * Why the hook must not be started; undefined if it may. Otherwise a hook whose agent fires the same event would start a process and an
 * agent on each level, until its timeout. For chains of different hooks, the spawner has a limit of eight levels.
 */
export function reentranceOf(hook: HookDefinition): string | undefined {
  if (hook.action.kind !== 'command') return undefined;
  const { depth, isWithin } = readNesting();
  if (depth < mostReentries || !isWithin(jobKindOf(hook))) return undefined;
  const remedy = 'Start the agent in the hook without hooks, or end the hook early if TENTERHOOK_JOB is set.';
  return `${describeHook(hook)} did not run: this agent runs inside ${depth} nested hooks, and one of them is this hook. ${remedy}`;
}
