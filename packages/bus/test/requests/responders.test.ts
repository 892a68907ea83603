import type { BusMessage } from '@tenterhook/protocol';
import { MessageBus } from '../../src/index.js';
import { answered, deferred, request, settled, watch } from '../watch.js';

describe('exactly one response', () => {
  test('a thousand requests that are published at once are answered once each, under their own ids', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const ids = Array.from({ length: 1000 }, (_, index) => `request ${index}`);
    for (const correlationId of ids) bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { ...request, correlationId } });
    await settled();
    expect(responses.map(({ correlationId }) => correlationId)).toEqual(ids);
    expect(responses.every(({ success }) => success)).toBe(true);
  });

  test('a thousand requests at once resolve to the answer of each', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', async ({ correlationId, eventName }) => ({
      success: false,
      error: { code: 'unsupported_event', message: eventName, details: { correlationId } },
    }));
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        bus.request('HOOK_EXECUTION_REQUEST', { eventName: `event ${index}` as string, input: {} }),
      ),
    );
    for (const [index, { correlationId, error }] of answers.entries()) {
      expect(error).toEqual({ code: 'unsupported_event', message: `event ${index}`, details: { correlationId } });
    }
  });

  test('each request goes to one responder, in turn', async () => {
    const bus = new MessageBus();
    const called: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      bus.respond('HOOK_EXECUTION_REQUEST', async () => {
        called.push(name);
        return { success: true };
      });
    }
    for (let count = 0; count < 6; count += 1) await bus.request('HOOK_EXECUTION_REQUEST', request);
    expect(called).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });
});

describe('malformed requests', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;

  test.each<[string, unknown, string, unknown]>([
    ['no payload', undefined, 'must be an object, and is undefined', undefined],
    ['null', null, 'must be an object, and is null', undefined],
    ['an array', [], 'must be an object, and is an array', undefined],
    ['a text', 'run', 'must be an object, and is "run"', undefined],
    ['a number as id', { ...request, correlationId: 5 }, 'must be a string of 1 to 1024 characters, and is 5', { correlationId: 5 }],
    ['an empty id', { ...request, correlationId: '' }, 'must be a string of 1 to 1024 characters, and is ""', { correlationId: '' }],
    [
      'a long id',
      { ...request, correlationId: 'i'.repeat(1025) },
      'must be a string of 1 to 1024 characters',
      { correlationId: expect.any(String) },
    ],
    ['null as id', { ...request, correlationId: null }, 'must be a string of 1 to 1024 characters, and is null', { correlationId: null }],
    ['an object as id', { ...request, correlationId: { a: [1] } }, 'is an object', { correlationId: { a: [1] } }],
    ['a large object as id', { ...request, correlationId: { a: 'i'.repeat(1024) } }, 'is an object', { correlationId: 'an object' }],
    ['a deeply nested id', { ...request, correlationId: nested(3000) }, 'is an array', { correlationId: 'an array' }],
    ['an id that is not data', { ...request, correlationId: () => 1 }, 'is a function', { correlationId: 'a function' }],
    ['an id that has no end', { ...request, correlationId: cycle }, 'is an object', { correlationId: 'an object' }],
  ])('%s is answered once, invalid_request under a generated id, with and without responders', async (_, payload, message, details) => {
    const bus = new MessageBus();
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    let calls = 0;
    const malformed = { type: 'HOOK_EXECUTION_REQUEST', payload } as BusMessage;
    bus.publish(malformed);
    bus.respond('HOOK_EXECUTION_REQUEST', async () => {
      calls += 1;
      return { success: true };
    });
    bus.publish(malformed);
    await settled();
    expect(calls).toBe(0);
    expect(responses).toHaveLength(2);
    for (const response of responses) {
      expect(response).toMatchObject({ correlationId: expect.stringMatching(/./), success: false, error: { code: 'invalid_request' } });
      expect(response.error?.message).toContain(message);
      expect(response.error?.details).toEqual(details);
    }
  });

  test('request() with a malformed id resolves to that response', async () => {
    const bus = new MessageBus();
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const response = await bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 7 } as never);
    expect(response).toMatchObject({ success: false, error: { code: 'invalid_request', details: { correlationId: 7 } } });
    expect(responses).toEqual([response]);
  });

  test.each(['request', 'publish'] as const)('an id in flight is refused to a second %s, and the first is untouched', async (way) => {
    const bus = new MessageBus();
    const first = deferred<{ success: true }>();
    bus.respond('HOOK_EXECUTION_REQUEST', () => first.promise);
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const payload = { ...request, correlationId: 'mine' };
    const pending = bus.request('HOOK_EXECUTION_REQUEST', payload);
    if (way === 'publish') bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { ...payload } });
    else expect((await bus.request('HOOK_EXECUTION_REQUEST', payload)).error?.code).toBe('invalid_request');
    await settled();
    expect(responses).toHaveLength(1);
    expect(responses[0]).toMatchObject({ success: false, error: { code: 'invalid_request', details: { correlationId: 'mine' } } });
    expect(responses[0]?.correlationId).not.toBe('mine');
    first.resolve({ success: true });
    expect(await pending).toEqual({ correlationId: 'mine', success: true });
    expect((await bus.request('HOOK_EXECUTION_REQUEST', payload)).success).toBe(true);
  });

  test('the very object of a request in flight may be published again: the first is untouched', async () => {
    const bus = new MessageBus();
    const first = deferred<{ success: true }>();
    bus.respond('HOOK_EXECUTION_REQUEST', () => first.promise);
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const payload = { ...request, correlationId: 'mine' };
    const pending = bus.request('HOOK_EXECUTION_REQUEST', payload);
    bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload });
    expect(responses).toMatchObject([{ error: { code: 'invalid_request' } }]);
    first.resolve({ success: true });
    expect(await pending).toEqual({ correlationId: 'mine', success: true });
  });

  test('the id of a published request in flight is refused to request() too', async () => {
    const bus = new MessageBus();
    const first = deferred<{ success: true }>();
    bus.respond('HOOK_EXECUTION_REQUEST', () => first.promise);
    bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { ...request, correlationId: 'mine' } });
    const refused = await bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'mine' });
    expect(refused).toMatchObject({ error: { code: 'invalid_request', details: { correlationId: 'mine' } } });
  });
});

