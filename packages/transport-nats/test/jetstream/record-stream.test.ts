import { testWithNats } from '../../../../test/support/nats-server.js';
import type { NatsTransport } from '../../src/index.js';
import { type NatsScene, withScene } from '../nats-scene.js';

const open = (scene: NatsScene, options = {}) => scene.transport(options) as Promise<NatsTransport>;

async function read(stream: Awaited<ReturnType<NatsTransport['openRecordStream']>>) {
  const chunks: { readonly number: number; readonly lines: string; readonly storedAt: number }[] = [];
  for await (const chunk of stream.read()) chunks.push(chunk);
  return chunks;
}

testWithNats('what one client stores, another one reads, in order and with the time of the server', () =>
  withScene(async (scene) => {
    const writer = await (await open(scene)).openRecordStream();
    expect(await read(writer)).toEqual([]);
    for (const number of [1, 2, 3]) await writer.append({ recorder: 'r', number, t: number, lines: `line ${number}\nü⟦` });
    const reader = await (await open(scene)).openRecordStream({ create: false });
    expect(reader.name).toBe('tenterhook-default-record');
    expect(await read(reader)).toEqual(
      [1, 2, 3].map((number) => ({ recorder: 'r', number, t: number, lines: `line ${number}\nü⟦`, storedAt: expect.any(Number) })),
    );
  }),
);

testWithNats('a chunk that is stored again counts once', () =>
  withScene(async (scene) => {
    const stream = await (await open(scene)).openRecordStream();
    for (const _ of [1, 2]) await stream.append({ recorder: 'r', number: 1, t: 1, lines: 'a' });
    expect(await read(stream)).toHaveLength(1);
  }),
);

testWithNats('the stream keeps what fits its limits, and removes the oldest', () =>
  withScene(async (scene) => {
    const stream = await (await open(scene)).openRecordStream({ stream: 'small', maxBytes: 8192, maxAgeMs: 60_000 });
    for (let number = 1; number <= 20; number += 1) await stream.append({ recorder: 'r', number, t: 1, lines: 'x'.repeat(1000) });
    const numbers = (await read(stream)).map(({ number }) => number);
    expect(numbers.length).toBeLessThan(9);
    expect(numbers.at(-1)).toBe(20);
    const { config } = await (await scene.raw()).request('$JS.API.STREAM.INFO.small').then((message) => message.json<{ config: object }>());
    expect(config).toMatchObject({ max_bytes: 8192, max_age: 60_000_000_000, retention: 'limits', discard: 'old', storage: 'file' });
  }),
);

testWithNats('namespaces have streams of their own, and a stream for something else is refused', () =>
  withScene(async (scene) => {
    await (await open(scene, { namespace: 'web' })).openRecordStream({ stream: 'hooks' });
    const shop = await open(scene, { namespace: 'shop' });
    await expect(shop.openRecordStream({ stream: 'hooks' })).rejects.toMatchObject({
      code: 'stream_refused',
      message: expect.stringContaining('The stream hooks exists, but does not store tenterhook.shop.record'),
    });
    await expect(shop.openRecordStream({ stream: 'missing', create: false })).rejects.toThrow('There is no stream missing');
  }),
);

testWithNats('without JetStream, or without the right to use it, the error says what to do', () =>
  withScene(async (scene) => {
    const without = await open(scene, { user: 'b', password: 'p' });
    await expect(without.openRecordStream()).rejects.toMatchObject({ code: expect.stringMatching(/^no_stream|stream_refused$/) });
    const transport = await open(scene, { user: 'a', password: 'p' });
    await transport.openRecordStream();
    await expect(transport.openRecordStream({ stream: 'other', maxBytes: 2 ** 40 })).rejects.toMatchObject({ code: 'stream_refused' });
  }, 'accounts { A { jetstream: { max_file: 2147483648 }, users: [{ user: a, password: p }] }, B { users: [{ user: b, password: p }] } }'),
);

testWithNats('a chunk is refused with a code that passes while the server is away, and stored when it is back', () =>
  withScene(async (scene) => {
    const transport = await open(scene);
    const stream = await transport.openRecordStream();
    const [lost, restored] = ['lost', 'restored'].map(
      (wanted) => new Promise<void>((resolve) => void transport.onConnectionChange?.((state) => state === wanted && resolve())),
    );
    await scene.server.kill();
    await lost;
    await scene.server.restart();
    await restored;
    await stream.append({ recorder: 'r', number: 1, t: 1, lines: 'a' });
    expect(await read(stream)).toHaveLength(1);
  }),
);

test.each([
  [{ streams: 'x' }, 'openRecordStream has no option "streams". Did you mean "stream"?'],
  [{ stream: 'a.b' }, 'stream must have 1 to 128 letters'],
  [{ maxBytes: 5 }, 'maxBytes must be an integer from 1024'],
  [{ maxAgeMs: 5 }, 'maxAgeMs must be an integer from 1000'],
  [{ replicas: 7 }, 'replicas must be an integer from 1 to 5'],
])('the options %j of a stream are refused', async (options, message) => {
  const { openRecordStream } = await import('../../src/jetstream/record-stream.js');
  await expect(openRecordStream({} as never, 'default', options as never)).rejects.toThrow(message);
});
