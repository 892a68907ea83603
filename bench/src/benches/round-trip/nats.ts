import { connect } from '@nats-io/transport-node';
import { connectToNats } from '@tenterhook/transport-nats';
import { MessageBus } from 'tenterhook';
import { startAnswering } from './answering.js';
import { type Asker, check, request } from './asker.js';
import { timeoutMs } from './callers.js';

/** Requests on a bus over a NATS server, to a thread. */
export async function busOnNats(servers: string, options: { readonly timeoutMs: number }): Promise<Asker> {
  const transport = await connectToNats({ servers });
  const bus = new MessageBus({ transport });
  const stop = await startAnswering({ kind: 'bus on NATS', address: servers });
  return {
    ask: async () => check(await bus.request('HOOK_EXECUTION_REQUEST', request, options)),
    close: async () => {
      await bus.close();
      await transport.close();
      await stop();
    },
  };
}

/** Requests of the NATS library with JSON, to a thread. */
export async function libraryOnNats(servers: string): Promise<Asker> {
  const connection = await connect({ servers });
  const stop = await startAnswering({ kind: 'library on NATS', address: servers });
  return {
    ask: async () => {
      const answer = await connection.request('bench.ask', JSON.stringify(request), { timeout: timeoutMs });
      check(answer.json());
    },
    close: async () => {
      await connection.close();
      await stop();
    },
  };
}
