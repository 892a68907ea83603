/** When the time of a job is up; it can be given another time while it runs. Does not hold the event loop open: the job does. */
export class Deadline {
  #at: number;
  #timer: NodeJS.Timeout | undefined;
  #action: (() => void) | undefined;

  /** `at`: of `performance.now()`. */
  constructor(at: number) {
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  /** So many milliseconds from now, also when the last deadline has just gone by and nobody has acted on it yet. */
  replace(timeoutMs: number): void {
    this.#at = performance.now() + timeoutMs;
    this.#arm();
  }

  /** The action is called at the deadline, unless clear() comes first. */
  onReached(action: () => void): void {
    this.#action = action;
    this.#arm();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#action = undefined;
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#action === undefined) return;
    const at = this.#at;
    // When the agent itself blocked the loop past the deadline, the timer comes before the news that the process ended in time; the rest of
    // this turn of the loop brings the news. An answer that is there must not be thrown away: it may be a deny.
    const reach = () => setImmediate(() => at === this.#at && this.#action?.());
    this.#timer = setTimeout(reach, Math.max(1, at - performance.now())).unref();
  }
}
