import { describeHook, type HookCode, type HookDefinition, type HookOutcome, hookLevels } from '@tenterhook/protocol';
import { sentence } from '@tenterhook/runtime/text';
import { isDenyingCrash } from '../../outcome/failure-policy.js';
import { hookKey, keyOfHook } from '../../outcome/hook-key.js';
import { Circuit, type CircuitBreakerOptions, type CircuitRefusal, type CircuitState, type RunEnd } from './circuit.js';

/** The answer of a hook's circuit before a run. A circuit knows how the last runs of one hook ended. */
export type Entrance =
  /** The hook is skipped. `refusal` is the reason. */
  | { readonly refusal: string }
  /** The hook may run. Call `end` once, with the outcome. */
  | { readonly refusal?: undefined; end(outcome: HookOutcome): void };

/** The part of a set of hooks that a circuit breaker reads. */
interface HooksByEvent {
  readonly hooks: Readonly<Record<string, readonly HookDefinition[]>>;
}

/**
 * Manages one circuit per hook. Circuits belong to a set of hooks. A reload makes a new set with closed circuits, because the user may
 * have fixed the hook. If a hook object is also in the previous set, it keeps its circuit. So registering a handler does not reset the
 * circuits of commands.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #now: () => number;
  readonly #ofSets = new WeakMap<HooksByEvent, HookCircuits>();
  #last: { readonly set: HooksByEvent; readonly circuits: HookCircuits } | undefined;

  /** `now` returns milliseconds of a monotonic clock. */
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

/**
 * The circuits of one set of hooks, by id and by the level of the hook's settings. The id alone is not enough. A repository's copy of a
 * user's hook can have the same id on another event, and its failures must not open the circuit of the user's hook.
 */
export class HookCircuits {
  readonly #options: CircuitBreakerOptions;
  readonly #now: () => number;
  readonly #circuits = new Map<string, Circuit>();

  constructor(options: CircuitBreakerOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** Returns why the hook would be skipped now, or undefined. Changes nothing, so `explain` may call it. */
  refusalOf(hook: HookDefinition): string | undefined {
    const refusal = this.#circuits.get(keyOfHook(hook))?.refusalAt(this.#now());
    return refusal === undefined ? undefined : this.#describe(hook, refusal);
  }

  /** Must be called right before a hook runs. Calls `onChange` for each change of state that this run causes. */
  enter(hook: HookDefinition, onChange: (state: CircuitState) => void): Entrance {
    const refusal = this.refusalOf(hook);
    if (refusal !== undefined) return { refusal };
    const circuit = this.#circuitOf(keyOfHook(hook));
    const reportChange = <Value>(change: () => Value): Value => {
      const before = circuit.state;
      const value = change();
      if (circuit.state !== before) onChange(circuit.state);
      return value;
    };
    const turn = reportChange(() => circuit.begin());
    const end = (outcome: HookOutcome) =>
      reportChange(() => circuit.end(turn, endOf(outcome, hook), this.#now(), outcome.warnings[0]?.message ?? `It ${outcome.status}.`));
    return { end };
  }

  /** Takes over the circuits of unchanged hooks. Both sets then share these circuits, because an event may still run with the older set. */
  keep(before: HookCircuits, hookIds: readonly string[]): void {
    for (const key of hookIds.flatMap((id) => hookLevels.map((level) => hookKey(level, id)))) {
      const circuit = before.#circuits.get(key);
      if (circuit !== undefined) this.#circuits.set(key, circuit);
    }
  }

  #circuitOf(key: string): Circuit {
    let circuit = this.#circuits.get(key);
    if (circuit === undefined) {
      circuit = new Circuit(this.#options);
      this.#circuits.set(key, circuit);
    }
    return circuit;
  }

  #describe(hook: HookDefinition, { failedTrials, lastFailure, retryInMs }: CircuitRefusal): string {
    const { failures, windowMs } = this.#options;
    const again = failedTrials === 0 ? '' : `, and ${times(failedTrials)} when it was tried again`;
    const next =
      retryInMs === 0
        ? 'The hook is being tried again now.'
        : `The hook is tried again at the first event after ${Math.ceil(retryInMs)} ms.`;
    return [
      `${describeHook(hook)} is skipped: it failed ${times(failures)} within ${windowMs} ms${again}.`,
      next,
      ...(hook.onError === 'block' ? [] : ['Until then operations continue without the hook.']),
      `Last failure: ${sentence(lastFailure)}`,
      hook.remedy ??
        (hook.source === 'handler'
          ? 'Fix the handler. It runs again as soon as it is registered again.'
          : 'Fix the hook. It runs again as soon as the settings are reloaded.'),
    ].join(' ');
  }
}

/**
 * Failures that the circuit ignores, because a model or another hook could cause them to switch off a guard. In most of them the hook is
 * not the cause: it could not be started, its process was killed or is gone, or the input is ambiguous. `unstable_rewrite` is caused by
 * the rewrite of another hook.
 */
const notCounted: ReadonlySet<string> = new Set<HookCode>([
  'spawn_failed',
  'too_nested',
  'handler_absent',
  'ambiguous_input',
  'unstable_rewrite',
  'guard_killed',
]);

/**
 * Returns what a run shows about the hook. A deny is healthy, because guards are meant to deny. A run that was cancelled or never started
 * shows nothing. Nor does a crash or a timeout that denies: with an open circuit, the operations would continue instead.
 */
function endOf({ status, warnings }: HookOutcome, hook: HookDefinition): RunEnd {
  const { code } = warnings[0] ?? {};
  if (isDenyingCrash(code, hook) && (status === 'failed' || status === 'timed-out')) return 'undecided';
  if (status === 'failed' && notCounted.has(code ?? '')) return 'undecided';
  if (status === 'failed' || status === 'timed-out') return 'failed';
  return status === 'succeeded' || status === 'blocked' ? 'healthy' : 'undecided';
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
