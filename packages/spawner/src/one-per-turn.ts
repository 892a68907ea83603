/**
 * Lets one caller per turn of the event loop continue. Used for steps that block the loop. Several such steps in one turn would freeze the
 * agent for the sum of their times: no timeout would fire, and no other event would be answered.
 */
export class OnePerTurn {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn, in the order of calls. */
  take(): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    setImmediate(this.#next);
    return Promise.resolve();
  }

  readonly #next = (): void => {
    const resolve = this.#waiting.shift();
    if (resolve === undefined) {
      this.#isTaken = false;
    } else {
      resolve();
      setImmediate(this.#next);
    }
  };
}
