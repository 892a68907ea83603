import type { MessageBus } from '@tenterhook/bus';
import type { Channel, PayloadOf } from '@tenterhook/protocol';

/**
 * The listeners of `onProgress` and `onResult`. Disposing the `Hooks` object removes them, because the bus may belong to the caller and
 * stay open.
 */
export class EventWatches {
  readonly #bus: MessageBus;
  readonly #ends = new Set<() => void>();

  constructor(bus: MessageBus) {
    this.#bus = bus;
  }

  /** Adds a listener. Throws a TypeError if it is not a function. The returned function removes it. */
  add<C extends Channel>(channel: C, listener: (payload: PayloadOf<C>) => void): () => void {
    // The bus would treat any other value as the options of an async iteration.
    if (typeof listener !== 'function') throw new TypeError('The listener must be a function.');
    // Returns the result of the listener to the bus. If this is a promise that rejects, the bus logs the error.
    const unsubscribe = this.#bus.subscribe(channel, ({ payload }) => listener(payload));
    const end = () => {
      unsubscribe();
      this.#ends.delete(end);
    };
    this.#ends.add(end);
    return end;
  }

  clear(): void {
    for (const end of [...this.#ends]) end();
  }
}
