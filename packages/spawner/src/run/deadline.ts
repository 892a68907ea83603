/** The deadline of a job, which can be replaced while the job runs. Its timer does not keep the event loop alive; the job does. */
export class Deadline {
  #at: number;
  #timer: NodeJS.Timeout | undefined;
  #action: (() => void) | undefined;

  /** `at`: a time of `performance.now()`. */
  constructor(at: number) {
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  /**
   * Sets the deadline to `timeoutMs` milliseconds from now. Works also if the old deadline has just passed and its action was not called
   * yet.
   */
  replace(timeoutMs: number): void {
    this.#at = performance.now() + timeoutMs;
    this.#arm();
  }

  /** Calls the action at the deadline, unless clear() is called first. */
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
    // The action runs after this turn of the event loop. If the agent blocked the loop past the deadline, the timer fires first. The end of
    // the process is reported later in the same turn. Its answer came in time and may be a deny, so it must not be lost.
    const reach = () => setImmediate(() => at === this.#at && this.#action?.());
    this.#timer = setTimeout(reach, Math.max(1, at - performance.now())).unref();
  }
}
