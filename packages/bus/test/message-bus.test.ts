import '../../../test/support/debug-log.js';
import { format } from 'node:util';
import type { BusMessage } from '@tenterhook/protocol';
import createDebug from 'debug';
import * as exported from '../src/index.js';
import { MessageBus, type ProgressPayload } from '../src/index.js';
import * as internal from '../src/internal.js';
import { answered, deferred, request, settled, watch } from './watch.js';

const planned: ProgressPayload = { kind: 'planned', eventName: 'BeforeTool', elapsedMs: 0, stages: [], skipped: 0 };

describe('subscribe and publish', () => {
  test('a subscriber gets the whole message, until it unsubscribes', () => {
    const bus = new MessageBus();
    const messages: BusMessage[] = [];
    const unsubscribe = bus.subscribe('HOOK_EXECUTION_CANCEL', (message) => messages.push(message));
    const message = { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a', reason: 'why' } } as const;
    expect(bus.publish(message)).toBe(true);
    unsubscribe();
    unsubscribe();
    bus.publish(message);
    expect(messages).toEqual([message]);
    expect(messages[0]).not.toBe(message);
  });

  test('a subscriber gets a frozen copy, the same as all others; what is published stays as it is', () => {
    const bus = new MessageBus();
    const seen: BusMessage[] = [];
    for (const _ of [1, 2]) bus.subscribe('HOOK_EXECUTION_REQUEST', (message) => seen.push(message));
    const when = new Date(0);
    const list = new Map([['a', { b: 1 }]]);
    const input: Record<string, unknown> = { tool_input: { list: [{ deep: 1 }] }, when, list, run: () => 1 };
    Object.defineProperty(input, '__proto__', { value: { polluted: true }, enumerable: true, writable: true, configurable: true });
    input['self'] = input;
    bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId: 'a', eventName: 'BeforeTool', input } });
    const [first, second] = seen;
    expect(first).toBe(second);
    const copy = (first as unknown as { payload: { input: Record<string, unknown> } }).payload.input;
    const toolInput = copy['tool_input'] as { list: object[] };
    expect(copy).not.toBe(input);
    expect(copy['self']).toBe(copy);
    expect(copy['list']).toEqual(list);
    expect(copy['list']).not.toBe(list);
    expect(copy['when']).not.toBe(when);
    expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf({}));
    const parts = [first, first?.payload, copy, toolInput, toolInput.list, toolInput.list[0]];
    expect(parts.map(Object.isFrozen)).toEqual(parts.map(() => true));
    expect([input, input['tool_input']].map(Object.isFrozen)).toEqual([false, false]);
  });

  test('a message that cannot be copied reaches its subscribers without its content, and the responder whole', async () => {
    const bus = new MessageBus();
    const seen: unknown[] = [];
    bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => seen.push(payload));
    bus.respond('HOOK_EXECUTION_REQUEST', ({ input }) => ({ success: true, output: Object.keys(input) as never }));
    const input = Object.defineProperty({}, 'secret', {
      enumerable: true,
      get: () => {
        throw new Error('not to be read');
      },
    });
    const { output } = await bus.request('HOOK_EXECUTION_REQUEST', { correlationId: 'a', eventName: 'BeforeTool' as string, input });
    expect(seen).toEqual([{ correlationId: 'a' }]);
    expect(output).toEqual(['secret']);
  });

  test('a function that subscribes twice is called twice, and each unsubscribes itself', () => {
    const bus = new MessageBus();
    let calls = 0;
    const subscriber = () => {
      calls += 1;
    };
    const first = bus.subscribe('HOOK_EXECUTION_CANCEL', subscriber);
    bus.subscribe('HOOK_EXECUTION_CANCEL', subscriber);
    first();
    bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a' } });
    expect(calls).toBe(1);
  });

  test('a subscriber that is taken away during a delivery gets nothing more of it', () => {
    const bus = new MessageBus();
    const seen: string[] = [];
    bus.subscribe('HOOK_EXECUTION_CANCEL', () => {
      seen.push('first');
      unsubscribe();
    });
    const unsubscribe = bus.subscribe('HOOK_EXECUTION_CANCEL', () => seen.push('second'));
    bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a' } });
    expect(seen).toEqual(['first']);
  });

  test('a request that is published without an id has one for everybody who watches, and is not modified', () => {
    const bus = new MessageBus();
    const requests = watch(bus, 'HOOK_EXECUTION_REQUEST');
    bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request });
    bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { ...request, correlationId: undefined } });
    expect(request).not.toHaveProperty('correlationId');
    const withId = { ...request, correlationId: expect.stringMatching(/./) };
    expect(requests).toEqual([withId, withId]);
  });
});

