import type { AggregatedHookResult } from '@tenterhook/protocol';
import { testWithNats } from '../../../../test/support/nats-server.js';
import { until } from '../../../../test/support/until.js';
import type { NatsTransport } from '../../src/index.js';
import { asked, channel, type NatsScene, withScene } from '../nats-scene.js';

/** Each message above 4 KiB is large. */
const small = 'max_payload: 8192';
const large = { largeMessages: true };
const textOf = (length: number) => 'ü'.repeat(length / 2);
const largeRequest = (length: number) => ({ eventName: 'BeforeTool', input: { text: textOf(length) } });

const answerOf = (message: string) => ({ success: false as const, error: { code: 'unsupported_event' as const, message } });

async function echo(scene: NatsScene, options = {}) {
  const transport = (await scene.transport({ ...large, ...options })) as NatsTransport;
  const bus = scene.busOn(transport);
  const lengths: number[] = [];
  bus.respond(channel, ({ input }) => {
    const { text = '' } = input as { text?: string };
    lengths.push(text.length);
    return answerOf(text);
  });
  await bus.flush();
  return { bus, transport, lengths };
}

for (const atLeastOnce of [false, true]) {
  testWithNats(`large requests and answers arrive whole, at least once: ${atLeastOnce}`, () =>
    withScene(async (scene) => {
      await echo(scene, { atLeastOnce });
      const agent = await scene.bus({ ...large, atLeastOnce });
      const lengths = [100, 4000, 6000, 20_000, 1_000_000];
      const answers = await Promise.all(lengths.map((length) => agent.request(channel, largeRequest(length))));
      expect(answers.map(({ error }) => error?.message)).toEqual(lengths.map(textOf));
    }, small),
  );
}

testWithNats('auditors read large messages', () =>
  withScene(async (scene) => {
    const auditor = await scene.bus(large);
    const seen: number[] = [];
    auditor.subscribe(channel, ({ payload }) => seen.push((payload.input as { text: string }).text.length));
    auditor.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => seen.push(payload.error?.message.length ?? -1));
    await auditor.flush();
    await echo(scene);
    await (await scene.bus(large)).request(channel, largeRequest(20_000));
    await until('both messages have arrived', () => seen.length === 2);
    expect(seen).toEqual([10_000, 10_000]);
  }, small),
);

testWithNats('beyond the limit of the object store, messages are refused with the size', () =>
  withScene(async (scene) => {
    const { lengths } = await echo(scene);
    const agent = await scene.bus({ largeMessages: { maxObjectBytes: 10_000 } });
    const { error } = await agent.request(channel, largeRequest(20_000));
    expect(error?.code).toBe('invalid_request');
    expect(error?.message).toMatch(/The message has 2\d{4} bytes\. The limit of the object store is 10000\./);
    expect(lengths).toEqual([]);
  }, small),
);

testWithNats('a full object store refuses a request, and an answer becomes an error', () =>
  withScene(async (scene) => {
    const agent = await scene.bus({ largeMessages: { maxBytes: 30_000 } });
    const worker = await scene.bus(large);
    worker.respond(channel, () => answerOf(textOf(40_000)));
    await worker.flush();
    expect((await agent.request(channel, largeRequest(40_000))).error?.code).toBe('overloaded');
    const { error } = await agent.request(channel, asked);
    expect([error?.code, error?.message]).toEqual(['internal_error', expect.stringContaining('could not send the response')]);
  }, small),
);

testWithNats('a request that is cancelled while it is stored is not carried out', () =>
  withScene(async (scene) => {
    const { lengths, bus } = await echo(scene);
    const agent = await scene.bus(large);
    const control = new AbortController();
    const response = agent.request(channel, largeRequest(500_000), { signal: control.signal });
    control.abort();
    expect((await response).error?.code).toBe('cancelled');
    expect((await agent.request(channel, largeRequest(20_000))).error?.code).toBe('unsupported_event');
    await bus.flush();
    expect(lengths).toEqual([10_000]);
  }, small),
);

testWithNats('answersSettled waits for answers that are being stored', () =>
  withScene(async (scene) => {
    const transport = (await scene.transport(large)) as NatsTransport;
    const worker = scene.busOn(transport);
    let answered = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answered = resolve;
    });
    worker.respond(channel, () => {
      setImmediate(answered);
      return answerOf(textOf(500_000));
    });
    await worker.flush();
    const response = (await scene.bus(large)).request(channel, asked);
    await isAnswered;
    expect(await transport.answersSettled(30_000)).toBe(true);
    await transport.close();
    expect((await response).error?.message).toHaveLength(250_000);
  }, small),
);

testWithNats('a client without the option refuses what it cannot read, and an object that is missing ends the request', () =>
  withScene(async (scene) => {
    const worker = await scene.bus();
    worker.respond(channel, () => ({ success: true, output: {} as AggregatedHookResult as never }));
    await worker.flush();
    const agent = await scene.bus(large);
    expect((await agent.request(channel, largeRequest(20_000))).error?.message).toContain('A worker could not read the request');
    const raw = await scene.raw();
    const { headers } = await import('@nats-io/transport-node');
    const named = headers();
    named.append('Tenterhook-Object', '../missing');
    await echo(scene, { namespace: 'other' });
    const replies = new Promise<string>((resolve) => {
      raw.subscribe('tenterhook.other.reply.>', { callback: (_error, { subject }) => resolve(subject) });
    });
    raw.publish('tenterhook.other.ask.-.BeforeTool', '{}', { headers: named, reply: 'tenterhook.other.reply.a.s.1' });
    expect(await replies).toBe('tenterhook.other.reply.a.s.1.refused');
  }, small),
);

test.each([
  [{ largeMessages: { bucket: 'a.b' } }, 'largeMessages.bucket must have 1 to 128 letters'],
  [{ largeMessages: { maxObjectBytes: 5 } }, 'largeMessages.maxObjectBytes must be an integer from 1024'],
  [{ largeMessages: { ttl: 5 } }, 'largeMessages has no option "ttl"'],
])('the options %j are refused', async (options, message) => {
  const { connectToNats } = await import('../../src/index.js');
  await expect(connectToNats({ servers: '127.0.0.1:1', ...options } as never)).rejects.toThrow(message);
});
