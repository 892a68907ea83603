/**
 * A deadline timer that consecutive waits share, such as those for the function hooks of one event. A platform timer for each wait was
 * rejected: creating and clearing the timers took nearly half of the time of ten hooks. Restarting one timer takes a fraction of that.
 */
export class DeadlineTimer {
  #timeout: NodeJS.Timeout | undefined;
  #ms: number | undefined;
  #passed: (() => void) | undefined;

  /** Starts a deadline, which replaces the previous one. */
  start(ms: number, passed: () => void): void {
    this.#passed = passed;
    if (ms === this.#ms) {
      this.#timeout?.refresh();
      return;
    }
    clearTimeout(this.#timeout);
    this.#ms = ms;
    this.#timeout = setTimeout(() => {
      // A timer that has fired does not keep the process alive after a restart. So the next deadline gets a new one.
      this.#ms = undefined;
      this.#passed?.();
    }, ms);
  }

  /** Stops the deadline of this wait. The deadline of a later wait continues, even if this one ends late. */
  stop(passed: () => void): void {
    if (this.#passed === passed) this.#passed = undefined;
  }

  /** Must be called after the last wait. Otherwise the platform timer would keep the process alive. */
  end(): void {
    clearTimeout(this.#timeout);
  }
}
