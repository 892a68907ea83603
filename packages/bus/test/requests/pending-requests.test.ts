import { type Delivery, MemoryTransport, MessageBus } from '../../src/index.js';
import { failing, transportWith } from '../fake-transport.js';
import { answered, deferred, request, settled, watch } from '../watch.js';

/** Answers a cancel the way the hook service does: with what it had until then. */
function cancellable(bus: MessageBus): void {
  bus.respond('HOOK_EXECUTION_REQUEST', (_payload, { signal }) => {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve({ success: false, error: { code: 'cancelled', message: 'stopped', details: { outcomes: [signal.reason] } } });
      });
    });
  });
}

describe('timeout', () => {
  test('cancels, and resolves with the outcomes so far', async () => {
    const bus = new MessageBus({ cancelGraceMs: 60_000 });
    cancellable(bus);
    const cancels = watch(bus, 'HOOK_EXECUTION_CANCEL');
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const response = await bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' }, { timeoutMs: 3 });
    const message = 'No answer within 3 ms; the request was cancelled.';
    const error = { code: 'timeout', message, details: { outcomes: ['timeout'] } };
    expect(response).toEqual({ correlationId: 'a', success: false, error });
    expect(cancels).toEqual([{ correlationId: 'a', reason: 'timeout' }]);
    expect(responses).toMatchObject([{ correlationId: 'a', error: { code: 'cancelled' } }]);
  });

  test('of a responder that does not care resolves after the grace, and the late answer is for subscribers only', async () => {
    const bus = new MessageBus({ cancelGraceMs: 2 });
    const late = deferred<{ success: true }>();
    bus.respond('HOOK_EXECUTION_REQUEST', () => late.promise);
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const pending = bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' }, { timeoutMs: 2 });
    const response = await pending;
    expect(response.error).toEqual({ code: 'timeout', message: 'No answer within 2 ms; the request was cancelled.' });
    expect(responses).toEqual([]);
    late.resolve({ success: true });
    await settled();
    expect(responses).toEqual([{ correlationId: 'a', success: true }]);
    expect(await pending).toBe(response);
  });

  test('is forgotten once the answer is there', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const cancels = watch(bus, 'HOOK_EXECUTION_CANCEL');
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    await bus.request('HOOK_EXECUTION_REQUEST', request, { timeoutMs: 60_000, signal: new AbortController().signal });
    expect(timers()).toBe(before);
    expect(cancels).toEqual([]);
  });

  test('a success that comes within the grace counts: the work was done', async () => {
    const bus = new MessageBus({ cancelGraceMs: 60_000 });
    bus.respond('HOOK_EXECUTION_REQUEST', (_payload, { signal }) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ success: true }));
      });
    });
    expect((await bus.request('HOOK_EXECUTION_REQUEST', request, { timeoutMs: 2 })).success).toBe(true);
  });
});

describe('signal', () => {
  test('cancels, and resolves with the outcomes so far', async () => {
    const bus = new MessageBus({ cancelGraceMs: 60_000 });
    cancellable(bus);
    const cancels = watch(bus, 'HOOK_EXECUTION_CANCEL');
    const controller = new AbortController();
    const options = { signal: controller.signal, timeoutMs: 60_000 };
    const pending = bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' }, options);
    controller.abort();
    const message = 'The request was cancelled by its signal.';
    const error = { code: 'cancelled', message, details: { outcomes: ['cancelled'] } };
    expect(await pending).toEqual({ correlationId: 'a', success: false, error });
    expect(cancels).toEqual([{ correlationId: 'a', reason: 'cancelled' }]);
  });

  test('that had aborted before sends nothing', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const seen = [watch(bus, 'HOOK_EXECUTION_REQUEST'), watch(bus, 'HOOK_EXECUTION_RESPONSE'), watch(bus, 'HOOK_EXECUTION_CANCEL')];
    const response = await bus.request('HOOK_EXECUTION_REQUEST', request, { signal: AbortSignal.abort() });
    expect(response).toMatchObject({ correlationId: expect.stringMatching(/./), success: false, error: { code: 'cancelled' } });
    expect(seen).toEqual([[], [], []]);
  });

  test('of a responder that does not care resolves after the grace', async () => {
    const bus = new MessageBus({ cancelGraceMs: 0 });
    bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise(() => {}));
    const controller = new AbortController();
    const pending = bus.request('HOOK_EXECUTION_REQUEST', request, { signal: controller.signal });
    controller.abort();
    expect((await pending).error).toEqual({ code: 'cancelled', message: 'The request was cancelled by its signal.' });
  });

  test('that aborts after the time ran out changes nothing: the first cause counts', async () => {
    const bus = new MessageBus({ cancelGraceMs: 2 });
    bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise(() => {}));
    const controller = new AbortController();
    const cancels = watch(bus, 'HOOK_EXECUTION_CANCEL');
    bus.subscribe('HOOK_EXECUTION_CANCEL', () => controller.abort());
    const response = await bus.request('HOOK_EXECUTION_REQUEST', request, { timeoutMs: 2, signal: controller.signal });
    expect(response.error?.code).toBe('timeout');
    expect(cancels).toHaveLength(1);
  });

  test('shared by a hundred requests cancels each of them, and Node warns of no leak (field failure 81)', async () => {
    const bus = new MessageBus();
    cancellable(bus);
    const controller = new AbortController();
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    const pending = Array.from({ length: 100 }, () => bus.request('HOOK_EXECUTION_REQUEST', request, { signal: controller.signal }));
    controller.abort();
    for (const { error } of await Promise.all(pending)) expect(error?.code).toBe('cancelled');
    await settled();
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });
});

test('a response on another channel is not that of the request', async () => {
  const bus = new MessageBus();
  const answer = deferred<{ success: true }>();
  bus.respond('HOOK_EXECUTION_REQUEST', () => answer.promise);
  const pending = bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' });
  bus.respond('HOOK_HANDLER_CALL', answered, { route: 'e' });
  await bus.request('HOOK_HANDLER_CALL', { engineId: 'e', hookId: 'h', event: {}, timeoutMs: 1 });
  bus.publish({ type: 'HOOK_HANDLER_RESULT', payload: { correlationId: 'a', success: false } });
  answer.resolve({ success: true });
  expect((await pending).success).toBe(true);
});

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
      error: {
        code: 'disposed',
        message: 'The connection was lost before the answer arrived. It is unknown whether the request was carried out.',
      },
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

  test('the answer of this process reaches a waiter in it, though it cannot be sent to others', async () => {
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
    const seen: string[] = [];
    const pending = bus.request(channel, request).then(() => seen.push('settled'));
    const stop = bus.onConnectionChange((state) => {
      seen.push(state);
      throw new Error('mine');
    });
    transport.tell('lost');
    await pending;
    transport.tell('restored');
    stop();
    stop();
    transport.tell('lost');
    expect(seen).toEqual(['lost', 'settled', 'restored']);
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