describe('no responders', () => {
  test('request() gets the answer at once, and so do subscribers of a published request', async () => {
    const bus = new MessageBus();
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const response = await bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' });
    bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { ...request, correlationId: 'b' } });
    const message = "No responder on HOOK_EXECUTION_REQUEST. Call bus.respond('HOOK_EXECUTION_REQUEST', …) before the first request.";
    expect(response).toEqual({ correlationId: 'a', success: false, error: { code: 'no_responders', message } });
    expect(responses).toEqual([response, { ...response, correlationId: 'b' }]);
  });

  test('a responder that left gets no new request, and ends what it has', async () => {
    const bus = new MessageBus();
    const ending = deferred<{ success: true }>();
    let isAborted = false;
    const stop = bus.respond('HOOK_EXECUTION_REQUEST', (_payload, { signal }) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
      });
      return ending.promise;
    });
    const pending = bus.request('HOOK_EXECUTION_REQUEST', request);
    stop();
    stop();
    expect((await bus.request('HOOK_EXECUTION_REQUEST', request)).error?.code).toBe('no_responders');
    ending.resolve({ success: true });
    expect((await pending).success).toBe(true);
    expect(isAborted).toBe(false);
  });
});

describe('responders that fail', () => {
  const fail = (thrown: unknown) => (): never => {
    throw thrown;
  };
  const unreadable = {
    get success(): never {
      throw new Error('mine');
    },
  };

  test.each<[string, () => unknown, string]>([
    ['throws', fail(new Error('broken')), 'The responder failed: broken'],
    ['rejects', () => Promise.reject(new Error('broken')), 'The responder failed: broken'],
    ['throws a text', fail('broken'), 'The responder failed: broken'],
    ['throws nothing', fail(undefined), 'The responder failed: undefined'],
    ['answers nothing', () => undefined, 'The responder answered undefined. '],
    ['answers a text', async () => 'done', 'The responder answered "done". '],
    ['answers an array', async () => [], 'The responder answered an array. '],
    ['answers an object of its own', async () => ({ ok: true }), 'The responder answered an object of another shape. '],
    ['fails without an error', async () => ({ success: false }), 'The responder answered an object of another shape. '],
    ['fails with an unknown code', async () => ({ success: false, error: { code: 'ENOENT', message: 'no' } }), 'another shape'],
    ['fails without a message', async () => ({ success: false, error: { code: 'timeout' } }), 'another shape'],
    ['answers what cannot be read', async () => unreadable, 'another shape'],
  ])('one that %s is an internal_error', async (_, handler, message) => {
    const bus = new MessageBus();
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    bus.respond('HOOK_EXECUTION_REQUEST', handler as never);
    const { error } = await bus.request('HOOK_EXECUTION_REQUEST', request);
    expect(error?.code).toBe('internal_error');
    expect(error?.message).toContain(message);
    await settled();
    expect(responses).toHaveLength(1);
  });

  test('an Error with a known code arrives as plain data, and a success carries no error', async () => {
    const bus = new MessageBus();
    const answers: unknown[] = [
      { success: false, error: Object.assign(new Error('slow'), { code: 'timeout', details: { outcomes: [] } }) },
      { success: true, error: new Error('no'), extra: 1 },
    ];
    bus.respond('HOOK_EXECUTION_REQUEST', () => answers.shift() as never);
    const failed = await bus.request('HOOK_EXECUTION_REQUEST', request);
    expect(failed.error).toStrictEqual({ code: 'timeout', message: 'slow', details: { outcomes: [] } });
    expect(failed.error).not.toBeInstanceOf(Error);
    expect(Object.keys(await bus.request('HOOK_EXECUTION_REQUEST', request))).toEqual(['correlationId', 'success']);
  });

  test('a handler may answer without a promise', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_HANDLER_CALL', () => ({ success: true, output: { action: 'Continue' } }), { route: 'e' });
    const call = { engineId: 'e', hookId: 'h', event: {}, timeoutMs: 10 };
    expect(await bus.request('HOOK_HANDLER_CALL', call)).toMatchObject({ success: true, output: { action: 'Continue' } });
  });
});

