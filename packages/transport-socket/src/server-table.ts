import type { HubPeer, Server } from './hub/publication.js';

/** The servers of one key. The list is replaced, never changed. */
interface Turns {
  list: readonly Server[];
  next: number;
}

/** All servers of a hub, wherever they are. Those of one channel and route take turns. */
export class ServerTable {
  readonly #turns = new Map<string, Turns>();

  add(server: Server): void {
    const turns = this.#turns.get(server.key) ?? { list: [], next: 0 };
    turns.list = [...turns.list, server];
    this.#turns.set(server.key, turns);
  }

  remove(server: Server): void {
    const turns = this.#turns.get(server.key);
    if (turns === undefined) return;
    turns.list = turns.list.filter((other) => other !== server);
    // Routes come and go with those who serve them, and nothing may be left of each.
    if (turns.list.length === 0) this.#turns.delete(server.key);
  }

  /** The server whose turn it is, among those that were not tried; undefined where all were. */
  next(key: string, tried: ReadonlySet<Server>): Server | undefined {
    const turns = this.#turns.get(key);
    if (turns === undefined) return undefined;
    const { list } = turns;
    for (let step = 0; step < list.length; step += 1) {
      const index = (turns.next + step) % list.length;
      const server = list[index] as Server;
      if (tried.has(server) || server.connection?.isOpen === false) continue;
      turns.next = index + 1;
      return server;
    }
    return undefined;
  }

  /** Whether one of them is behind another connection than this. */
  isElsewhere(key: string, here: HubPeer | undefined): boolean {
    return this.#turns.get(key)?.list.some(({ connection }) => connection !== undefined && connection !== here) ?? false;
  }

  clear(): void {
    this.#turns.clear();
  }
}
