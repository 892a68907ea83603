/** The longest that needs no second thought; it never has to fire. */
const idleMs = 3_600_000;

/**
 * Holds the event loop open while anybody asks for it. Every other timer of this package is unreferenced, so that here alone is said what our
 * process has to stay for: jobs that have not settled, and a pending dispose().
 */
export class HoldOpen {
  #holders = 0;
  #timer: NodeJS.Timeout | undefined;

  hold(): void {
    this.#holders += 1;
    this.#timer ??= setInterval(() => {}, idleMs);
  }

  letGo(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
