const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** How long a process that died is not started again: not at all after the first death, then 1, 2, 4 … 60 s. */
export class Backoff {
  readonly #now: () => number;
  #deaths = 0;
  #until = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The number of deaths since the last answer. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Milliseconds that are left of the pause. */
  get leftMs(): number {
    return Math.max(0, this.#until - this.#now());
  }

  died(): void {
    this.#deaths += 1;
    if (this.#deaths > 1) this.#until = this.#now() + Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#deaths - 2));
  }

  answered(): void {
    this.#deaths = 0;
  }
}
