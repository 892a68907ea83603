import { describeHook, type HookCode, type HookDefinition, type HookOutcome } from '@tenterhook/protocol';
import { sentence } from '@tenterhook/runtime/text';
import { Circuit, type CircuitBreakerOptions, type CircuitRefusal, type CircuitState, type RunEnd } from './circuit.js';

/** What a hook's circuit says when the hook is to run. */
export type Entrance =
  /** Left out, and why. */
  | { readonly refusal: string }
  /** Let through. `end` is told the outcome, once. */
  | { readonly refusal?: undefined; end(outcome: HookOutcome): void };

/** What a circuit breaker reads of a set of hooks. */
interface HooksByEvent {
  readonly hooks: Readonly<Record<string, readonly HookDefinition[]>>;
}

/**
 * One circuit a hook. They belong to the set of hooks that an event started with and go with it: a reload begins with closed circuits,
 * because the user may just have mended the hook, and what is remembered is bounded by what is configured. A hook that is the very one it
 * was in the last set keeps its circuit: a handler that is registered must not forgive the commands beside it.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #now: () => number;
  readonly #ofSets = new WeakMap<HooksByEvent, HookCircuits>();
  #last: { readonly set: HooksByEvent; readonly circuits: HookCircuits } | undefined;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(options: CircuitBreakerOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  of(set: HooksByEvent): HookCircuits {
    let circuits = this.#ofSets.get(set);
    if (circuits === undefined) {
      circuits = new HookCircuits(this.#options, this.#now);
      if (this.#last !== undefined) circuits.keep(this.#last.circuits, unchangedIds(this.#last.set, set));
      this.#ofSets.set(set, circuits);
      this.#last = { set, circuits };
    }
    return circuits;
  }
}

function unchangedIds(before: HooksByEvent, now: HooksByEvent): string[] {
  const known = new Set(Object.values(before.hooks).flat());
  return Object.values(now.hooks).flatMap((hooks) => hooks.filter((hook) => known.has(hook)).map((hook) => hook.id));
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

  /** Takes over the circuits of hooks that have not changed. Shared and not copied: an event may still run in the older set. */
  keep(before: HookCircuits, hookIds: readonly string[]): void {
    for (const id of hookIds) {
      const circuit = before.#circuits.get(id);
      if (circuit !== undefined) this.#circuits.set(id, circuit);
    }
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
      hook.source === 'handler'
        ? 'Mend the handler; when it is registered again, it runs at once.'
        : 'Mend the hook; when the settings are read again, it runs at once.',
    ].join(' ');
  }
}

/**
 * The machine could not start it, or its process is gone, which has a pause of its own, or the input had two meanings: a model that sends such
 * inputs must not get the guard left out.
 */
const notItsFault: ReadonlySet<string> = new Set<HookCode>(['spawn_failed', 'handler_absent', 'ambiguous_input']);

/** A deny is what a guard is there for, and a hook that was cancelled, or that was not asked, has shown nothing. */
function endOf({ status, warnings }: HookOutcome): RunEnd {
  if (status === 'failed' && notItsFault.has(warnings[0]?.code ?? '')) return 'undecided';
  if (status === 'failed' || status === 'timed-out') return 'failed';
  return status === 'succeeded' || status === 'blocked' ? 'healthy' : 'undecided';
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
