import type { BusMessage } from '@tenterhook/protocol';
import { type Delivery, MemoryTransport, MessageBus } from '../src/index.js';
import { failing, transportWith } from './fake-transport.js';
import { answered, deferred, request, settled, watch } from './watch.js';

/** Delivers later, as transports between processes do. */
function slowTransport() {
  return transportWith(async (inner, message) => {
    await settled();
    return inner.publish(message);
  });
}

test('requests over a transport that delivers later are answered once', async () => {
  const bus = new MessageBus({ transport: slowTransport() });
  const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
  expect((await bus.request('HOOK_EXECUTION_REQUEST', request)).error?.code).toBe('no_responders');
  bus.respond('HOOK_EXECUTION_REQUEST', answered);
  expect((await bus.request('HOOK_EXECUTION_REQUEST', request)).success).toBe(true);
  expect(responses).toHaveLength(2);
});

test('a request that arrives from another process malformed, or without an id, is answered under a generated one', async () => {
  const transport = new MemoryTransport();
  const bus = new MessageBus({ transport });
  bus.respond('HOOK_EXECUTION_REQUEST', answered);
  const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
  transport.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request });
  transport.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId: [] } } as never);
  await settled();
  expect(responses).toMatchObject([{ error: { code: 'invalid_request', details: { correlationId: [] } } }, { success: true }]);
  expect(responses.every(({ correlationId }) => typeof correlationId === 'string')).toBe(true);
});

const disposed = Object.assign(new Error('closed'), { code: 'disposed' });

test.each<[string, () => Delivery | Promise<Delivery>, string]>([
  ['rejects', () => Promise.reject(new Error('no route')), 'internal_error'],
  [
    'throws',
    () => {
      throw new Error('no route');
    },
    'internal_error',
  ],
  ['was closed', () => Promise.reject(disposed), 'disposed'],
])('a transport that %s causes a response for the waiter', async (_, publish, code) => {
  const bus = new MessageBus({ transport: transportWith(publish) });
  const response = await bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' });
  expect(response).toMatchObject({ correlationId: 'a', success: false, error: { code } });
  expect(response.error?.message).toContain('The transport slow did not carry the request: ');
  expect(bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a' } })).toBe(true);
  await settled();
});

test('close() waits until the answers are carried', async () => {
  const transport = slowTransport();
  const bus = new MessageBus({ transport, cancelGraceMs: 60_000 });
  const watching = new MessageBus({ transport });
  const responses = watch(watching, 'HOOK_EXECUTION_RESPONSE');
  const started = deferred<void>();
  bus.respond('HOOK_EXECUTION_REQUEST', () => {
    started.resolve();
    return new Promise(() => {});
  });
  bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request });
  await started.promise;
  await bus.close();
  expect(responses.map(({ error }) => error?.code)).toEqual(['disposed']);
});

test('close() does not wait for ever for a transport that is blocked', async () => {
  const never = deferred<Delivery>();
  const bus = new MessageBus({ transport: transportWith(() => never.promise), cancelGraceMs: 1 });
  const pending = bus.request('HOOK_EXECUTION_REQUEST', request);
  await bus.close();
  expect((await pending).error?.code).toBe('disposed');
});

describe('what cannot travel', () => {
  const channel = 'HOOK_EXECUTION_REQUEST';

  /** Refuses every response that is a success. */
  const refusing = (code: string, publish?: () => Delivery | Promise<Delivery>) =>
    transportWith((inner, message) => {
      const refused = message.type === 'HOOK_EXECUTION_RESPONSE' && (message.payload.success || publish !== undefined);
      if (!refused) return inner.publish(message);
      return publish === undefined ? failing(code) : publish();
    });

  test.each(['too_large', 'not_json', 'anything'])('a response that is refused as %s is replaced by one that reports it', async (code) => {
    const bus = new MessageBus({ transport: refusing(code) });
    bus.respond(channel, answered);
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const response = await bus.request(channel, { ...request, correlationId: 'a' });
    const message = `The request was answered, but the transport slow could not send the response: it was ${code}`;
    expect(response).toEqual({ correlationId: 'a', success: false, error: { code: 'internal_error', message } });
    await settled();
    expect(responses).toEqual([response]);
    expect(responses[0]).toBe(response);
  });

  test('a transport that carries no response at all is called twice, and a waiter in this process receives the answer', async () => {
    let asked = 0;
    const bus = new MessageBus({
      transport: refusing('', () => {
        asked += 1;
        throw new Error('no');
      }),
    });
    bus.respond(channel, answered);
    expect((await bus.request(channel, request)).success).toBe(true);
    expect(asked).toBe(2);
  });

  test('a request that is cancelled before the transport fails to carry it is reported as cancelled', async () => {
    const carried = deferred<undefined>();
    const transport = transportWith((inner, message) => {
      return message.type === channel ? carried.promise.then(() => failing('disconnected')) : inner.publish(message);
    });
    const bus = new MessageBus({ transport, cancelGraceMs: 60_000 });
    const control = new AbortController();
    const response = bus.request(channel, request, { signal: control.signal });
    control.abort();
    carried.resolve(undefined);
    expect((await response).error?.code).toBe('cancelled');
  });

  test('close() waits until what is sent in place of a response was carried', async () => {
    const transport = refusing('too_large');
    const bus = new MessageBus({ transport, cancelGraceMs: 60_000 });
    const watching = new MessageBus({ transport });
    const responses = watch(watching, 'HOOK_EXECUTION_RESPONSE');
    bus.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId: 'a', success: true } });
    await bus.close();
    expect(responses.map(({ error }) => error?.code)).toEqual(['internal_error']);
  });

  test.each(['too_large', 'not_json'])('a request that is refused as %s is answered for all to see, awaited or not', async (code) => {
    const bus = new MessageBus({
      transport: transportWith((inner, message) => (message.type === channel ? failing(code) : inner.publish(message))),
    });
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const response = await bus.request(channel, request);
    bus.publish({ type: channel, payload: { ...request, correlationId: 'b' } });
    bus.publish({ type: channel, payload: null } as unknown as BusMessage);
    await settled();
    const message = `The transport slow did not carry the request: it was ${code}`;
    expect(response.error).toEqual({ code: 'invalid_request', message });
    expect(responses).toMatchObject([response, { correlationId: 'b', error: { message } }, { error: { code: 'invalid_request' } }]);
  });
});
