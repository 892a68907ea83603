import { type HookDefinition, type HookEventName, hookEventNames, type SkipReason } from '@tenterhook/protocol';
import { orderHooks } from '../planner/plan-event.js';
import type { HookSet } from '../registry/registry.js';

/**
 * A configured hook and its state.
 * - `active`: the hook runs for each event that it matches.
 * - `off`: it never runs. `skipReason` is the code of the cause (`disabled`, `invalid`, `untrusted` …), `reason` is a sentence for people.
 */
export type ListedHook =
  | { readonly hook: HookDefinition; readonly state: 'active' }
  | { readonly hook: HookDefinition; readonly state: 'off'; readonly skipReason: SkipReason; readonly reason: string };

/**
 * Returns the hooks of the events, in plan order. Hooks that are switched off by a setting for all hooks come last. Whether a hook runs for
 * a given input is reported by `explain`.
 */
export function listHooks(set: HookSet, eventNames: readonly HookEventName[] = hookEventNames): ListedHook[] {
  return eventNames.flatMap((eventName) => [
    ...orderHooks(set.hooks[eventName], set.dialects).map(toListed),
    ...set.off[eventName].map(({ hook, reason }): ListedHook => ({ hook, state: 'off', skipReason: 'disabled', reason })),
  ]);
}

function toListed(hook: HookDefinition): ListedHook {
  if (hook.skip === undefined) return { hook, state: 'active' };
  const { skipReason, reason } = hook.skip;
  return { hook, state: 'off', skipReason, reason };
}