describe('a throwing subscriber affects no other', () => {
  const fail = (): never => {
    throw new Error('mine');
  };
  const hostileThenable = {
    // biome-ignore lint/suspicious/noThenProperty: that it is there is the test
    get then(): unknown {
      return fail();
    },
  };

  test.each<[string, () => unknown]>([
    ['it throws', fail],
    ['its promise rejects', () => Promise.reject(new Error('mine'))],
    ['it returns a thenable that throws', () => hostileThenable],
  ])('%s', async (_, subscriber) => {
    const bus = new MessageBus();
    for (const channel of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_RESPONSE', 'HOOK_EXECUTION_PROGRESS'] as const) {
      bus.subscribe(channel, subscriber);
    }
    const requests = watch(bus, 'HOOK_EXECUTION_REQUEST');
    const progress = watch(bus, 'HOOK_EXECUTION_PROGRESS');
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    bus.respond('HOOK_EXECUTION_REQUEST', async (_payload, context) => {
      context.progress(planned);
      return { success: true };
    });
    const response = await bus.request('HOOK_EXECUTION_REQUEST', request);
    await settled();
    expect(response.success).toBe(true);
    expect([requests.length, progress.length, responses]).toEqual([1, 1, [response]]);
  });
});

describe('wrong use', () => {
  const bus = new MessageBus();
  const wrong = (value: unknown) => value as never;
  const noop = () => {};

  test.each<[string, () => unknown, string]>([
    ['publish no message', () => bus.publish(wrong(undefined)), 'message must be an object { type, payload }, and is undefined'],
    ['publish a text', () => bus.publish(wrong('hello')), 'message must be an object { type, payload }, and is "hello"'],
    ['publish an unknown type', () => bus.publish(wrong({ type: 'HOOK', payload: {} })), 'is "HOOK"'],
    ['publish an inherited name as type', () => bus.publish(wrong({ type: 'toString', payload: {} })), 'is "toString"'],
    [
      'a bus with an option that is misspelt',
      () => new MessageBus(wrong({ transprot: {} })),
      'has no option "transprot". Did you mean "transport"?',
    ],
    [
      'respond with an option that is misspelt',
      () => bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true }), wrong({ maxInflight: 1 })),
      'respond() has no option "maxInflight". Did you mean "maxInFlight"?',
    ],
    [
      'values of a stream with an option that is unknown',
      () => bus.stream('HOOK_EXECUTION_CANCEL').values(wrong({ timeoutMs: 1 })),
      'values() has no option "timeoutMs". Its options are signal and maxBuffered.',
    ],
    ['subscribe to no channel', () => bus.subscribe(wrong('HOOK'), noop), 'is "HOOK"'],
    [
      'subscribe without a function',
      () => bus.subscribe('HOOK_EXECUTION_CANCEL', wrong(5)),
      'subscriber must be a function, or the options of an iteration, and is 5',
    ],
    [
      'subscribe with a function that is misspelt',
      () => bus.subscribe('HOOK_EXECUTION_CANCEL', wrong(undefined)),
      'subscriber must be a function, or the options of an iteration, and is undefined',
    ],
    [
      'iterate with an option that is misspelt',
      () => bus.subscribe('HOOK_EXECUTION_CANCEL', wrong({ singal: undefined })),
      'subscribe() has no option "singal". Did you mean "signal"?',
    ],
    [
      'iterate with an invalid signal',
      () => bus.subscribe('HOOK_EXECUTION_CANCEL', { signal: wrong('stop') }),
      'signal must be an AbortSignal, and is "stop"',
    ],
    [
      'iterate without a buffer',
      () => bus.subscribe('HOOK_EXECUTION_CANCEL', { maxBuffered: 0 }),
      'maxBuffered must be an integer from 1, and is 0',
    ],
    [
      'respond on another channel',
      () => bus.respond(wrong('HOOK_EXECUTION_CANCEL'), answered),
      'HOOK_EXECUTION_CANCEL is not a request channel',
    ],
    ['respond without a function', () => bus.respond('HOOK_EXECUTION_REQUEST', wrong(null)), 'handler must be a function, and is null'],
    [
      'respond to no request',
      () => bus.respond('HOOK_EXECUTION_REQUEST', answered, { maxInFlight: 0 }),
      'maxInFlight must be an integer from 1, and is 0',
    ],
    ['stream no channel', () => bus.stream(wrong('HOOK')), 'is "HOOK"'],
    [
      'stream a misspelt channel',
      () => bus.stream(wrong('HOOK_EXECUTION_RESPONS')),
      'channel: there is no channel "HOOK_EXECUTION_RESPONS". Did you mean "HOOK_EXECUTION_RESPONSE"?',
    ],
    [
      'publish to a misspelt channel',
      () => bus.publish(wrong({ type: 'hook_execution_cancel', payload: {} })),
      'message.type: there is no channel "hook_execution_cancel". Did you mean "HOOK_EXECUTION_CANCEL"?',
    ],
    ['stream invalid requests', () => bus.requestStream('HOOK_EXECUTION_REQUEST', wrong(5)), 'payload must be an object, and is 5'],
    ['count no channel', () => bus.listenerCount(wrong(5)), 'is 5'],
    ['a negative grace', () => new MessageBus({ cancelGraceMs: -1 }), 'cancelGraceMs must be a number from 0 to 2147483647, and is -1'],
  ])('%s', (_, use, message) => {
    expect(use).toThrow(TypeError);
    expect(use).toThrow(message);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['no object', () => bus.request('HOOK_EXECUTION_REQUEST', wrong(null)), 'payload must be an object, and is null'],
    ['an array', () => bus.request('HOOK_EXECUTION_REQUEST', wrong([])), 'payload must be an object, and is an array'],
    [
      'a channel that is not asked',
      () => bus.request(wrong('HOOK_EXECUTION_CANCEL'), wrong(request)),
      'HOOK_EXECUTION_CANCEL is not a request channel',
    ],
    ['no channel', () => bus.request(wrong('HOOK'), wrong(request)), 'is "HOOK"'],
    [
      'an option that is misspelt',
      () => bus.request('HOOK_EXECUTION_REQUEST', request, wrong({ timeoutMS: 5 })),
      'request() has no option "timeoutMS". Did you mean "timeoutMs"?',
    ],
    ['no object as options', () => bus.request('HOOK_EXECUTION_REQUEST', request, wrong(null)), 'options must be an object, and is null'],
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648, '5', null].map(
      (timeoutMs): [string, () => Promise<unknown>, string] => [
        `a timeout of ${timeoutMs}`,
        () => bus.request('HOOK_EXECUTION_REQUEST', request, { timeoutMs: wrong(timeoutMs) }),
        'timeoutMs must be a number from 1 to 2147483647, and is ',
      ],
    ),
    [
      'no signal',
      () => bus.request('HOOK_EXECUTION_REQUEST', request, { signal: wrong('stop') }),
      'signal must be an AbortSignal, and is "stop"',
    ],
  ])('a request with %s rejects', async (_, use, message) => {
    const used = use();
    await expect(used).rejects.toThrow(TypeError);
    await expect(used).rejects.toThrow(message);
  });
});

