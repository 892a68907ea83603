import { type BusMessage, type Channel, TenterhookError } from '@tenterhook/protocol';
import { guarded } from '@tenterhook/runtime/log';
import { EventEmitter } from 'eventemitter3';
import { type Delivery, keyOfMessage, serverKey, type Transport, type TransportListener } from './transport.js';

interface Waiting {
  readonly message: BusMessage;
  readonly resolve: (delivery: Delivery) => void;
  readonly reject: (error: Error) => void;
}

/** The servers of one channel, and on a routed channel of one route. The list is replaced, never changed, so that a turn in progress is not disturbed. */
interface Servers {
  list: readonly TransportListener[];
  turn: number;
}

/**
 * Carries messages within one process: publish() has reached all listeners when it returns.
 *
 * A message that a listener publishes during a delivery waits until the current message has reached all listeners, so that all
 * listeners see one order, and two that answer each other do not recurse into a stack overflow. Such a publish() returns a promise.
 * Two listeners that answer each other for ever do so for ever.
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
    // The emitter goes on with the list it began with, so a listener that was removed during a delivery has to be stopped here.
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
      // Routes come and go with their servers, so an unused one must leave nothing in the map.
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

  /** `close()` at the end of a scope: `await using transport = new MemoryTransport()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Subscribers first: they see a request before the server's progress on it. */
  #deliver(message: BusMessage): Delivery {
    this.#subscribers.emit(message.type, message);
    const servers = this.#servers.get(keyOfMessage(message));
    if (servers === undefined) return 'unserved';
    // Chosen now, not when the message was published: a server chosen then may be gone, and the message would be lost.
    const turn = servers.turn % servers.list.length;
    servers.turn = turn + 1;
    servers.list[turn]?.(message);
    return 'served';
  }

  #drain(): void {
    // By index: shift() would make a long queue quadratic. The array is replaced by close(), which ends the loop.
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
