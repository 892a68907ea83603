import { MemoryTransport, type TransportListener } from '@tenterhook/bus';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { guarded } from '@tenterhook/runtime/log';
import { type ClientFrame, protocolVersion, type ServerHello } from '../wire/socket-protocol.js';

interface ClientServer {
  readonly hello: ServerHello;
  readonly listener: TransportListener;
}

/**
 * The subscribers and servers in the process of a client. The hub knows each subscribed channel once, and each server by a number.
 */
export class ClientListeners {
  readonly #tell: (frame: ClientFrame) => void;
  /**
   * Delivers messages from the hub to the subscribers, in the order of the hub. A message that a subscriber publishes goes to the
   * hub first.
   */
  readonly #subscribers = new MemoryTransport();
  readonly #counts = new Map<Channel, number>();
  readonly #servers = new Map<number, ClientServer>();
  /**
   * Identifies the client to the hub. A reconnection does not change the identity, so the client can still answer requests that it
   * received before.
   */
  readonly #identity = globalThis.crypto.randomUUID();
  #serverCount = 0;
  #isClosed = false;

  constructor(tell: (frame: ClientFrame) => void) {
    this.#tell = tell;
  }

  get isEmpty(): boolean {
    return this.#counts.size + this.#servers.size === 0;
  }

  subscribe(channel: Channel, listener: TransportListener): () => void {
    const unsubscribe = this.#subscribers.subscribe(channel, listener);
    if (this.#count(channel, 1) === 1) this.#tell({ kind: 'subscribe', channel });
    let isSubscribed = true;
    return () => {
      if (!isSubscribed) return;
      isSubscribed = false;
      unsubscribe();
      if (this.#count(channel, -1) === 0) this.#tell({ kind: 'unsubscribe', channel });
    };
  }

  isSubscribed(channel: Channel): boolean {
    return this.#counts.has(channel);
  }

  serve(channel: Channel, listener: TransportListener, route: string | undefined): () => void {
    this.#serverCount += 1;
    const server = this.#serverCount;
    const hello = { server, channel, ...(route === undefined ? {} : { route }) };
    this.#servers.set(server, { hello, listener: guarded(listener, `a server of ${channel}`) });
    this.#tell({ kind: 'serve', ...hello });
    return () => {
      if (this.#servers.delete(server)) this.#tell({ kind: 'unserve', server });
    };
  }

  deliver(message: BusMessage): void {
    if (!this.#isClosed) this.#subscribers.publish(message);
  }

  /** Returns the listener of a server, or undefined if the server has stopped in the meantime. */
  server(number: number | undefined): TransportListener | undefined {
    return this.#servers.get(number as number)?.listener;
  }

  /** Returns the first frame of a connection. It lists all subscriptions and servers, so that no later message is missed. `mark`: see `TurnMark`. */
  hello(mark: string | undefined): ClientFrame {
    const servers = [...this.#servers.values()].map(({ hello }) => hello);
    const channels = [...this.#counts.keys()];
    return {
      kind: 'hello',
      protocol: protocolVersion,
      identity: this.#identity,
      channels,
      servers,
      ...(mark === undefined ? {} : { mark }),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#servers.clear();
    await this.#subscribers.close();
  }

  #count(channel: Channel, change: 1 | -1): number {
    const count = (this.#counts.get(channel) ?? 0) + change;
    if (count === 0) this.#counts.delete(channel);
    else this.#counts.set(channel, count);
    return count;
  }
}
