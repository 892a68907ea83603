import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@tenterhook/bus';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import type { TransportEnds } from '../../src/index.js';
import { CuttablePath } from './cuttable-path.js';

export const maxMessageBytes = 8 * 1024 * 1024;

/** Opens a hub and two clients in one process, which are connected by real sockets. */
export async function openSocketEnds(): Promise<TransportEnds> {
  const { hub, path, remove } = await openHub();
  const clients = [await connectToSocket({ path, maxMessageBytes }), await connectToSocket({ path, maxMessageBytes })];
  return { ends: [hub, ...clients], close: async () => remove([hub, ...clients]) };
}

/** The same ends, except that a test can interrupt the connections of the clients. */
export class CuttableSocketEnds {
  /** The key is the transport, because a test that interrupts an end has only the transport. */
  readonly #ways = new Map<Transport, CuttablePath>();

  /** `change` wraps each client. */
  readonly open = async (change: (end: Transport) => Transport = (end) => end): Promise<TransportEnds> => {
    const { hub, path, remove } = await openHub();
    const ends = [change(hub)];
    const ways: CuttablePath[] = [];
    for (const number of [1, 2]) {
      const way = await CuttablePath.open({ path: `${path}-${number}` }, { path });
      const client = change(await connectToSocket({ path: `${path}-${number}`, maxMessageBytes }));
      this.#ways.set(client, way);
      ways.push(way);
      ends.push(client);
    }
    return {
      ends,
      close: async () => {
        await Promise.all(ways.map((way) => way.close()));
        await remove(ends);
      },
    };
  };

  readonly disconnect = async (end: Transport): Promise<() => void> => this.#way(end).cut();

  readonly pause = async (end: Transport): Promise<() => void> => this.#way(end).pause();

  #way(end: Transport): CuttablePath {
    const way = this.#ways.get(end);
    if (way === undefined) throw new TypeError('only clients that were opened here can be cut off');
    return way;
  }
}

async function openHub() {
  const directory = mkdtempSync(join(tmpdir(), 'th-conformance-'));
  const path = join(directory, 'bus');
  const hub = await listenOnSocket({ path, maxMessageBytes });
  const remove = async (ends: readonly Transport[]) => {
    await Promise.all(ends.map((end) => end.close()));
    rmSync(directory, { recursive: true });
  };
  return { hub, path, remove };
}
