/** The other side of a round trip, in a thread of its own. */
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from '@nats-io/transport-node';
import { connectToNats } from '@tenterhook/transport-nats';
import { connectToSocket, MessageBus } from 'tenterhook';
import type { Answering } from './answering.js';
import { output } from './asker.js';
import { lineWriter, readLines } from './json-lines.js';

type Transport = NonNullable<ConstructorParameters<typeof MessageBus>[0]>['transport'];

const { kind, address } = workerData as Answering;
switch (kind) {
  case 'bus on a socket':
    await answerOn(await connectToSocket({ path: address }));
    break;
  case 'bus on NATS':
    await answerOn(await connectToNats({ servers: address }));
    break;
  case 'lines on a socket': {
    const server = createServer((socket) => {
      createInterface({ input: socket }).on('line', (line) => {
        const { id } = JSON.parse(line) as { id: number };
        socket.write(`${JSON.stringify({ id, success: true, output })}\n`);
      });
    });
    server.listen(address);
    await once(server, 'listening');
    break;
  }
  case 'client of lines': {
    const socket = createConnection(address);
    await once(socket, 'connect');
    const send = lineWriter(socket);
    const answer = async () => ({ success: true, output });
    readLines(socket, async (value) => {
      const { id } = value as { readonly id: string };
      try {
        send({ id, ...(await answer()) });
      } catch {
        send({ id, success: false, error: { code: 'internal_error' } });
      }
    });
    send({ responds: true });
    break;
  }
  case 'library on NATS': {
    const connection = await connect({ servers: address });
    connection.subscribe('bench.ask', {
      queue: 'workers',
      callback: (_error, message) => {
        message.json();
        message.respond(JSON.stringify({ success: true, output }));
      },
    });
    await connection.flush();
    break;
  }
}
parentPort?.postMessage('ready');

async function answerOn(transport: Transport): Promise<void> {
  const bus = new MessageBus({ transport });
  bus.respond('HOOK_EXECUTION_REQUEST', async () => ({ success: true, output }), { maxInFlight: 4096 });
  await bus.flush();
}
