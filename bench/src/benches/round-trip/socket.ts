import { once } from 'node:events';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { listenOnSocket, MessageBus } from 'tenterhook';
import { startAnswering } from './answering.js';
import { type Asker, check, request } from './asker.js';

/** Requests on a bus over a unix socket, to a thread. */
export async function busOnSocket(path: string, options?: { readonly timeoutMs: number }): Promise<Asker> {
  const hub = await listenOnSocket({ path });
  const bus = new MessageBus({ transport: hub });
  const stop = await startAnswering({ kind: 'bus on a socket', address: path });
  return {
    ask: async () => check(await bus.request('HOOK_EXECUTION_REQUEST', request, options)),
    close: async () => {
      await bus.close();
      await hub.close();
      await stop();
    },
  };
}

/** Lines of JSON with ids over a unix socket, to a thread that listens on it, and nothing else. */
export async function linesOnSocket(path: string): Promise<Asker> {
  const stop = await startAnswering({ kind: 'lines on a socket', address: path });
  const socket = createConnection(path);
  await once(socket, 'connect');
  const waiting = new Map<number, (answer: Parameters<typeof check>[0]) => void>();
  let last = 0;
  createInterface({ input: socket }).on('line', (line) => {
    const { id, ...answer } = JSON.parse(line) as { id: number } & Parameters<typeof check>[0];
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  return {
    ask: async () => {
      last += 1;
      const id = last;
      check(
        await new Promise((resolve) => {
          waiting.set(id, resolve);
          socket.write(`${JSON.stringify({ id, ...request })}\n`);
        }),
      );
    },
    close: async () => {
      socket.destroy();
      await stop();
    },
  };
}
