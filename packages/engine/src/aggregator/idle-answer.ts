import type { AggregatedHookResult, Plan } from '@tenterhook/protocol';
import { aggregateIdle } from './aggregate.js';

/** The answer of a plan in which nothing runs: every hook skipped, for its reason. Frozen, and the promise is resolved. */
export interface IdleAnswer {
  readonly result: AggregatedHookResult;
  readonly promise: Promise<AggregatedHookResult>;
}

const answers = new WeakMap<Plan, IdleAnswer>();

/** Made once for a plan and gone with it, so that an event that no hook runs for costs a lookup, whoever asks and how often. */
export function idleAnswer(plan: Plan): IdleAnswer {
  let answer = answers.get(plan);
  if (answer === undefined) {
    const result = frozen(aggregateIdle(plan));
    answer = { result, promise: Promise.resolve(result) };
    answers.set(plan, answer);
  }
  return answer;
}

/** All the way down: many callers get this one object. The bus freezes responses too, but this one need not have been on a bus. */
function frozen<Value extends object>(value: Value): Value {
  for (const item of Object.values(value)) if (typeof item === 'object' && item !== null && !Object.isFrozen(item)) frozen(item);
  return Object.freeze(value);
}
