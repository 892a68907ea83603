import { type BusMessage, type Channel, TenterhookError } from '@tenterhook/protocol';
import { guarded } from '@tenterhook/runtime/log';
import { EventEmitter } from 'eventemitter3';
import { type Delivery, keyOfMessage, serverKey, type Transport, type TransportListener } from './transport.js';

interface Waiting {
  readonly message: BusMessage;
  readonly resolve: (delivery: Delivery) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The servers of a channel or, on a routed channel, of one route. The list is replaced and never changed, so that a delivery in progress
 * can continue with the old one. `turn` counts the deliveries, so that servers take turns.
 */
interface Servers {
  list: readonly TransportListener[];
  turn: number;
}

/**
 * Carries messages within one process. When publish() returns, all listeners have received the message.
 *
 * There is one exception: a message that a listener publishes during a delivery waits until that delivery ends, and publish() returns a
 * promise. So all listeners receive messages in the same order, and two listeners that answer each other cannot overflow the stack.
 */
export class MemoryTransport implements Transport {
  readonly name = 'memory';
  readonly #subscribers = new EventEmitter<Channel>();
  readonly #servers = new Map<string, Servers>();
  #queue: Waiting[] = [];
  #isDelivering = false;
  #isClosed = false;

  publish(message: BusMessage): Delivery | Promise<Delivery> {
    if (this.#isClosed) return Promise.reject(disposed());
    if (this.#isDelivering) {
      return new Promise((resolve, reject) => this.#queue.push({ message, resolve, reject }));
    }
    this.#isDelivering = true;
    try {
      return this.#deliver(message);
    } finally {
      if (this.#queue.length > 0) this.#drain();
      this.#isDelivering = false;
    }
  }

  subscribe(channel: Channel, listener: TransportListener): () => void {
    let isSubscribed = true;
    // The emitter still calls a listener that was removed during the delivery, so it is skipped here.
    const safe = guarded((message: BusMessage) => {
      return isSubscribed && !this.#isClosed ? listener(message) : undefined;
    }, `a listener of ${channel}`);
    this.#subscribers.on(channel, safe);
    return () => {
      isSubscribed = false;
      this.#subscribers.off(channel, safe);
    };
  }

  isSubscribed(channel: Channel): boolean {
    return this.#subscribers.listenerCount(channel) > 0;
  }

  serve(channel: Channel, listener: TransportListener, route?: string): () => void {
    const safe = guarded(listener, `a server of ${channel}`);
    const key = serverKey(channel, route);
    const servers = this.#servers.get(key) ?? { list: [], turn: 0 };
    servers.list = [...servers.list, safe];
    this.#servers.set(key, servers);
    return () => {
      servers.list = servers.list.filter((other) => other !== safe);
      // New routes are added all the time. If routes without servers stayed in the map, it would grow without limit.
      if (servers.list.length === 0 && this.#servers.get(key) === servers) this.#servers.delete(key);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#subscribers.removeAllListeners();
    this.#servers.clear();
    const dropped = this.#queue;
    this.#queue = [];
    for (const { reject } of dropped) reject(disposed());
  }

  /** Calls `close()` at the end of a scope: `await using transport = new MemoryTransport()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Delivers to the subscribers first, so that they see a request before its progress messages. */
  #deliver(message: BusMessage): Delivery {
    this.#subscribers.emit(message.type, message);
    const servers = this.#servers.size === 0 ? undefined : this.#servers.get(keyOfMessage(message));
    if (servers === undefined) return 'unserved';
    // The server is chosen now. A server that was chosen at publish() may have been removed since, and the message would be lost.
    const turn = servers.turn % servers.list.length;
    servers.turn = turn + 1;
    servers.list[turn]?.(message);
    return 'served';
  }

  #drain(): void {
    // The loop uses an index, because shift() is slow for a long queue. close() replaces the array, which ends the loop.
    const queue = this.#queue;
    for (let next = 0; next < queue.length && queue === this.#queue; next += 1) {
      const { message, resolve } = queue[next] as Waiting;
      resolve(this.#deliver(message));
    }
    if (queue === this.#queue) this.#queue = [];
  }
}

function disposed(): Error {
  return new TenterhookError('disposed', 'The memory transport is closed.');
}
