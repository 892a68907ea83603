import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { startAnswering } from './answering.js';
import { type Asker, check, request } from './asker.js';
import { type Answer, Callers } from './callers.js';
import { lineWriter, readLines } from './json-lines.js';

interface Responder {
  readonly send: (value: object) => void;
  /** The ids of its requests, which it alone may answer. */
  readonly asked: Set<string>;
}

/**
 * Lines of JSON over a unix socket, to a thread that connects to this process, as clients of a bus connect to the hub. It has what a program
 * needs: deadlines, ids that cannot be guessed, responders that take turns, and an error if there is no responder or if the one that has the
 * request ends.
 */
export async function clientOnSocket(path: string): Promise<Asker> {
  const callers = new Callers(randomUUID);
  const sockets = new Set<Socket>();
  let responders: readonly Responder[] = [];
  let ready = () => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  let turn = 0;
  const server = createServer((socket) => {
    const responder: Responder = { send: lineWriter(socket), asked: new Set() };
    sockets.add(socket);
    readLines(socket, (value) => {
      const { responds, id, ...answer } = value as { readonly responds?: true; readonly id: string } & Answer;
      if (responds === true) {
        responders = [...responders, responder];
        ready();
      } else if (responder.asked.delete(id)) callers.settle(id, answer);
    });
    socket.on('close', () => {
      sockets.delete(socket);
      responders = responders.filter((other) => other !== responder);
      for (const id of responder.asked) callers.fail(id, 'disconnected');
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  const stop = await startAnswering({ kind: 'client of lines', address: path });
  await isReady;
  const send = (id: string) => {
    turn = (turn + 1) % Math.max(1, responders.length);
    const responder = responders[turn];
    responder?.asked.add(id);
    responder?.send({ id, ...request });
    return responder !== undefined;
  };
  return {
    ask: async () => check(await callers.ask(send)),
    close: async () => {
      callers.failAll('disposed');
      server.close();
      for (const socket of sockets) socket.destroy();
      await stop();
    },
  };
}
