import pLimit from 'p-limit';

/**
 * Runs work in the order of arrival, at most `concurrency` at once. The only module that imports p-limit.
 *
 * p-limit cannot remove a single entry from its queue, so cancelled work and its data would stay in memory. So the waiting work is in a
 * queue of this class. The queue of p-limit only has tickets, each of which means "start the next work".
 */
export class Limiter {
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #waiting = new Set<() => Promise<void>>();
  #tickets = 0;
  #running = 0;

  constructor(concurrency: number) {
    this.#limit = pLimit(concurrency);
  }

  /** The number of entries that wait for a slot. Entries that start in this turn of the event loop are not counted. */
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

  /** Adds work. Its promise must not reject. The returned function removes the work if it has not started. */
  enter(work: () => Promise<void>): () => void {
    this.#waiting.add(work);
    // Removing work leaves its ticket in the queue of p-limit. If such a ticket is left, it starts the new work, and no further ticket is
    // needed.
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
