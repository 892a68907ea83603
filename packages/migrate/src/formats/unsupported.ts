import type { HookEventName } from '@tenterhook/protocol';
import type { HookLoss, PortableField, PortableHook } from '../portable/portable-hook.js';

/** Which agent a hook is written for, and what its settings can say beyond event, matcher, command and timeout. */
export interface Sayable {
  /** How people call the agent. */
  readonly agent: string;
  readonly fields: readonly PortableField[];
}

/** Why a hook cannot be written at all: without what is missing it would run where it must not, or do something else. */
export function refusalOf({ action, condition }: PortableHook, { agent, fields }: Sayable): string | undefined {
  if (action.kind === 'other') return `It is of the type ${JSON.stringify(action.type)}, and ${agent} runs commands.`;
  if (condition === undefined || fields.includes('condition')) return undefined;
  return `It has the condition ${JSON.stringify(condition)}, which ${agent} cannot have; without it the hook would run where it must not.`;
}

/** What a hook says that the agent cannot, one sentence each. `others`: hooks of its event that are written beside it. */
export function lossesOf(hook: PortableHook, { agent, fields }: Sayable, others: number): HookLoss[] {
  const said: Readonly<Partial<Record<PortableField, string | undefined>>> = {
    name: hook.name === undefined ? undefined : `Hooks of ${agent} have no name; it was ${JSON.stringify(hook.name)}.`,
    description: hook.description === undefined ? undefined : `Hooks of ${agent} have no description.`,
    onError: hook.onError === 'block' ? `A failure of the hook blocks no more: ${agent} has no field for it.` : undefined,
    sequential:
      hook.sequential && others > 0
        ? `Hooks of ${agent} run side by side; this one ran in a chain, and saw what those before it had rewritten.`
        : undefined,
    async: hook.async
      ? `${agent} waits for it, and its answer counts; before, nobody waited. A failure of it blocks nothing, whatever its settings say of failures.`
      : undefined,
    once: hook.once ? `It ran once in a session; in ${agent} it runs every time.` : undefined,
    hidden: hook.hidden ? `Its runs are shown in the chat; ${agent} has no field for it.` : undefined,
  };
  return (Object.entries(said) as [PortableField, string | undefined][]).flatMap(([field, message]) =>
    message === undefined || fields.includes(field) ? [] : [{ field, message }],
  );
}

/** The event of a hook as a dialect spells it; several where the dialect tells apart what the hook does not. */
export type WrittenEvent = { readonly keys: readonly string[]; readonly losses: readonly HookLoss[] } | { readonly cannot: string };

/** Where one event of the dialect tells of tools that worked and of those that failed. */
export function keyOfBothOutcomes(key: string, { outcome }: PortableHook, agent: string): WrittenEvent {
  switch (outcome) {
    case 'failure':
      return noEventOfFailures(agent);
    case 'success':
      return {
        keys: [key],
        losses: [{ field: 'event', message: `It also runs after tools that failed: ${agent} has one event for both.` }],
      };
    default:
      return { keys: [key], losses: [] };
  }
}

export function noEventOfFailures(agent: string): { readonly cannot: string } {
  return { cannot: `It runs after tools that failed, and ${agent} has no event for these alone.` };
}

export function noEvent(eventName: HookEventName, agent: string): { readonly cannot: string } {
  return { cannot: `${agent} has no event like ${eventName}.` };
}
