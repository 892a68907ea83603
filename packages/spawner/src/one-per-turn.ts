/**
 * Lets one caller per turn of the event loop continue; the first one continues at once. It is for steps that block the loop. Several of
 * them in one turn would freeze the agent for the sum of their times, during which no timeout fires and no other event is answered.
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
