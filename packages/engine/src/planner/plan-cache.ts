import type { AggregatedHookResult, Dialect, HookDefinition, HookEvent, Plan } from '@tenterhook/protocol';
import { aggregateIdle } from '../aggregator/aggregate.js';
import { planEvent } from './plan-event.js';

/** The most distinct subjects that are remembered; beyond it the oldest goes. Tool names are few, notification types may not be. */
const maxEntries = 1024;

/**
 * Plans by event and by everything the dialects read of it, so that 1000 hooks that do not match cost one lookup after the
 * first call. One cache belongs to one set of hooks; a new set brings a new cache.
 */
export class PlanCache {
  readonly #dialects: readonly Dialect[];
  readonly #plans = new Map<string, Plan>();
  readonly #idleResults = new WeakMap<Plan, AggregatedHookResult>();

  constructor(dialects: readonly Dialect[]) {
    this.#dialects = dialects;
  }

  plan(hooks: readonly HookDefinition[], event: HookEvent): Plan {
    const key = this.#key(hooks, event);
    if (key === undefined) return planEvent(hooks, this.#dialects, event);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = planEvent(hooks, this.#dialects, event);
    if (this.#plans.size >= maxEntries) this.#plans.delete(this.#plans.keys().next().value as string);
    this.#plans.set(key, plan);
    return plan;
  }

  /** The answer of a plan in which nothing runs: made once, frozen by the bus that hands it out. */
  idleResult(plan: Plan): AggregatedHookResult {
    let result = this.#idleResults.get(plan);
    if (result === undefined) {
      result = aggregateIdle(plan);
      this.#idleResults.set(plan, result);
    }
    return result;
  }

  #key(hooks: readonly HookDefinition[], event: HookEvent): string | undefined {
    const parts: string[] = [event.eventName];
    for (const dialect of this.#dialects) {
      if (!hooks.some((hook) => hook.dialect === dialect.name)) continue;
      const part = dialect.selectionKey?.(event);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return JSON.stringify(parts);
  }
}
