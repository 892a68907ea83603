import { describeHook, type HookDefinition } from '@tenterhook/protocol';
import { readNesting } from '@tenterhook/spawner/internal';

/**
 * From this number of nested hooks on, a hook does not run within itself. The number is not 1, because a hook may start an agent with the
 * same hooks. Usually this nesting ends by itself.
 */
const mostReentries = 4;

/**
 * Returns a text that identifies a hook in all agents of a machine. The id alone is not enough, because a hook of another project may
 * have the same id.
 */
export function jobKindOf({ id, action }: HookDefinition): string {
  return JSON.stringify(action.kind === 'command' ? [id, action.command, action.args] : [id, action.kind]);
}

/**
 * Returns why the hook must not be started, or undefined if it may be started. Without this check, a hook could start an agent that fires
 * the same event, which starts the next agent, and so on. Chains of different hooks are limited by the spawner, to eight levels.
 */
export function reentranceOf(hook: HookDefinition): string | undefined {
  if (hook.action.kind !== 'command') return undefined;
  const { depth, isWithin } = readNesting();
  if (depth < mostReentries || !isWithin(jobKindOf(hook))) return undefined;
  const remedy = 'In the agent that the hook starts, switch off hooks. Or end the hook early if TENTERHOOK_JOB is set.';
  return `${describeHook(hook)} did not run: this agent runs inside ${depth} nested hooks, and one of them is this hook. ${remedy}`;
}
