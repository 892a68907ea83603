import { type Delivery, MemoryTransport, MessageBus } from '../src/index.js';
import { transportWith } from './fake-transport.js';
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
])('a transport that %s is a response for who waits', async (_, publish, code) => {
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