describe('listenerCount', () => {
  test('counts subscribers, streams and responders of this bus, and nothing of the bus itself', () => {
    const bus = new MessageBus();
    expect(bus.listenerCount('HOOK_EXECUTION_REQUEST')).toBe(0);
    const unsubscribe = bus.subscribe('HOOK_EXECUTION_REQUEST', () => {});
    const stop = bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const subscription = bus.stream('HOOK_EXECUTION_REQUEST').subscribe();
    expect(bus.listenerCount('HOOK_EXECUTION_REQUEST')).toBe(3);
    expect(bus.listenerCount('HOOK_EXECUTION_CANCEL')).toBe(0);
    for (const end of [unsubscribe, unsubscribe, stop, stop, () => subscription.unsubscribe()]) end();
    expect(bus.listenerCount('HOOK_EXECUTION_REQUEST')).toBe(0);
  });

  test('stays the same over a thousand requests, in flight and after', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const { signal } = new AbortController();
    const counts = () => [bus.listenerCount('HOOK_EXECUTION_REQUEST'), bus.listenerCount('HOOK_EXECUTION_RESPONSE')];
    const pending = Array.from({ length: 1000 }, () => bus.request('HOOK_EXECUTION_REQUEST', request, { signal, timeoutMs: 60_000 }));
    expect(counts()).toEqual([1, 0]);
    await Promise.all(pending);
    expect(counts()).toEqual([1, 0]);
  });
});

