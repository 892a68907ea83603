import type { HookEvent, HookEventName, Plan } from '@tenterhook/protocol';
import type { HookSet } from '../registry/hook-set.js';
import { EventPlans } from './event-plans.js';

/** Plans, remembered for each set of hooks: what is remembered belongs to one set and goes with it. */
export class HookPlanner {
  readonly #plans = new WeakMap<HookSet, Map<HookEventName, EventPlans>>();

  plan(set: HookSet, event: HookEvent): Plan {
    return this.plansOf(set, event.eventName).plan(event);
  }

  plansOf(set: HookSet, eventName: HookEventName): EventPlans {
    let ofSet = this.#plans.get(set);
    if (ofSet === undefined) {
      ofSet = new Map();
      this.#plans.set(set, ofSet);
    }
    let plans = ofSet.get(eventName);
    if (plans === undefined) {
      plans = new EventPlans(eventName, set.hooks[eventName], set.dialects);
      ofSet.set(eventName, plans);
    }
    return plans;
  }
}
