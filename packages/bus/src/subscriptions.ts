import type { BusMessage, Channel } from '@tenterhook/protocol';
import { createLog, guarded } from '@tenterhook/runtime/log';
import { copyForSubscribers } from './subscriber-copy.js';
import type { ConnectionState, Transport, TransportListener } from './transport.js';

const log = createLog('bus');

/** What subscribers receive: frozen copies, or the published objects themselves. */
export type Objects = 'copies' | 'originals';

interface Subscription {
  readonly channel: Channel;
  readonly remove: () => void;
  readonly onClose: () => void;
}

/**
 * The listeners of a bus: its subscribers, its servers, and its own listeners. They are in one class, so that close() can remove all of
 * them.
 */
export class Subscriptions {
  readonly #transport: Transport;
  readonly #subscribers = new Set<Subscription>();
  readonly #servers = new Set<() => void>();
  readonly #own = new Map<Channel, () => void>();
  readonly #connectionWatches = new Set<() => void>();
  readonly #counts = new Map<Channel, number>();
  #state: 'open' | 'closing' | 'closed' = 'open';

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Adds a subscriber. Calls `onClose` when the bus is closed, or at once if it already is. With `originals`, the subscriber receives the
   * published objects themselves.
   */
  add(channel: Channel, subscriber: (message: BusMessage) => void, onClose: () => void, objects: Objects = 'copies'): () => void {
    if (this.#state !== 'open') {
      log('nothing will come from %s: the bus is closed', channel);
      onClose();
      return () => {};
    }
    let isActive = true;
    const safe = guarded(subscriber, `a subscriber of ${channel}`);
    // A delivery in progress may still have this subscriber in its list.
    const unsubscribe = this.#transport.subscribe(channel, (message) => {
      if (isActive) safe(objects === 'copies' ? copyForSubscribers(message) : message);
    });
    this.#count(channel, 1);
    const subscription = {
      channel,
      onClose,
      remove: () => {
        if (!isActive) return;
        isActive = false;
        this.#subscribers.delete(subscription);
        this.#count(channel, -1);
        unsubscribe();
      },
    };
    this.#subscribers.add(subscription);
    return subscription.remove;
  }

  addServer(channel: Channel, serve: () => () => void): () => void {
    if (this.#state !== 'open') {
      log('no request of %s will come: the bus is closed', channel);
      return () => {};
    }
    const stop = serve();
    this.#count(channel, 1);
    const remove = () => {
      if (!this.#servers.delete(remove)) return;
      this.#count(channel, -1);
      stop();
    };
    this.#servers.add(remove);
    return remove;
  }

  /** Adds the bus's own listener of a channel, once for all requests. */
  listen(channel: Channel, listener: TransportListener): void {
    if (this.#state !== 'open' || this.#own.has(channel)) return;
    this.#own.set(channel, this.#transport.subscribe(channel, listener, 'addressed'));
  }

  /** Adds a listener of the connection. Listeners are called in the order in which they were added. */
  watchConnection(listener: (state: ConnectionState) => void): () => void {
    if (this.#state !== 'open' || this.#transport.onConnectionChange === undefined) return () => {};
    let isActive = true;
    const safe = guarded(listener, 'a listener of the connection');
    const unwatch = this.#transport.onConnectionChange((state) => {
      if (isActive) safe(state);
    });
    const remove = () => {
      isActive = false;
      if (this.#connectionWatches.delete(remove)) unwatch();
    };
    this.#connectionWatches.add(remove);
    return remove;
  }

  /** Whether this bus has a subscriber of the channel. */
  isSubscribed(channel: Channel): boolean {
    return [...this.#subscribers].some((subscription) => subscription.channel === channel);
  }

  count(channel: Channel): number {
    return this.#counts.get(channel) ?? 0;
  }

  /** The first step of closing. The bus accepts no more requests, but subscribers still receive the responses to those in flight. */
  removeServers(): void {
    this.#state = 'closing';
    for (const remove of [...this.#servers]) remove();
  }

  removeAll(): void {
    this.#state = 'closed';
    for (const { remove, onClose } of [...this.#subscribers]) {
      remove();
      onClose();
    }
    for (const stop of this.#own.values()) stop();
    this.#own.clear();
    for (const remove of [...this.#connectionWatches]) remove();
  }

  #count(channel: Channel, change: 1 | -1): void {
    this.#counts.set(channel, this.count(channel) + change);
  }
}
