import { join } from 'node:path';
import { MemoryTransport, MessageBus, type Transport } from '@tenterhook/bus';
import { compareRecordings, type Recording, recordBus, replayRequests } from '@tenterhook/recording';
import { connectToNats } from '@tenterhook/transport-nats';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks } from 'tenterhook';
import { freshDirectory, says } from '../support/fire-hooks.js';
import { NatsServer, testWithNats } from '../support/nats-server.js';

const names = ['memory', 'socket', 'nats'] as const;
type Name = (typeof names)[number];

const rewrite = says({ hookSpecificOutput: { tool_input: { quiet: true } } });
const settings = {
  hooks: {
    BeforeTool: [
      { matcher: '^write$', hooks: [{ name: 'guard', command: 'echo "read only" >&2; exit 2' }] },
      {
        matcher: '^read$',
        sequential: true,
        hooks: [
          { name: 'rewrites', command: rewrite },
          { name: 'fails', command: 'exit 3' },
        ],
      },
    ],
    AfterTool: [{ hooks: [{ name: 'context', command: says({ hookSpecificOutput: { additionalContext: 'é ✓ \u0001' } }) }] }],
    SessionStart: [{ hooks: [{ name: 'hello', command: 'echo hello' }] }],
  },
};

/** The events of a short session. The last two are refused by the service. */
const events = [
  { eventName: 'SessionStart', input: { source: 'startup' } },
  { eventName: 'BeforeTool', input: { tool_name: 'read', tool_input: { path: 'a' } } },
  { eventName: 'AfterTool', input: { tool_name: 'read', tool_input: { path: 'a' }, tool_response: { llmContent: 'text' } } },
  { eventName: 'BeforeTool', input: { tool_name: 'write', tool_input: { path: 'a' } } },
  { eventName: 'BeforeTool', input: { tool_name: 'other', tool_input: {} } },
  { eventName: 'BeforeTool', input: { tool_name: 7 } },
  { eventName: 'NoSuchEvent', input: {} },
];

testWithNats('a recording of one transport replays on each other one without a difference', async () => {
  const projectDir = freshDirectory();
  const server = await NatsServer.start();
  const opened: { close(): Promise<unknown> }[] = [];
  const path = join(projectDir, 'bus.sock');
  const memory = new MemoryTransport();
  const hub = await listenOnSocket({ path });
  const connectNats = () => connectToNats({ servers: server.url });
  const pairs: Record<Name, [agent: Transport, worker: Transport]> = {
    memory: [memory, memory],
    socket: [hub, await connectToSocket({ path })],
    nats: [await connectNats(), await connectNats()],
  };
  const buses = new Map<Name, MessageBus>();
  const recordings = new Map<Name, Recording>();
  try {
    for (const name of names) {
      const [agent, worker] = pairs[name];
      const [bus, workerBus] = [new MessageBus({ transport: agent }), new MessageBus({ transport: worker })];
      const hooks = await createHooks({ bus: workerBus, projectDir, settings, sessionId: 'session-1' });
      opened.push({ close: () => hooks.dispose() }, bus, workerBus);
      await workerBus.flush();
      buses.set(name, bus);
      const recorder = recordBus(bus);
      await bus.flush();
      for (const { eventName, input } of events) {
        await bus.request('HOOK_EXECUTION_REQUEST', { eventName, input }, { timeoutMs: 30_000 });
      }
      recordings.set(name, await recorder.recording());
      await recorder.close();
    }
    const found: string[] = [];
    for (const [from, recording] of recordings) {
      expect(recording.exchanges).toHaveLength(events.length);
      for (const [to, bus] of buses) {
        const replayed = await replayRequests(recording, bus, { progress: true });
        expect({ from, to, different: replayed.different, skipped: replayed.skipped }).toEqual({ from, to, different: [], skipped: [] });
        const compared = compareRecordings(recording, recordings.get(to) as Recording, { progress: true, texts: true });
        expect({ from, to, different: compared.different }).toEqual({ from, to, different: [] });
        found.push(`${from} → ${to}: ${replayed.same}`);
      }
    }
    expect(found).toEqual(names.flatMap((from) => names.map((to) => `${from} → ${to}: ${events.length}`)));
    // A comparison that found nothing at all would be empty, too.
    const first = recordings.get('memory') as Recording;
    expect(compareRecordings(first, { ...first, exchanges: first.exchanges.slice(1) }).different).toHaveLength(1);
  } finally {
    for (const one of [...opened, ...Object.values(pairs).flat()]) await one.close();
    await server.stop();
  }
});