describe('the bound of a responder', () => {
  test('one more than maxInFlight is overloaded at once, and a place that is free is taken again', async () => {
    const bus = new MessageBus();
    const turns: ((answer: { success: true }) => void)[] = [];
    bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise((resolve) => turns.push(resolve)), { maxInFlight: 2 });
    const [first, second, third] = Array.from({ length: 3 }, () => bus.request('HOOK_EXECUTION_REQUEST', request));
    expect((await third)?.error).toMatchObject({
      code: 'overloaded',
      message: expect.stringContaining('The limit of 2 requests in flight is reached'),
    });
    turns[0]?.({ success: true });
    expect((await first)?.success).toBe(true);
    const fourth = bus.request('HOOK_EXECUTION_REQUEST', request);
    for (const turn of turns) turn({ success: true });
    expect([(await second)?.success, (await fourth).success]).toEqual([true, true]);
  });

  test('is 1024', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise(() => {}));
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    for (let count = 0; count < 1025; count += 1) bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request });
    expect(responses.map(({ error }) => error?.code)).toEqual(['overloaded']);
  });
});

describe('cancel', () => {
  test.each([
    ['with a reason', 'the user pressed escape', 'the user pressed escape'],
    ['without one', undefined, 'cancelled'],
  ])('published by anybody %s aborts the handler, and its answer is the response', async (_, reason, expected) => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', (_payload, { signal }) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve({ success: false, error: { code: 'cancelled', message: signal.reason, details: { outcomes: [1] } } });
        });
      });
    });
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const pending = bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' });
    const cancel = { correlationId: 'a', ...(reason === undefined ? {} : { reason }) };
    bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: cancel });
    bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a', reason: 'again' } });
    expect((await pending).error).toEqual({ code: 'cancelled', message: expected, details: { outcomes: [1] } });
    await settled();
    expect(responses).toHaveLength(1);
  });

  test('before the handler was called, or had asked for its signal, is the same', async () => {
    const bus = new MessageBus();
    const cancelled = deferred<void>();
    bus.respond('HOOK_EXECUTION_REQUEST', async (_payload, context) => {
      await cancelled.promise;
      return { success: false, error: { code: 'cancelled', message: String(context.signal.reason) } };
    });
    // The subscriber is called before the handler is; the cancel waits until the request has reached everybody.
    bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => {
      bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: payload.correlationId as string, reason: 'early' } });
    });
    bus.subscribe('HOOK_EXECUTION_CANCEL', () => cancelled.resolve());
    expect((await bus.request('HOOK_EXECUTION_REQUEST', request)).error).toEqual({ code: 'cancelled', message: 'early' });
  });

  test('of an id that is not in flight, and one without an id, are nothing', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    for (const payload of [{ correlationId: 'other' }, {}, null, undefined, 'a', { correlationId: 3 }]) {
      bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload } as BusMessage);
    }
    expect((await bus.request('HOOK_EXECUTION_REQUEST', request)).success).toBe(true);
  });
});

