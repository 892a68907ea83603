/** When a hook that keeps failing is left out for a while. */
export interface CircuitBreakerOptions {
  /** Failures within `windowMs` that open the circuit: an integer from 1 to 10000. A success between them does not erase them. */
  readonly failures: number;
  /** Milliseconds in which they are counted, 1 to 2147483647. */
  readonly windowMs: number;
  /** Milliseconds until the hook is tried again, 1 to 2147483647. */
  readonly pauseMs: number;
}

/** `closed`: the hook runs. `open`: it is left out. `half-open`: one run is let through as a trial. */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** `undecided`: it was cancelled or had no turn, so it says nothing about the hook. */
export type RunEnd = 'healthy' | 'failed' | 'undecided';

/** Why a run is not let through. */
export interface CircuitRefusal {
  /** Trials that failed since the circuit opened. */
  readonly failedTrials: number;
  readonly lastFailure: string;
  /** Milliseconds until the next trial; 0 while one is under way. */
  readonly retryInMs: number;
}

/** The most characters of a failure's message that are kept: it is told at every event for as long as the circuit is open. */
const maxMessage = 300;

/**
 * Whether one hook is let through, by how its runs ended. Pure but for its own state: time is an argument.
 * - A success between failures does not erase them: of a hook that fails every other time, counting failures in a row would never open.
 * - A run that began before a change of state is not counted after it: many that were under way together are one trouble, not many.
 */
export class Circuit {
  readonly #options: CircuitBreakerOptions;
  #state: CircuitState = 'closed';
  /** Changes with each change of state; a run carries the one in which it began. */
  #period = 0;
  /** When the last failures were, oldest first; never more than open the circuit. */
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

  /** Why no run is let through now; undefined when one is. Changes nothing. */
  refusalAt(nowMs: number): CircuitRefusal | undefined {
    if (this.#state === 'closed' || (this.#state === 'half-open' && !this.#isTrying)) return undefined;
    const retryInMs = this.#state === 'open' ? this.#openedAtMs + this.#options.pauseMs - nowMs : 0;
    if (this.#state === 'open' && retryInMs <= 0) return undefined;
    return { failedTrials: this.#failedTrials, lastFailure: this.#lastFailure, retryInMs };
  }

  /** A run that nothing refuses begins. Returns its turn, which `end` takes back; each exactly once. */
  begin(): number {
    if (this.#state === 'open') this.#change('half-open');
    if (this.#state === 'half-open') this.#isTrying = true;
    return this.#period;
  }

  /** `message` is what a failure said of itself. */
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
