import type { BusMessage } from '@tenterhook/protocol';
import { type Delivery, MemoryTransport, MessageBus } from '../src/index.js';
import { failing, transportWith } from './fake-transport.js';
import { answered, deferred, request, settled, watch } from './watch.js';

const channel = 'HOOK_EXECUTION_REQUEST';

/** Requests are taken and never answered here, as if their responder were elsewhere. */
const takenElsewhere = () =>
  transportWith((inner, message): Delivery => (message.type === channel ? 'served' : (inner.publish(message) as Delivery)));

describe('a lost connection', () => {
  test('settles the requests that are answered elsewhere, and publishes nothing for them', async () => {
    const transport = takenElsewhere();
    const bus = new MessageBus({ transport });
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const pending = bus.request(channel, { ...request, correlationId: 'a' });
    transport.tell('lost');
    expect(await pending).toEqual({
      correlationId: 'a',
      success: false,
      error: { code: 'disposed', message: 'The connection was lost before the answer; nobody knows whether the request was carried out.' },
    });
    // The late answer is for subscribers only.
    bus.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId: 'a', success: true } });
    expect(responses).toEqual([{ correlationId: 'a', success: true }]);
  });

  test('leaves those alone that are worked on in this process, on whichever bus', async () => {
    const transport = transportWith((inner, message) => inner.publish(message));
    const asking = new MessageBus({ transport });
    const answering = new MessageBus({ transport });
    const answer = deferred<{ success: true }>();
    answering.respond(channel, () => answer.promise);
    const pending = asking.request(channel, request);
    transport.tell('lost');
    answer.resolve({ success: true });
    expect((await pending).success).toBe(true);
  });

  test('leaves the requests of another bus to that bus, which settles them too', async () => {
    const transport = takenElsewhere();
    const buses = [new MessageBus({ transport }), new MessageBus({ transport })];
    const pending = buses.map((bus) => bus.request(channel, request));
    transport.tell('lost');
    expect((await Promise.all(pending)).map(({ error }) => error?.code)).toEqual(['disposed', 'disposed']);
  });

  test('a request that had timed out already stays one that timed out', async () => {
    const transport = takenElsewhere();
    const bus = new MessageBus({ transport, cancelGraceMs: 60_000 });
    const cancelled = deferred<void>();
    bus.subscribe('HOOK_EXECUTION_CANCEL', () => cancelled.resolve());
    const pending = bus.request(channel, request, { timeoutMs: 1 });
    await cancelled.promise;
    transport.tell('lost');
    expect((await pending).error?.code).toBe('timeout');
  });

  test('the answer of this process reaches who waits in it, though nobody else can be told', async () => {
    let isLost = false;
    const transport = transportWith((inner, message) => (isLost ? failing('disconnected') : inner.publish(message)));
    const bus = new MessageBus({ transport });
    const answer = deferred<{ success: true }>();
    bus.respond(channel, () => answer.promise);
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const pending = bus.request(channel, request);
    isLost = true;
    transport.tell('lost');
    answer.resolve({ success: true });
    expect((await pending).success).toBe(true);
    expect(responses).toEqual([]);
  });

  test('a request made meanwhile is disposed, and says why', async () => {
    const bus = new MessageBus({ transport: transportWith(() => failing('disconnected')) });
    const { error } = await bus.request(channel, request);
    expect(error).toEqual({ code: 'disposed', message: 'The transport slow did not carry the request: it was disconnected' });
  });
});

describe('onConnectionChange', () => {
  test('tells both, after the requests were settled, until it is unsubscribed', async () => {
    const transport = takenElsewhere();
    const bus = new MessageBus({ transport });
    const told: string[] = [];
    const pending = bus.request(channel, request).then(() => told.push('settled'));
    const stop = bus.onConnectionChange((state) => {
      told.push(state);
      throw new Error('mine');
    });
    transport.tell('lost');
    await pending;
    transport.tell('restored');
    stop();
    stop();
    transport.tell('lost');
    expect(told).toEqual(['lost', 'settled', 'restored']);
  });

  test('ends with the bus, and nothing is left at the transport', async () => {
    const transport = takenElsewhere();
    const bus = new MessageBus({ transport });
    let calls = 0;
    bus.onConnectionChange(() => {
      calls += 1;
    });
    await bus.close();
    transport.tell('lost');
    bus.onConnectionChange(() => {
      calls += 1;
    });
    transport.tell('restored');
    expect(calls).toBe(0);
    expect(transport.listeners).toEqual([]);
  });

  test('is never called where nothing can be lost', () => {
    const bus = new MessageBus({ transport: new MemoryTransport() });
    const stop = bus.onConnectionChange(() => {});
    stop();
    expect(() => bus.onConnectionChange('x' as never)).toThrow(TypeError);
  });
});

describe('what cannot travel', () => {
  /** Refuses every response that is a success. */
  const refusing = (code: string, publish?: () => Delivery | Promise<Delivery>) =>
    transportWith((inner, message) => {
      const refused = message.type === 'HOOK_EXECUTION_RESPONSE' && (message.payload.success || publish !== undefined);
      if (!refused) return inner.publish(message);
      return publish === undefined ? failing(code) : publish();
    });

  test.each(['too_large', 'not_json', 'anything'])('a response that is refused as %s is replaced by one that says so', async (code) => {
    const bus = new MessageBus({ transport: refusing(code) });
    bus.respond(channel, answered);
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const response = await bus.request(channel, { ...request, correlationId: 'a' });
    const message = `The transport slow did not carry the response, so its answer is not known here: it was ${code}`;
    expect(response).toEqual({ correlationId: 'a', success: false, error: { code: 'internal_error', message } });
    await settled();
    expect(responses).toEqual([response]);
    expect(responses[0]).toBe(response);
  });

  test('a transport that carries no response at all is asked twice, and who waits in this process is told the answer', async () => {
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
