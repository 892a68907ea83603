import { MemoryTransport, type TransportListener } from '@tenterhook/bus';
import { markUnsolicited } from '@tenterhook/bus/internal';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { guarded } from '@tenterhook/runtime/log';

/**
 * The subscribers in this process. The server is asked for all messages of a channel only while a subscriber wants all of them.
 */
export class ClientListeners {
  readonly #local = new MemoryTransport();
  readonly #addressed = new Map<Channel, Set<TransportListener>>();
  readonly #counts = new Map<Channel, number>();
  readonly #stops = new Map<Channel, readonly (() => void)[]>();
  readonly #listenToAll: (channel: Channel) => readonly (() => void)[];
  #isClosed = false;

  /** `listenToAll` subscribes to all messages of a channel, and returns the functions that end this. */
  constructor(listenToAll: (channel: Channel) => readonly (() => void)[]) {
    this.#listenToAll = listenToAll;
  }

  /** Adds a subscriber of all messages of the channel. */
  subscribe(channel: Channel, listener: TransportListener): () => void {
    const unsubscribe = this.#local.subscribe(channel, listener);
    if (this.#count(channel, 1) === 1 && !this.#isClosed) this.#stops.set(channel, this.#listenToAll(channel));
    return once(() => {
      unsubscribe();
      if (this.#count(channel, -1) > 0) return;
      for (const stop of this.#stops.get(channel) ?? []) stop();
      this.#stops.delete(channel);
    });
  }

  /** Adds a subscriber that needs only what is addressed to this process. */
  subscribeAddressed(channel: Channel, listener: TransportListener): () => void {
    const safe = guarded(listener, `a listener of ${channel}`);
    const unsubscribe = this.#local.subscribe(channel, safe);
    const addressed = this.#addressed.get(channel) ?? new Set();
    this.#addressed.set(channel, addressed);
    addressed.add(safe);
    return () => {
      addressed.delete(safe);
      unsubscribe();
    };
  }

  isSubscribed(channel: Channel): boolean {
    return (this.#counts.get(channel) ?? 0) > 0;
  }

  deliver(message: BusMessage): void {
    const delivered = this.#local.publish(message);
    // A message that a listener publishes waits for its turn. If the transport is closed meanwhile, it is not delivered.
    if (typeof delivered !== 'string') delivered.catch(() => {});
  }

  /** Delivers a message that settles, cancels or ends nothing. */
  deliverUnsolicited(message: BusMessage): void {
    markUnsolicited(message);
    this.deliver(message);
  }

  /** Delivers a message once more, to the listeners of addressed messages. */
  redeliver(message: BusMessage): void {
    for (const listener of this.#addressed.get(message.type) ?? []) listener(message);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#addressed.clear();
    await this.#local.close();
  }

  #count(channel: Channel, change: 1 | -1): number {
    const count = (this.#counts.get(channel) ?? 0) + change;
    this.#counts.set(channel, count);
    return count;
  }
}

/** Returns a function that has an effect only at its first call. */
export function once(end: () => void): () => void {
  let isEnded = false;
  return () => {
    if (isEnded) return;
    isEnded = true;
    end();
  };
}
