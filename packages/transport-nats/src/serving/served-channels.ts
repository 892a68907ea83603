import { MemoryTransport, type TransportListener } from '@tenterhook/bus';
import { serverKey } from '@tenterhook/bus/internal';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { once } from '../client/client-listeners.js';

/** The servers of this process, by channel and route. They take turns. */
export class ServedChannels {
  readonly #servers = new MemoryTransport();
  readonly #counts = new Map<string, number>();
  readonly #stopOf = new Map<string, () => void>();

  /** Adds a server. `open` is called if it is the first one with this key, and what it returns is called when there is none left. */
  add(channel: Channel, listener: TransportListener, route: string | undefined, open: (key: string) => () => void): () => void {
    const key = serverKey(channel, route);
    const stopServer = this.#servers.serve(channel, listener, route);
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    if (count === 0) this.#stopOf.set(key, open(key));
    return once(() => {
      stopServer();
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#end(key);
    });
  }

  has(key: string): boolean {
    return this.#counts.has(key);
  }

  /** Calls the next server of a request. */
  deliver(message: BusMessage): void {
    this.#servers.publish(message);
  }

  /** Ends what the servers began. They can still be called. */
  stop(): void {
    for (const key of [...this.#counts.keys()]) this.#end(key);
  }

  async close(): Promise<void> {
    await this.#servers.close();
  }

  #end(key: string): void {
    this.#counts.delete(key);
    this.#stopOf.get(key)?.();
    this.#stopOf.delete(key);
  }
}
