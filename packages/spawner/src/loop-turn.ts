/**
 * Lets one through per turn of the event loop; the first one at once. Node blocks the loop for 2 ms and more per start
 * (it forks, then waits for the exec), so a full set of slots filled in one turn would freeze the agent for the sum of them.
 */
export class LoopTurn {
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