describe('close', () => {
  test('what is in flight is answered disposed, exactly once, and the handlers are aborted', async () => {
    const bus = new MessageBus();
    const late = deferred<{ success: true }>();
    const reasons: unknown[] = [];
    bus.respond('HOOK_EXECUTION_REQUEST', (_payload, { signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return late.promise;
    });
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    const pending = [bus.request('HOOK_EXECUTION_REQUEST', request), bus.request('HOOK_EXECUTION_REQUEST', request)];
    bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request });
    const closed = bus.close();
    expect(bus.close()).toBe(closed);
    expect(reasons).toEqual(['disposed', 'disposed', 'disposed']);
    for (const response of await Promise.all(pending)) {
      expect(response).toMatchObject({ success: false, error: { code: 'disposed' } });
    }
    await closed;
    late.resolve({ success: true });
    await settled();
    expect(responses.map(({ error }) => error?.code)).toEqual(['disposed', 'disposed', 'disposed']);
    expect(new Set(responses.map(({ correlationId }) => correlationId)).size).toBe(3);
  });

  test('afterwards requests are disposed, publishing is false, and no listener is called', async () => {
    const bus = new MessageBus();
    const seen = watch(bus, 'HOOK_EXECUTION_REQUEST');
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    await bus.close();
    await bus.close();
    expect(bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request })).toBe(false);
    expect(await bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' })).toEqual({
      correlationId: 'a',
      success: false,
      error: { code: 'disposed', message: 'The bus is closed.' },
    });
    bus.subscribe('HOOK_EXECUTION_REQUEST', () => seen.push(request))();
    bus.respond('HOOK_EXECUTION_REQUEST', answered)();
    expect(bus.listenerCount('HOOK_EXECUTION_REQUEST')).toBe(0);
    expect(seen).toEqual([]);
  });

  test('during a delivery, by a subscriber, its request is still answered', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    let closed: Promise<void> | undefined;
    bus.subscribe('HOOK_EXECUTION_REQUEST', () => {
      closed ??= bus.close();
    });
    const response = await bus.request('HOOK_EXECUTION_REQUEST', request);
    await closed;
    expect(response.error?.code).toBe('disposed');
    expect(responses).toHaveLength(1);
  });

  test('by a handler that is being aborted, it is the same close', async () => {
    const bus = new MessageBus();
    const inner: Promise<void>[] = [];
    bus.respond('HOOK_EXECUTION_REQUEST', (_payload, { signal }) => {
      signal.addEventListener('abort', () => inner.push(bus.close()));
      return new Promise(() => {});
    });
    const pending = bus.request('HOOK_EXECUTION_REQUEST', request);
    const closed = bus.close();
    expect(inner).toEqual([closed]);
    await closed;
    expect((await pending).error?.code).toBe('disposed');
  });

  test('progress after it is dropped', async () => {
    const bus = new MessageBus();
    const progress = watch(bus, 'HOOK_EXECUTION_PROGRESS');
    let tell = () => {};
    bus.respond('HOOK_EXECUTION_REQUEST', (_payload, context) => {
      tell = () => context.progress(planned);
      return new Promise(() => {});
    });
    void bus.request('HOOK_EXECUTION_REQUEST', request);
    tell();
    await bus.close();
    tell();
    expect(progress).toHaveLength(1);
  });
});

