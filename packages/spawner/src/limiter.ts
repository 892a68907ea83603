import pLimit from 'p-limit';

/**
 * Runs work first come, first served, at most `concurrency` at once. The only module that imports p-limit.
 *
 * Waiting work is kept here, and p-limit holds only tickets ("start the next one"), because p-limit cannot remove one entry from its queue:
 * cancelled work would stay there, with everything it refers to, until its turn.
 */
export class Limiter {
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #waiting = new Set<() => Promise<void>>();
  #tickets = 0;
  #running = 0;

  constructor(concurrency: number) {
    this.#limit = pLimit(concurrency);
  }

  /** Work without a free slot. Work that will start in this turn of the loop is not counted. */
  get queued(): number {
    return Math.max(0, this.#waiting.size - this.#free);
  }

  /** Whether work entered now would start in this turn. */
  get hasFreeSlot(): boolean {
    return this.#waiting.size < this.#free;
  }

  get #free(): number {
    return this.#limit.concurrency - this.#running;
  }

  /** Enters work, which must not reject. The returned function removes it if it has not started. */
  enter(work: () => Promise<void>): () => void {
    this.#waiting.add(work);
    // A ticket whose work was removed is still in the queue and serves this work.
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
