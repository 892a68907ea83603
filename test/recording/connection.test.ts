import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import { recordBus } from '@tenterhook/recording';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { until } from '../support/until.js';

/** The process of an agent, which answers its requests itself. */
async function agentOn(path: string) {
  const hub = await listenOnSocket({ path });
  const bus = new MessageBus({ transport: hub });
  bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true }));
  const stop = async () => {
    await bus.close();
    await hub.close();
  };
  const isWatched = () => bus.isSubscribed('HOOK_EXECUTION_RESPONSE');
  return { stop, isWatched, fire: () => bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'X' as string, input: {} }) };
}

test('record-replay case 38: a recorder in another process notes a lost connection, and goes on when the agent is back', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tenterhook-connection-'));
  const path = join(directory, 'bus');
  const first = await agentOn(path);
  const transport = await connectToSocket({ path });
  const bus = new MessageBus({ transport });
  const recorder = recordBus(bus, { file: join(directory, 'run.bus.jsonl') });
  const responses: string[] = [];
  const state: string[] = [];
  bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => responses.push(payload.correlationId));
  bus.onConnectionChange((each) => state.push(each));
  try {
    await until('the hub knows the recorder', first.isWatched);
    await first.fire();
    await until('the response has arrived', () => responses.length === 1);
    await first.stop();
    await until('the connection is lost', () => state.includes('lost'));
    const second = await agentOn(path);
    await until('the connection is back', () => state.includes('restored') && second.isWatched());
    await second.fire();
    await until('the second response has arrived', () => responses.length === 2);
    const { notes, exchanges } = await recorder.recording();
    expect(notes.map(({ note, state: each }) => [note, each])).toEqual([
      ['connection', 'lost'],
      ['connection', 'restored'],
    ]);
    expect(exchanges.map((exchange) => exchange.state)).toEqual(['answered', 'answered']);
    await second.stop();
  } finally {
    await recorder.close();
    await bus.close();
    await transport.close();
    rmSync(directory, { recursive: true });
  }
});
