import { setTimeout as pause } from 'node:timers/promises';
import { createHookClient, type HookClientOptions } from '@tenterhook/agent';
import { MemoryTransport, MessageBus, type RequestHandler } from '@tenterhook/bus';
import { connectToNats } from '@tenterhook/transport-nats';
import { createHooks } from 'tenterhook';
import { freshDirectory, settingsOf } from '../support/fire-hooks.js';
import { NatsServer, testWithNats } from '../support/nats-server.js';
import { resultWith } from '../support/results.js';

const channel = 'HOOK_EXECUTION_REQUEST';
type Handler = RequestHandler<typeof channel>;
const input = { tool_name: 'read', tool_input: {} };

const deny = (reason: string) => resultWith({ verdict: { kind: 'deny', stop: false, reason, by: ['h'], stoppedBy: [] } });
const allow = resultWith({ verdict: { kind: 'allow', stop: false, by: ['h'], stoppedBy: [] } });
const answers =
  (output: ReturnType<typeof resultWith>): Handler =>
  () => ({ success: true, output });
const fails: Handler = () => ({ success: false, error: { code: 'internal_error', message: 'out of order' } });

/** A client, and two workers that take turns. The first worker receives the first request. */
async function withWorkers(
  first: Handler,
  second: Handler,
  run: (scene: {
    fire(options?: object): ReturnType<ReturnType<typeof createHookClient>['fire']>;
    asked: string[];
    bus: MessageBus;
  }) => Promise<void>,
  hedge: HookClientOptions['hedge'] = { events: ['BeforeTool'], afterMs: 1 },
): Promise<void> {
  const transport = new MemoryTransport();
  const buses = [0, 1, 2].map(() => new MessageBus({ transport }));
  const [bus, ...workers] = buses as [MessageBus, MessageBus, MessageBus];
  const asked: string[] = [];
  for (const [index, handler] of [first, second].entries()) {
    workers[index]?.respond(channel, (payload, context) => {
      asked.push(index === 0 ? 'first' : 'second');
      return handler(payload, context);
    });
  }
  const client = createHookClient(bus, { hedge });
  try {
    await run({ bus, asked, fire: (options = {}) => client.fire('BeforeTool', input, options) });
  } finally {
    await Promise.all(buses.map((one) => one.close()));
    await transport.close();
  }
}

/** Answers when the test opens it. The `signal` is that of the request. */
function gate() {
  let open = (_output: ReturnType<typeof resultWith>) => {};
  let signal: AbortSignal | undefined;
  const handler: Handler = (_payload, context) => {
    signal = context.signal;
    return new Promise((resolve) => {
      open = (output) => resolve({ success: true, output });
    });
  };
  return { handler, answer: (output: ReturnType<typeof resultWith>) => open(output), isCancelled: () => signal?.aborted === true };
}

test('a slow worker is left, its request is cancelled, and the answer of the second worker counts', async () => {
  const slow = gate();
  await withWorkers(slow.handler, answers(allow), async ({ fire, asked }) => {
    expect((await fire()).verdict.kind).toBe('allow');
    expect(asked).toEqual(['first', 'second']);
    expect(slow.isCancelled()).toBe(true);
  });
});

test('the answer of the first worker counts if it comes first, and the second request is cancelled', async () => {
  const [one, two] = [gate(), gate()];
  const second: Handler = (payload, context) => {
    one.answer(allow);
    return two.handler(payload, context);
  };
  await withWorkers(one.handler, second, async ({ fire, asked }) => {
    expect((await fire()).verdict.kind).toBe('allow');
    expect(asked).toEqual(['first', 'second']);
    expect(two.isCancelled()).toBe(true);
  });
});

test('an answer in time, and an event that is not listed, are not asked for twice', async () => {
  await withWorkers(answers(allow), fails, async ({ fire, asked }) => {
    await fire();
    expect(asked).toEqual(['first']);
  });
  const slow: Handler = async () => {
    await pause(50);
    return { success: true, output: allow };
  };
  const other = { events: ['BeforeModel'] as const, afterMs: 1 };
  await withWorkers(
    slow,
    fails,
    async ({ fire, asked }) => {
      expect((await fire()).verdict.kind).toBe('allow');
      expect(asked).toEqual(['first']);
    },
    other,
  );
});

