import { describeHook, type HookDefinition, type HookOutcome } from '@tenterhook/protocol';
import { Circuit, type CircuitBreakerOptions, type CircuitRefusal, type CircuitState, type RunEnd } from './circuit.js';
import { sentence } from './sentence.js';

/** What a hook's circuit says when the hook is to run. */
export type Entrance =
  /** Left out, and why. */
  | { readonly refusal: string }
  /** Let through. `end` is told the outcome, once. */
  | { readonly refusal?: undefined; end(outcome: HookOutcome): void };

/**
 * One circuit a hook. They belong to the set of hooks that an event started with and go with it: a reload begins with closed circuits,
 * because the user may just have mended the hook, and what is remembered is bounded by what is configured.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #now: () => number;
  readonly #ofSets = new WeakMap<object, HookCircuits>();

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(options: CircuitBreakerOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Of a set only its identity matters: what stands in it is the registry's. */
  of(set: object): HookCircuits {
    let circuits = this.#ofSets.get(set);
    if (circuits === undefined) {
      circuits = new HookCircuits(this.#options, this.#now);
      this.#ofSets.set(set, circuits);
    }
    return circuits;
  }
}

/** The circuits of one set of hooks, by hook id. */
export class HookCircuits {
  readonly #options: CircuitBreakerOptions;
  readonly #now: () => number;
  readonly #circuits = new Map<string, Circuit>();

  constructor(options: CircuitBreakerOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** Why the hook would be left out now; undefined when it would run. Changes nothing, so that `explain` may ask. */
  refusalOf(hook: HookDefinition): string | undefined {
    const refusal = this.#circuits.get(hook.id)?.refusalAt(this.#now());
    return refusal === undefined ? undefined : this.#describe(hook, refusal);
  }

  /** Asked right before the hook runs; `onChange` is told of each change of state that this run causes. */
  enter(hook: HookDefinition, onChange: (state: CircuitState) => void): Entrance {
    const refusal = this.refusalOf(hook);
    if (refusal !== undefined) return { refusal };
    const circuit = this.#circuitOf(hook.id);
    const telling = <Value>(change: () => Value): Value => {
      const before = circuit.state;
      const value = change();
      if (circuit.state !== before) onChange(circuit.state);
      return value;
    };
    const turn = telling(() => circuit.begin());
    const end = (outcome: HookOutcome) =>
      telling(() => circuit.end(turn, endOf(outcome), this.#now(), outcome.warnings[0]?.message ?? `It ${outcome.status}.`));
    return { end };
  }

  #circuitOf(hookId: string): Circuit {
    let circuit = this.#circuits.get(hookId);
    if (circuit === undefined) {
      circuit = new Circuit(this.#options);
      this.#circuits.set(hookId, circuit);
    }
    return circuit;
  }

  #describe(hook: HookDefinition, { failedTrials, lastFailure, retryInMs }: CircuitRefusal): string {
    const { failures, windowMs } = this.#options;
    const again = failedTrials === 0 ? '' : `, and ${times(failedTrials)} more when it was tried again`;
    const next =
      retryInMs === 0 ? 'It is being tried again now.' : `It is tried again at the first event in ${Math.ceil(retryInMs)} ms or later.`;
    return [
      `${describeHook(hook)} is left out: it failed ${times(failures)} within ${windowMs} ms${again}.`,
      next,
      ...(hook.onError === 'block' ? [] : ['Until then it has no say.']),
      `The last failure: ${sentence(lastFailure)}`,
      'Mend the hook; when the settings are read again, it runs at once.',
    ].join(' ');
  }
}

/** A deny is what a guard is there for, and a hook that was cancelled, or that the machine could not start, has shown nothing. */
function endOf({ status, warnings }: HookOutcome): RunEnd {
  if (status === 'failed' && warnings[0]?.code === 'spawn_failed') return 'undecided';
  if (status === 'failed' || status === 'timed-out') return 'failed';
  return status === 'succeeded' || status === 'blocked' ? 'healthy' : 'undecided';
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