describe('progress', () => {
  test('carries the id of its request, also when it comes after the answer', async () => {
    const bus = new MessageBus();
    const progress = watch(bus, 'HOOK_EXECUTION_PROGRESS');
    const forged = { correlationId: 'forged', kind: 'planned' as const, eventName: 'BeforeTool', elapsedMs: 0, stages: [], skipped: 0 };
    const tell: (() => void)[] = [];
    bus.respond('HOOK_EXECUTION_REQUEST', async (_payload, { progress: publishProgress }) => {
      publishProgress(forged);
      tell.push(() => publishProgress(forged));
      return { success: true };
    });
    await bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' });
    for (const late of tell) late();
    expect(progress).toMatchObject([
      { kind: 'planned', correlationId: 'a' },
      { kind: 'planned', correlationId: 'a' },
    ]);
  });
});

const call = (engineId: string) => ({ engineId, hookId: 'h', event: {}, timeoutMs: 1000 });
const answer = (output: string) => () => ({ success: true as const, output });

describe('a routed channel', () => {
  test('a call goes to the responder that it names, and those of one route take turns', async () => {
    const bus = new MessageBus();
    const stop = bus.respond('HOOK_HANDLER_CALL', answer('a'), { route: 'a' });
    bus.respond('HOOK_HANDLER_CALL', answer('b'), { route: 'b' });
    bus.respond('HOOK_HANDLER_CALL', answer('a too'), { route: 'a' });
    const outputs: unknown[] = [];
    const ask = async (engineId: string) => outputs.push((await bus.request('HOOK_HANDLER_CALL', call(engineId))).output);
    for (const engineId of ['b', 'a', 'a', 'b', 'a']) await ask(engineId);
    stop();
    await ask('a');
    expect(outputs).toEqual(['b', 'a', 'a too', 'b', 'a', 'a too']);
  });

  test('everybody who watches sees the calls of every route', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_HANDLER_CALL', answered, { route: 'a' });
    const calls = watch(bus, 'HOOK_HANDLER_CALL');
    for (const engineId of ['a', 'b']) await bus.request('HOOK_HANDLER_CALL', call(engineId));
    expect(calls.map(({ engineId }) => engineId)).toEqual(['a', 'b']);
  });

  test('a call of a route without a server has no responders, and the answer names the route', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_HANDLER_CALL', answered, { route: 'a' });
    expect((await bus.request('HOOK_HANDLER_CALL', call('gone'))).error).toEqual({
      code: 'no_responders',
      message: 'No responder on HOOK_HANDLER_CALL has the engineId "gone". Call bus.respond(\'HOOK_HANDLER_CALL\', …, { route }) first.',
    });
  });

  test.each([
    ['no field', {}, 'is undefined'],
    ['an empty one', { engineId: '' }, 'is ""'],
    ['a number', { engineId: 5 }, 'is 5'],
  ])('a call with %s as its route reaches no server, and is answered under its own id', async (_, payload, message) => {
    const bus = new MessageBus();
    let calls = 0;
    bus.respond(
      'HOOK_HANDLER_CALL',
      () => {
        calls += 1;
        return { success: true };
      },
      { route: '5' },
    );
    const response = await bus.request('HOOK_HANDLER_CALL', { ...payload, correlationId: 'c' } as never);
    expect(response).toMatchObject({ correlationId: 'c', success: false, error: { code: 'invalid_request' } });
    expect(response.error?.message).toContain(`engineId must be a non-empty string, and ${message}`);
    expect(calls).toBe(0);
  });

  test.each([undefined, '', 5])('a responder with the route %p is refused', (route) => {
    const bus = new MessageBus();
    const respond = () => bus.respond('HOOK_HANDLER_CALL', answered, { route: route as string });
    expect(respond).toThrow(TypeError);
    expect(respond).toThrow('route must be a non-empty string on HOOK_HANDLER_CALL');
  });
});

test('a route where any responder may answer is refused', () => {
  const bus = new MessageBus();
  const respond = () => bus.respond('HOOK_EXECUTION_REQUEST', answered, { route: 'a' });
  expect(respond).toThrow(new TypeError('HOOK_EXECUTION_REQUEST has no routes: any responder may answer. Leave out "route"'));
});

test('a cancel finds the routed call', async () => {
  const bus = new MessageBus();
  const aborted = deferred<void>();
  bus.respond(
    'HOOK_HANDLER_CALL',
    (_payload, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => {});
    },
    { route: 'a' },
  );
  const pending = bus.request('HOOK_HANDLER_CALL', call('a'), { timeoutMs: 5 });
  await aborted.promise;
  expect((await pending).error?.code).toBe('timeout');
});
