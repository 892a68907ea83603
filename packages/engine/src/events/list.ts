import { type HookDefinition, type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { orderHooks } from '../planner/plan-event.js';
import type { HookSet } from '../registry/registry.js';

/**
 * A configured hook and whether it takes part in events:
 * - `active`: each event asks it, and it runs for those that it matches;
 * - `off`: it runs for no event. `skipReason` is the code of the cause (`disabled`, `invalid`, `untrusted` …), `reason` a sentence for people.
 */
export type ListedHook =
  | { readonly hook: HookDefinition; readonly state: 'active' }
  | { readonly hook: HookDefinition; readonly state: 'off'; readonly skipReason: string; readonly reason: string };

/**
 * The hooks of one event, or of all in the order of the catalogue. In plan order, as `explain` has them: those that are switched off as a whole
 * have no place in a plan, and come last. Whether a hook would run for a given input is the question of `explain`.
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
