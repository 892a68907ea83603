import { type BusStream, createStream, type Sink } from './streams.js';

interface Observed<Value> {
  readonly sink: Sink<Value>;
  queue: Value[];
  isScheduled: boolean;
}

/**
 * The maximum number of values that an observer receives in one turn of the event loop. Without it, a long queue would delay
 * everything else.
 */
const valuesPerTurn = 64;

/**
 * A stream whose observers never delay its producer (decision 48). Each observer has a queue, which is emptied in later turns of
 * the event loop. A full queue drops its oldest values and counts them. Observers do not receive values from before they
 * subscribed.
 */
export class BoundedStream<Value> {
  readonly values$: BusStream<Value>;
  readonly #bound: number;
  readonly #observers = new Set<Observed<Value>>();
  readonly #copy: (value: Value) => Value;
  #dropped = 0;
  #isClosed = false;

  /**
   * `copy` creates the value for each observer. `onObserved` is called after the first observer has subscribed and after the last
   * observer has unsubscribed.
   */
  constructor(bound: number, copy: (value: Value) => Value, onObserved: (isObserved: boolean) => void = () => {}) {
    this.#bound = bound;
    this.#copy = copy;
    this.values$ = createStream<Value>((sink) => {
      if (this.#isClosed) {
        sink.complete();
        return () => {};
      }
      const observer: Observed<Value> = { sink, queue: [], isScheduled: false };
      this.#observers.add(observer);
      if (this.#observers.size === 1) onObserved(true);
      return () => {
        observer.queue = [];
        if (this.#observers.delete(observer) && this.#observers.size === 0) onObserved(false);
      };
    });
  }

  /** Whether there are observers. Without observers the producer creates no values. */
  get isObserved(): boolean {
    return this.#observers.size > 0;
  }

  /** The number of values that observers have missed, as a sum over all observers. */
  get dropped(): number {
    const waiting = [...this.#observers].map(({ queue }) => Math.max(0, queue.length - this.#bound));
    return waiting.reduce((sum, excess) => sum + excess, this.#dropped);
  }

  push(value: Value): void {
    if (this.#isClosed) return;
    for (const observer of this.#observers) {
      observer.queue.push(value);
      // The queue may grow to twice the bound before its oldest values are removed. Removing them one by one would move the whole
      // queue for each event.
      if (observer.queue.length >= this.#bound * 2) this.#trim(observer);
      if (!observer.isScheduled) this.#schedule(observer);
    }
  }

  /** Completes the stream of each observer after the values in its queue. Values that are pushed later are ignored. */
  close(): void {
    this.#isClosed = true;
    for (const observer of [...this.#observers]) if (!observer.isScheduled) observer.sink.complete();
  }

  #schedule(observer: Observed<Value>): void {
    observer.isScheduled = true;
    setTimeout(() => {
      observer.isScheduled = false;
      this.#trim(observer);
      const values = observer.queue.splice(0, valuesPerTurn);
      if (observer.queue.length > 0) this.#schedule(observer);
      for (const value of values) if (this.#observers.has(observer)) observer.sink.next(this.#copy(value));
      if (this.#isClosed && !observer.isScheduled) observer.sink.complete();
    }, 0);
  }

  #trim(observer: Observed<Value>): void {
    const excess = observer.queue.length - this.#bound;
    if (excess <= 0) return;
    observer.queue.splice(0, excess);
    this.#dropped += excess;
    observer.sink.dropped?.(excess);
  }
}
