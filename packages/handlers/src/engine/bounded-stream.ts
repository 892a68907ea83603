import { createStream, type Observable } from '@tenterhook/bus/internal';

interface Observed<Value> {
  readonly next: (value: Value) => void;
  queue: Value[];
  isScheduled: boolean;
}

/** What one turn of the loop hands to an observer, so that a long queue does not hold up everything else. */
const valuesPerTurn = 64;

/**
 * A stream whose observers never hold up whoever feeds it (decision 48): each has a queue that is emptied in later turns of the loop. A queue
 * that is full loses its oldest values, and they are counted. Nothing is kept for observers that do not exist yet.
 */
export class BoundedStream<Value> {
  readonly values$: Observable<Value>;
  readonly #bound: number;
  readonly #observers = new Set<Observed<Value>>();
  #dropped = 0;

  /** Each observer gets what `copyOf` makes. `onObserved` is told when the first observer comes and when the last one has gone. */
  constructor(bound: number, copyOf: (value: Value) => Value, onObserved: (isObserved: boolean) => void = () => {}) {
    this.#bound = bound;
    this.values$ = createStream<Value>((sink) => {
      const observer: Observed<Value> = { next: (value) => sink.next(copyOf(value)), queue: [], isScheduled: false };
      this.#observers.add(observer);
      if (this.#observers.size === 1) onObserved(true);
      return () => {
        observer.queue = [];
        if (this.#observers.delete(observer) && this.#observers.size === 0) onObserved(false);
      };
    });
  }

  /** Whether anybody looks: what is only made for observers need not be made. */
  get isObserved(): boolean {
    return this.#observers.size > 0;
  }

  /** How many values observers have missed, over all of them. */
  get dropped(): number {
    const waiting = [...this.#observers].map(({ queue }) => Math.max(0, queue.length - this.#bound));
    return waiting.reduce((sum, excess) => sum + excess, this.#dropped);
  }

  push(value: Value): void {
    for (const observer of this.#observers) {
      observer.queue.push(value);
      // Twice the bound, so that the oldest are taken away in bulk: one at a time would move the whole queue for each event.
      if (observer.queue.length >= this.#bound * 2) this.#trim(observer);
      if (!observer.isScheduled) this.#schedule(observer);
    }
  }

  #schedule(observer: Observed<Value>): void {
    observer.isScheduled = true;
    setTimeout(() => {
      observer.isScheduled = false;
      this.#trim(observer);
      const values = observer.queue.splice(0, valuesPerTurn);
      if (observer.queue.length > 0) this.#schedule(observer);
      for (const value of values) if (this.#observers.has(observer)) observer.next(value);
    }, 0);
  }

  #trim(observer: Observed<Value>): void {
    const excess = observer.queue.length - this.#bound;
    if (excess <= 0) return;
    observer.queue.splice(0, excess);
    this.#dropped += excess;
  }
}
