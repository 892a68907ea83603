import { MessageBus } from '../src/index.js';
import { answered, request } from './watch.js';

const channel = 'HOOK_EXECUTION_CANCEL';
const cancel = (bus: MessageBus, correlationId: string) => bus.publish({ type: channel, payload: { correlationId } });

/** What a loop sees from now on, up to its end. */
async function idsOf(messages: AsyncIterable<{ readonly payload: { readonly correlationId: string } }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { payload } of messages) ids.push(payload.correlationId);
  return ids;
}

test('a loop sees every message since it was subscribed, in order, and what is published while it runs', async () => {
  const bus = new MessageBus();
  const messages = bus.subscribe(channel);
  cancel(bus, 'a');
  cancel(bus, 'b');
  const seen: string[] = [];
  for await (const { type, payload } of messages) {
    seen.push(`${type} ${payload.correlationId}`);
    if (payload.correlationId === 'b') cancel(bus, 'c');
    if (payload.correlationId === 'c') break;
  }
  expect(seen).toEqual([`${channel} a`, `${channel} b`, `${channel} c`]);
  expect([bus.listenerCount(channel), messages.dropped]).toEqual([0, 0]);
});

test('several loops see the same messages; a throw ends its own', async () => {
  const bus = new MessageBus();
  const [failing, other] = [bus.subscribe(channel), bus.subscribe(channel)];
  cancel(bus, 'a');
  cancel(bus, 'b');
  const failed = (async () => {
    for await (const _ of failing) throw new Error('a bug of the loop');
  })();
  await expect(failed).rejects.toThrow('a bug of the loop');
  expect(bus.listenerCount(channel)).toBe(1);
  const rest = idsOf(other);
  await bus.close();
  expect(await rest).toEqual(['a', 'b']);
});

describe('the end', () => {
  test('a signal ends a loop that waits, without an error, and discards what is left', async () => {
    const bus = new MessageBus();
    const control = new AbortController();
    const waiting = idsOf(bus.subscribe(channel, { signal: control.signal }));
    const full = bus.subscribe(channel, { signal: control.signal });
    cancel(bus, 'a');
    await Promise.resolve();
    control.abort();
    cancel(bus, 'b');
    expect(await waiting).toEqual(['a']);
    expect(await idsOf(full)).toEqual([]);
    expect(bus.listenerCount(channel)).toBe(0);
  });

  test('a signal that has aborted, and a bus that is closed, give nothing', async () => {
    const bus = new MessageBus();
    const aborted = bus.subscribe(channel, { signal: AbortSignal.abort() });
    cancel(bus, 'a');
    expect(await idsOf(aborted)).toEqual([]);
    await bus.close();
    expect(await idsOf(bus.subscribe(channel, { signal: new AbortController().signal }))).toEqual([]);
  });

  test('closing the bus ends the loop after the messages that wait, the last responses included', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise<never>(() => {}));
    const responses = bus.subscribe('HOOK_EXECUTION_RESPONSE');
    const codes: unknown[] = [];
    const loop = (async () => {
      for await (const { payload } of responses) codes.push(payload.error?.code);
    })();
    void bus.request('HOOK_EXECUTION_REQUEST', request);
    await bus.close();
    await loop;
    expect(codes).toEqual(['disposed']);
  });

  test('return and the end of a scope settle a next that waits', async () => {
    const bus = new MessageBus();
    const messages = bus.subscribe(channel);
    const next = messages.next();
    expect(await messages.return()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    {
      await using _scoped = bus.subscribe(channel);
      expect(bus.listenerCount(channel)).toBe(1);
    }
    expect(bus.listenerCount(channel)).toBe(0);
  });
});

describe('a slow loop', () => {
  test('loses the oldest messages, and counts them', async () => {
    const bus = new MessageBus();
    const messages = bus.subscribe(channel, { maxBuffered: 2 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) cancel(bus, id);
    expect(messages.dropped).toBe(3);
    const rest = idsOf(messages);
    await bus.close();
    expect(await rest).toEqual(['d', 'e']);
    expect(messages.dropped).toBe(3);
  });

  test('keeps 1024 messages by default, and does not hold up the bus', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const messages = bus.subscribe('HOOK_EXECUTION_REQUEST');
    for (let count = 0; count < 1030; count += 1) await bus.request('HOOK_EXECUTION_REQUEST', request);
    expect(messages.dropped).toBe(6);
    await messages.return();
    await bus.close();
  });

  test('several calls of next get one message each, in order', async () => {
    const bus = new MessageBus();
    const messages = bus.subscribe(channel);
    const ids = [messages.next(), messages.next(), messages.next()];
    for (const id of ['a', 'b', 'c', 'd']) cancel(bus, id);
    expect((await Promise.all(ids)).map(({ value }) => value?.payload.correlationId)).toEqual(['a', 'b', 'c']);
    expect((await messages.next()).value?.payload.correlationId).toBe('d');
    await bus.close();
  });
});

test.each([
  ['messages', (bus: MessageBus) => bus.subscribe(channel)],
  ['values', (bus: MessageBus) => bus.stream(channel).values()],
])('an error that is thrown into a generator over %s ends the subscription, and is not replaced by another one', async (_, open) => {
  await using bus = new MessageBus();
  const passed = (async function* () {
    yield* open(bus);
  })();
  const first = passed.next();
  cancel(bus, 'a');
  await first;
  await expect(passed.throw(new Error('an error of the caller'))).rejects.toThrow('an error of the caller');
  expect(bus.listenerCount(channel)).toBe(0);
});