test('without a delay, the 95th percentile of at least 20 answers is used', async () => {
  const slow = gate();
  let calls = 0;
  const handler: Handler = (payload, context) => {
    calls += 1;
    return calls === 21 ? slow.handler(payload, context) : { success: true, output: allow };
  };
  await withWorkers(
    handler,
    handler,
    async ({ fire, asked }) => {
      for (let count = 0; count < 20; count += 1) await fire();
      expect(asked).toHaveLength(20);
      expect((await fire()).verdict.kind).toBe('allow');
      expect(asked).toHaveLength(22);
      expect(slow.isCancelled()).toBe(true);
    },
    { events: ['BeforeTool'] },
  );
});

test('a failure waits for the other worker, and if both fail, the event has failed', async () => {
  const one = gate();
  const failing: Handler = () => {
    one.answer(allow);
    return fails({} as never, {} as never);
  };
  await withWorkers(one.handler, failing, async ({ fire }) => {
    expect((await fire()).verdict.kind).toBe('allow');
  });
  const never = gate();
  const both: Handler = () => {
    never.answer({ broken: true } as never);
    return fails({} as never, {} as never);
  };
  await withWorkers(never.handler, both, async ({ fire }) => {
    expect(await fire()).toMatchObject({ success: false, errors: [{ code: 'internal_error' }] });
  });
});

test('an abort and a timeout end both requests', async () => {
  const [one, two] = [gate(), gate()];
  const control = new AbortController();
  const second: Handler = (payload, context) => {
    control.abort();
    return two.handler(payload, context);
  };
  await withWorkers(one.handler, second, async ({ fire }) => {
    expect(await fire({ signal: control.signal })).toMatchObject({ success: false, errors: [{ code: 'cancelled' }] });
    expect([one.isCancelled(), two.isCancelled()]).toEqual([true, true]);
  });
  const [three, four] = [gate(), gate()];
  await withWorkers(three.handler, four.handler, async ({ fire }) => {
    expect(await fire({ timeoutMs: 50 })).toMatchObject({ success: false, errors: [{ code: 'timeout' }] });
    expect([three.isCancelled(), four.isCancelled()]).toEqual([true, true]);
  });
});

/** A hook that denies, and one that runs beside it until the file `gate` exists. */
function denyingWorker(bus: MessageBus, ending: string) {
  return createHooks({
    bus,
    projectDir: freshDirectory(),
    settings: settingsOf('BeforeTool', ['echo "the first worker denies" >&2; exit 2', ending]),
  });
}

test('a deny that a hook of the slow worker has given before the other answer is not lost', async () => {
  const transport = new MemoryTransport();
  const [bus, slow, fast] = [0, 1, 2].map(() => new MessageBus({ transport })) as [MessageBus, MessageBus, MessageBus];
  // The second hook of the slow worker runs longer than the other worker takes.
  const hooks = await denyingWorker(slow, 'sleep 1');
  const denied = new Promise<void>((resolve) => {
    slow.subscribe(
      'HOOK_EXECUTION_PROGRESS',
      ({ payload }) => payload.kind === 'hook-finished' && payload.outcome.status === 'blocked' && resolve(),
    );
  });
  fast.respond(channel, async () => {
    await denied;
    return { success: true, output: allow };
  });
  try {
    const client = createHookClient(bus, { hedge: { events: ['BeforeTool'], afterMs: 1 } });
    expect((await client.fire('BeforeTool', input)).verdict).toMatchObject({ kind: 'deny', reason: 'the first worker denies' });
  } finally {
    await hooks.dispose();
    await Promise.all([bus, slow, fast].map((one) => one.close()));
    await transport.close();
  }
});

