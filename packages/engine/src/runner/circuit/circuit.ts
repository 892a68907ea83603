import { longestTimerMs } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption } from '@tenterhook/runtime/text';

/** When a hook that keeps failing is skipped for a while. */
export interface CircuitBreakerOptions {
  /** The number of failures within `windowMs` that opens the circuit, an integer from 1 to 10000. A success does not reset the count. */
  readonly failures: number;
  /** Milliseconds within which failures are counted, 1 to 2147483647. */
  readonly windowMs: number;
  /** Milliseconds until the hook is tried again, 1 to 2147483647. */
  readonly pauseMs: number;
}

/** The maximum of `failures`. A circuit stores the time of each failure, so this maximum limits its memory. */
const mostFailures = 10_000;

const optionNames = ['failures', 'windowMs', 'pauseMs'] as const;

/** Checks the options. Throws a TypeError with the invalid field and its value. */
export function requireCircuitBreaker(options: unknown): CircuitBreakerOptions {
  if (!isPlainObject(options))
    throw new TypeError(`"circuitBreaker" must be { ${optionNames.join(', ')} }, and is ${describeOption(options)}.`);
  const unknown = Object.keys(options).find((key) => !(optionNames as readonly string[]).includes(key));
  if (unknown !== undefined) throw new TypeError(`"circuitBreaker" has no option "${unknown}". Its options are ${optionNames.join(', ')}.`);
  const { failures, windowMs, pauseMs } = options;
  if (!Number.isInteger(failures) || !isFrom1To(failures, mostFailures)) {
    throw new TypeError(`"circuitBreaker.failures" must be an integer from 1 to ${mostFailures}, and is ${describeOption(failures)}.`);
  }
  for (const [field, value] of Object.entries({ windowMs, pauseMs })) {
    if (isFrom1To(value, longestTimerMs)) continue;
    throw new TypeError(
      `"circuitBreaker.${field}" must be a number of milliseconds from 1 to ${longestTimerMs}, and is ${describeOption(value)}.`,
    );
  }
  // The options are copied, so that the caller cannot change them after the check.
  return { failures: failures as number, windowMs: windowMs as number, pauseMs: pauseMs as number };
}

function isFrom1To(value: unknown, most: number): value is number {
  return typeof value === 'number' && value >= 1 && value <= most;
}

/** The state of a circuit. `closed`: the hook runs. `open`: it is skipped. `half-open`: one run is allowed as a trial. */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** How a run ended. `undecided`: it was cancelled or never started, so it shows nothing about the hook. */
export type RunEnd = 'healthy' | 'failed' | 'undecided';

/** Why a run is refused. */
export interface CircuitRefusal {
  /** Trials that failed since the circuit opened. */
  readonly failedTrials: number;
  readonly lastFailure: string;
  /** Milliseconds until the next trial, or 0 while one is in progress. */
  readonly retryInMs: number;
}

/** The maximum length of the failure message. The message is repeated at every event while the circuit is open. */
const maxMessage = 300;

/**
 * Decides whether one hook may run, by how its earlier runs ended. Reads no clock, so the caller passes the time.
 * - A success does not reset the count of failures. Otherwise the circuit of a hook that fails every other time would never open.
 * - If the state changes during a run, the end of this run is ignored. Many runs that fail together count as one problem.
 */
export class Circuit {
  readonly #options: CircuitBreakerOptions;
  #state: CircuitState = 'closed';
  /**
   * The number of changes of state so far. A run stores this number at its start. At its end it can then find out whether the state has
   * changed.
   */
  #period = 0;
  /** The times of the last failures, oldest first. Only as many times are stored as are needed to open the circuit. */
  #failuresAtMs: number[] = [];
  #openedAtMs = 0;
  #isTrying = false;
  #failedTrials = 0;
  #lastFailure = '';

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  get state(): CircuitState {
    return this.#state;
  }

  /** Returns why a run would be refused now, or undefined if it may start. Changes nothing. */
  refusalAt(nowMs: number): CircuitRefusal | undefined {
    if (this.#state === 'closed' || (this.#state === 'half-open' && !this.#isTrying)) return undefined;
    const retryInMs = this.#state === 'open' ? this.#openedAtMs + this.#options.pauseMs - nowMs : 0;
    if (this.#state === 'open' && retryInMs <= 0) return undefined;
    return { failedTrials: this.#failedTrials, lastFailure: this.#lastFailure, retryInMs };
  }

  /** Records the start of a run that was not refused. Returns the period, which must be passed to `end` once. */
  begin(): number {
    if (this.#state === 'open') this.#change('half-open');
    if (this.#state === 'half-open') this.#isTrying = true;
    return this.#period;
  }

  /** Ends a run. `message`: the message of its failure. */
  end(turn: number, end: RunEnd, nowMs: number, message: string): void {
    if (turn !== this.#period) return;
    if (this.#state === 'half-open') this.#endTrial(end, nowMs, message);
    else if (end === 'failed') this.#addFailure(nowMs, message);
  }

  #endTrial(end: RunEnd, nowMs: number, message: string): void {
    this.#isTrying = false;
    if (end === 'healthy') {
      this.#failuresAtMs = [];
      this.#failedTrials = 0;
      this.#change('closed');
    } else if (end === 'failed') {
      this.#failedTrials += 1;
      this.#open(nowMs, message);
    }
  }

  #addFailure(nowMs: number, message: string): void {
    const { failures, windowMs } = this.#options;
    this.#failuresAtMs.push(nowMs);
    if (this.#failuresAtMs.length > failures) this.#failuresAtMs.shift();
    const [first = nowMs] = this.#failuresAtMs;
    if (this.#failuresAtMs.length === failures && nowMs - first <= windowMs) this.#open(nowMs, message);
  }

  #open(nowMs: number, message: string): void {
    this.#openedAtMs = nowMs;
    this.#lastFailure = message.length > maxMessage ? `${message.slice(0, maxMessage - 1)}…` : message;
    this.#change('open');
  }

  #change(state: CircuitState): void {
    this.#state = state;
    this.#period += 1;
  }
}
