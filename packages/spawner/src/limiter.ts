import pLimit from 'p-limit';

/**
 * Runs work first come, first served, at most `concurrency` at once. The only door to p-limit.
 *
 * What waits is kept here and p-limit holds tickets ("let the next one in"), because p-limit cannot take back one entry of its queue:
 * cancelled work would stay in it, with everything it refers to, until its turn.
 */
export class Limiter {
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #waiting = new Set<() => Promise<void>>();
  #tickets = 0;
  #running = 0;

  constructor(concurrency: number) {
    this.#limit = pLimit(concurrency);
  }

  /** Work that finds no free slot. Work that will begin in this very turn is not counted. */
  get queued(): number {
    return Math.max(0, this.#waiting.size - this.#free);
  }

  /** Whether work entered now would begin in this turn. */
  get hasFreeSlot(): boolean {
    return this.#waiting.size < this.#free;
  }

  get #free(): number {
    return this.#limit.concurrency - this.#running;
  }

  /** Enters work, which must not reject; the returned function takes it back while it has not begun. */
  enter(work: () => Promise<void>): () => void {
    this.#waiting.add(work);
    // A ticket whose work was taken back is still in the queue and serves this one.
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
