import type { HookEventName } from '@tenterhook/protocol';
import type { HookLoss, PortableField, PortableHook } from '../portable/portable-hook.js';

/** The target agent, and the optional fields that its hooks can have. */
export interface Sayable {
  readonly agent: string;
  readonly fields: readonly PortableField[];
}

/** Returns why a hook cannot be written at all. Leaving out its condition, for example, would run the hook for the wrong calls. */
export function refusalOf({ action, condition }: PortableHook, { agent, fields }: Sayable): string | undefined {
  if (action.kind === 'other') return `The hook is of the type ${JSON.stringify(action.type)}, and ${agent} only runs commands.`;
  if (condition === undefined || fields.includes('condition')) return undefined;
  return `The hook has the condition ${JSON.stringify(condition)}, which ${agent} does not support. Without this condition it would run for calls that it is not meant for.`;
}

/**
 * Returns what the agent cannot express of a hook, one sentence for each field. `others` is the number of other hooks for the same
 * event.
 */
export function lossesOf(hook: PortableHook, { agent, fields }: Sayable, others: number): HookLoss[] {
  const said: Readonly<Partial<Record<PortableField, string | undefined>>> = {
    name: hook.name === undefined ? undefined : `${agent} hooks have no name; the name was ${JSON.stringify(hook.name)}.`,
    description: hook.description === undefined ? undefined : `${agent} hooks have no description.`,
    onError: hook.onError === 'block' ? `A failure of the hook no longer blocks: ${agent} has no field for it.` : undefined,
    sequential:
      hook.sequential && others > 0
        ? `The hook ran after other hooks and received what they had rewritten. In ${agent} hooks run in parallel.`
        : undefined,
    async: hook.async
      ? `The hook was asynchronous. ${agent} waits for the hook and obeys its answer. If the hook fails, nothing is blocked.`
      : undefined,
    once: hook.once ? `The hook ran once per session; in ${agent} it runs every time.` : undefined,
    hidden: hook.hidden
      ? `The settings hide the runs of the hook in the chat. ${agent} has no such field, so it shows the runs.`
      : undefined,
    mode: hook.mode === undefined ? undefined : `One process answered many events. ${agent} starts a process for each event.`,
  };
  return (Object.entries(said) as [PortableField, string | undefined][]).flatMap(([field, message]) =>
    message === undefined || fields.includes(field) ? [] : [{ field, message }],
  );
}

/** The names of a hook's event in a dialect. One canonical event may have several names there. */
export type WrittenEvent = { readonly keys: readonly string[]; readonly losses: readonly HookLoss[] } | { readonly cannot: string };

/**
 * Returns the event name in a dialect in which one event covers successful and failed tools. If the hook runs only for one of the
 * two, this is a loss.
 */
export function keyOfBothOutcomes(key: string, { outcome }: PortableHook, agent: string): WrittenEvent {
  switch (outcome) {
    case 'failure':
      return noEventOfFailures(agent);
    case 'success':
      return {
        keys: [key],
        losses: [
          { field: 'event', message: `The hook also runs after failed tools: ${agent} has one event for successful and failed tools.` },
        ],
      };
    default:
      return { keys: [key], losses: [] };
  }
}

export function noEventOfFailures(agent: string): { readonly cannot: string } {
  return { cannot: `The hook runs only after failed tools, and ${agent} has no separate event for failed tools.` };
}

export function noEvent(eventName: HookEventName, agent: string): { readonly cannot: string } {
  return { cannot: `${agent} has no event like ${eventName}.` };
}