test('a deny of a worker that then ends is not lost', async () => {
  const transport = new MemoryTransport();
  const [bus, slow, fast] = [0, 1, 2].map(() => new MessageBus({ transport })) as [MessageBus, MessageBus, MessageBus];
  const reported = new Promise<void>((resolve) => {
    slow.respond(channel, (_payload, { progress }) => {
      const outcome = {
        hookId: 'guard',
        eventName: 'BeforeTool',
        source: 's',
        dialect: 'd',
        status: 'blocked' as const,
        durationMs: 1,
        warnings: [],
      };
      progress({ kind: 'hook-finished', eventName: 'BeforeTool', elapsedMs: 1, hookId: 'guard', outcome });
      resolve();
      return new Promise(() => {});
    });
  });
  fast.respond(channel, async () => {
    await reported;
    void slow.close();
    return { success: true, output: allow };
  });
  try {
    const client = createHookClient(bus, { hedge: { events: ['BeforeTool'], afterMs: 1 } });
    expect((await client.fire('BeforeTool', input)).verdict).toMatchObject({
      kind: 'deny',
      by: ['guard'],
      reason: expect.stringContaining('The hook guard denied, and its worker then gave no answer (disposed)'),
    });
  } finally {
    await Promise.all([bus, slow, fast].map((one) => one.close()));
    await transport.close();
  }
});

test('a deny of the second worker counts', async () => {
  const one = gate();
  await withWorkers(one.handler, answers(deny('no')), async ({ fire }) => {
    expect((await fire()).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(one.isCancelled()).toBe(true);
  });
});

test('if all answers are slow, at most ten of the last hundred events are sent twice', async () => {
  const slow: Handler = async () => {
    await pause(5);
    return { success: true, output: allow };
  };
  await withWorkers(slow, slow, async ({ fire, asked }) => {
    for (let count = 0; count < 30; count += 1) await fire();
    expect(asked).toHaveLength(40);
  });
});

test.each([
  [{}],
  [{ events: [] }],
  [{ events: ['X'] }],
  [{ events: ['BeforeTool'], afterMs: 0 }],
  [{ events: ['BeforeTool'], after: 1 }],
  [true],
])('hedge: %p is refused', async (hedge) => {
  const bus = new MessageBus();
  expect(() => createHookClient(bus, { hedge } as never)).toThrow(TypeError);
  await bus.close();
});

test('hooks of this process have no second worker', async () => {
  const hooks = await createHooks({ projectDir: freshDirectory(), settings: {} });
  expect(() => hooks.agent({ hedge: { events: ['BeforeTool'] } })).toThrow(TypeError);
  await hooks.dispose();
});

testWithNats('over NATS, with real hooks: the second request is answered, and the hook of the first one is ended', async () => {
  const server = await NatsServer.start();
  const opened: { close(): Promise<unknown> }[] = [];
  const connected = async () => {
    const transport = await connectToNats({ servers: server.url });
    const bus = new MessageBus({ transport });
    opened.unshift(bus, transport);
    return bus;
  };
  try {
    const projectDir = freshDirectory();
    // The first run hangs, in whichever worker it is.
    const command = `mkdir ${projectDir}/lock 2>/dev/null && sleep 60; echo '{"decision":"allow"}'`;
    const finished: string[] = [];
    for (const _ of [1, 2]) {
      const bus = await connected();
      const hooks = await createHooks({ bus, projectDir, settings: settingsOf('BeforeTool', [command]) });
      opened.unshift({ close: () => hooks.dispose() });
      await bus.flush();
    }
    const bus = await connected();
    const ended = new Promise<void>((resolve) => {
      bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => {
        finished.push(payload.error?.code ?? payload.output?.verdict.kind ?? '');
        if (finished.length === 2) resolve();
      });
    });
    await bus.flush();
    const client = createHookClient(bus, { timeoutMs: 30_000, hedge: { events: ['BeforeTool'], afterMs: 200 } });
    expect((await client.fire('BeforeTool', input)).verdict.kind).toBe('allow');
    await ended;
    expect(finished).toEqual(['allow', 'cancelled']);
  } finally {
    for (const one of opened) await one.close();
    await server.stop();
  }
});