describe('re-entrancy', () => {
  test('a handler may request, and a subscriber may', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', async ({ eventName }) => {
      if (eventName === 'AfterTool') return { success: true };
      const { success } = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'AfterTool' as string, input: {} });
      return success ? { success } : { success: false, error: { code: 'internal_error', message: 'no answer' } };
    });
    const answers: Promise<{ success: boolean }>[] = [];
    bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => {
      if (payload.eventName === 'BeforeTool')
        answers.push(bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'AfterTool' as string, input: {} }));
    });
    expect(await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool' as string, input: {} })).toMatchObject({ success: true });
    expect(await Promise.all(answers)).toMatchObject([{ success: true }]);
  });

  test('what is published during a delivery follows when the message has reached everybody', () => {
    const bus = new MessageBus();
    const seen: string[] = [];
    bus.subscribe('HOOK_EXECUTION_CANCEL', ({ payload }) => {
      if (payload.correlationId !== 'one') return;
      bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'two' } });
      bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'three' } });
    });
    bus.subscribe('HOOK_EXECUTION_CANCEL', ({ payload }) => seen.push(payload.correlationId));
    bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'one' } });
    expect(seen).toEqual(['one', 'two', 'three']);
  });

  test('two requests of one id, made during a delivery, get each its own answer', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const pending: Promise<{ success: boolean; correlationId: string }>[] = [];
    bus.subscribe('HOOK_EXECUTION_CANCEL', () => {
      bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { ...request, correlationId: 'a' } });
      pending.push(bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' }));
    });
    const responses = watch(bus, 'HOOK_EXECUTION_RESPONSE');
    bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'go' } });
    const [refused] = await Promise.all(pending);
    await settled();
    expect(refused).toMatchObject({ success: false, error: { code: 'invalid_request', details: { correlationId: 'a' } } });
    expect(responses).toHaveLength(2);
    expect(responses).toContainEqual({ correlationId: 'a', success: true });
  });
});

describe('DEBUG=tenterhook:bus', () => {
  /** What DEBUG=… would show while the work is done. */
  async function shown(namespaces: string, work: () => unknown): Promise<string> {
    const lines: string[] = [];
    const { log } = createDebug;
    createDebug.log = (...values: unknown[]) => lines.push(format(...values));
    createDebug.enable(namespaces);
    try {
      await work();
      await settled();
    } finally {
      createDebug.disable();
      createDebug.log = log;
    }
    return lines.join('\n');
  }

  const fail = () => {
    throw new Error('mine');
  };

  test.each<[string, (bus: MessageBus) => unknown, RegExp]>([
    [
      'a subscriber that throws',
      (bus) => {
        bus.subscribe('HOOK_EXECUTION_REQUEST', fail);
        return bus.request('HOOK_EXECUTION_REQUEST', request);
      },
      /a subscriber of HOOK_EXECUTION_REQUEST threw: Error: mine at /,
    ],
    [
      'a subscriber that rejects',
      (bus) => {
        bus.subscribe('HOOK_EXECUTION_REQUEST', async () => fail());
        return bus.request('HOOK_EXECUTION_REQUEST', request);
      },
      /a subscriber of HOOK_EXECUTION_REQUEST rejected: .*mine/,
    ],
    [
      'a responder that fails',
      (bus) => {
        bus.respond('HOOK_EXECUTION_REQUEST', async () => fail() as never);
        return bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' });
      },
      /the responder of HOOK_EXECUTION_REQUEST failed on request a: .*mine/,
    ],
    [
      'a message for a closed bus',
      async (bus) => {
        await bus.close();
        bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request });
      },
      /HOOK_EXECUTION_REQUEST was not published: the bus is closed/,
    ],
  ])('the bus reports %s', async (_, work, line) => {
    expect(await shown('tenterhook:bus', () => work(new MessageBus()))).toMatch(line);
  });
});

test('the public names', () => {
  expect(Object.keys(exported)).toEqual(['MemoryTransport', 'MessageBus', 'parseMessage']);
  expect(Object.keys(internal)).toEqual([
    'BoundedStream',
    'EventRecords',
    'RecentMap',
    'createStream',
    'isCorrelationId',
    'isResponseChannel',
    'isUnsolicited',
    'keyOfMessage',
    'markUnsolicited',
    'serverKey',
    'streamOriginals',
  ]);
});
