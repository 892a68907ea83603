import type { HookEvent, Plan } from '@tenterhook/protocol';
import type { HookSet } from '../registry/hook-set.js';
import { planEvent } from './plan-event.js';

/** The most distinct subjects that are remembered of one set; beyond it the oldest goes. Tool names are few, notification types may not be. */
const maxPlans = 1024;

/**
 * Plans, remembered by event and by everything the dialects read of it, so that 1000 hooks that do not match cost one lookup
 * after the first call. What is remembered belongs to one set of hooks and goes with it.
 */
export class HookPlanner {
  readonly #plans = new WeakMap<HookSet, Map<string, Plan>>();

  plan(set: HookSet, event: HookEvent): Plan {
    const hooks = set.hooks[event.eventName];
    const key = keyOf(set, event);
    if (key === undefined) return planEvent(hooks, set.dialects, event);
    let plans = this.#plans.get(set);
    if (plans === undefined) {
      plans = new Map();
      this.#plans.set(set, plans);
    }
    const known = plans.get(key);
    if (known !== undefined) return known;
    const plan = planEvent(hooks, set.dialects, event);
    if (plans.size >= maxPlans) plans.delete(plans.keys().next().value as string);
    plans.set(key, plan);
    return plan;
  }
}

/** Undefined when a dialect reads more of the event than it can say in a text. */
function keyOf(set: HookSet, event: HookEvent): string | undefined {
  const parts: string[] = [event.eventName];
  for (const dialect of set.dialects) {
    if (!set.hooks[event.eventName].some((hook) => hook.dialect === dialect.name)) continue;
    const part = dialect.selectionKey?.(event);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return JSON.stringify(parts);
}
