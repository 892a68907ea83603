import pLimit from 'p-limit';

/**
 * Runs work in the order of arrival, at most `concurrency` at once. The only module that imports p-limit.
 *
 * Waiting work is kept here. p-limit only holds tickets ("start the next one"), because it cannot remove a single entry from its queue:
 * cancelled work would stay there, with everything that it refers to, until its turn.
 */
export class Limiter {
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #waiting = new Set<() => Promise<void>>();
  #tickets = 0;
  #running = 0;

  constructor(concurrency: number) {
    this.#limit = pLimit(concurrency);
  }

  /** The number of works that wait for a slot. Work that starts in this turn of the loop is not counted. */
  get queued(): number {
    return Math.max(0, this.#waiting.size - this.#free);
  }

  /** Whether work that is entered now would start in this turn of the loop. */
  get hasFreeSlot(): boolean {
    return this.#waiting.size < this.#free;
  }

  get #free(): number {
    return this.#limit.concurrency - this.#running;
  }

  /** Adds work, which must not reject. The returned function removes the work if it has not started. */
  enter(work: () => Promise<void>): () => void {
    this.#waiting.add(work);
    // If the work of a ticket was removed, the ticket is still in the queue and serves the new work.
    if (this.#waiting.size > this.#tickets) {
      this.#tickets += 1;
      void this.#limit(this.#admit);
    }
    return () => this.#waiting.delete(work);
  }

  readonly #admit = async (): Promise<void> => {
    this.#tickets -= 1;
    const [work] = this.#waiting;
    if (work === undefined) return;
    this.#waiting.delete(work);
    this.#running += 1;
    try {
      await work();
    } finally {
      this.#running -= 1;
    }
  };
}
