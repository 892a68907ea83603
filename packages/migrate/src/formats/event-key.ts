import type { HookEventName } from '@tenterhook/protocol';
import type { HookLoss, PortableHook } from '../portable/portable-hook.js';

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
