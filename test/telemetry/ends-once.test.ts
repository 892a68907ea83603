import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Span, trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { MessageBus } from '@tenterhook/bus';
import { otel } from '@tenterhook/otel';
import { connectToNats } from '@tenterhook/transport-nats';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { type CreateHooksOptions, createHooks, type Hooks } from 'tenterhook';
import { createHookClient } from 'tenterhook/agent';
import { HookEngine, remoteHandlers } from 'tenterhook/handlers';
import { NatsServer, testWithNats } from '../support/nats-server.js';
import { until } from '../support/until.js';
import { commands, toolCall } from './rig.js';

/** A provider that counts how often each of its spans was ended. */
function countingProvider() {
  const provider = new BasicTracerProvider();
  const spans: { readonly name: string; ends: number; span: Span }[] = [];
  return {
    spans,
    getTracer: (name: string) => {
      const tracer = provider.getTracer(name);
      return {
        startActiveSpan: tracer.startActiveSpan.bind(tracer),
        startSpan: (...[spanName, ...rest]: Parameters<typeof tracer.startSpan>) => {
          const span = tracer.startSpan(spanName, ...rest);
          const counted = { name: spanName, ends: 0, span };
          spans.push(counted);
          const end = span.end.bind(span);
          span.end = (at) => {
            counted.ends += 1;
            end(at);
          };
          return span;
        },
      };
    },
    /** The names of the spans with the number of their ends. */
    ends: () => spans.map(({ name, ends }) => `${name} ${ends}`).sort(),
  };
}

type Counting = ReturnType<typeof countingProvider>;

async function counting(options: CreateHooksOptions, run: (hooks: Hooks, provider: Counting) => Promise<unknown>): Promise<Counting> {
  const provider = countingProvider();
  const hooks = await createHooks({ ...options, tracing: otel({ tracerProvider: provider, toolSpans: true }) });
  try {
    await run(hooks, provider);
  } finally {
    await hooks.dispose();
  }
  return provider;
}

const runs = (provider: Counting, count: number) =>
  until('the hooks run', () => provider.spans.filter(({ name }) => name.startsWith('run_hook')).length >= count);

const slow = commands({ one: 'sleep 30', two: 'sleep 30' });
const slowSpans = ['fire_hooks BeforeTool 1', 'run_hook one 1', 'run_hook two 1'];

test('each span ends once if the agent cancels the event', async () => {
  const control = new AbortController();
  const provider = await counting({ settings: slow }, async (hooks, spans) => {
    const fired = hooks.fire('BeforeTool', toolCall, { signal: control.signal });
    await runs(spans, 2);
    control.abort();
    expect((await fired).errors[0]).toMatchObject({ code: 'cancelled' });
  });
  expect(provider.ends()).toEqual(slowSpans);
});

test('each span ends once if the event or a hook times out', async () => {
  const ofEvent = await counting({ settings: slow }, (hooks) => hooks.fire('BeforeTool', toolCall, { timeoutMs: 200 }));
  expect(ofEvent.ends()).toEqual(slowSpans);
  const settings = commands({ one: { command: 'sleep 30', timeout: 100 }, two: 'exit 0' });
  expect((await counting({ settings }, (hooks) => hooks.fire('BeforeTool', toolCall))).ends()).toEqual(slowSpans);
});

test('each span ends once if the system is disposed of, also those of asynchronous hooks and of calls of tools', async () => {
  const provider = await counting({ settings: slow }, async (hooks, spans) => {
    const fired = hooks.fire('BeforeTool', toolCall);
    await runs(spans, 2);
    await hooks.dispose();
    await fired;
  });
  expect(provider.ends()).toEqual(slowSpans);
  const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command' as const, command: 'sleep 30', async: true }] }] } };
  const late = await counting({ settings, dialect: 'claude-code' }, async (hooks, spans) => {
    await hooks.agent().tool({ name: 'write_file', input: {}, execute: () => ({ llmContent: 'written' }) });
    await runs(spans, 1);
  });
  expect(late.ends()).toEqual(['execute_tool write_file 1', 'fire_hooks BeforeTool 1', 'run_hook claude-code 1']);
});

test('each span ends once if a tool throws, and if a hook waits for a free place until its event ends', async () => {
  const settings = commands({ guard: 'exit 0' });
  const thrown = await counting({ settings }, (hooks) =>
    hooks
      .agent()
      .tool({ name: 'write_file', input: {}, execute: () => Promise.reject(new Error('disk')) })
      .catch(() => {}),
  );
  expect(thrown.ends().every((end) => end.endsWith(' 1'))).toBe(true);
  expect(thrown.ends()).toContain('execute_tool write_file 1');
  const queued = await counting({ settings: slow, limits: { concurrency: 1 } }, (hooks) =>
    hooks.fire('BeforeTool', toolCall, { timeoutMs: 200 }),
  );
  expect(queued.ends()).toEqual(slowSpans);
});

/** A service whose requester is cut off while a hook runs, and then a handler whose process is cut off. */
async function whenConnectionIsLost(open: () => Promise<{ readonly bus: MessageBus; cut(): Promise<void> }>): Promise<void> {
  const [service, agent] = [await open(), await open()];
  const engine = await open();
  try {
    // At a socket, hooks run to their end: their service does not learn of the loss.
    const settings = commands({ one: 'sleep 1', two: 'sleep 1' });
    const provider = await counting({ bus: service.bus, settings }, async (_hooks, spans) => {
      // The server must know the service before it is asked.
      await service.bus.flush();
      const client = createHookClient(agent.bus);
      const fired = client.fire('BeforeTool', toolCall, { timeoutMs: 1_000 });
      await runs(spans, 2);
      await agent.cut();
      expect((await fired).success).toBe(false);
      await until('the event has ended', () => spans.spans.every(({ ends }) => ends > 0));
    });
    expect(provider.ends()).toEqual(slowSpans);
    const own = countingProvider();
    let isAsked = false;
    const remote = new HookEngine({ tracing: otel({ tracerProvider: own }) });
    remote.register({ id: 'policy', event_type: 'pre_tool_use' });
    remote.registerHandler('policy', {
      handle: () => {
        isAsked = true;
        return new Promise(() => {});
      },
    });
    await remote.connect(engine.bus, { name: 'policy' });
    const handlers = [remoteHandlers(service.bus, { accept: () => true })];
    const lost = await counting({ bus: service.bus, settings: {}, handlers }, async (hooks) => {
      await until('the engine is known', () => hooks.has('BeforeTool'));
      const fired = hooks.fire('BeforeTool', toolCall, { timeoutMs: 1_000 });
      await until('the handler is asked', () => isAsked);
      await engine.cut();
      await fired;
    });
    expect(lost.spans.length).toBeGreaterThan(0);
    expect(lost.ends().every((end) => end.endsWith(' 1'))).toBe(true);
    expect(own.ends().every((end) => end.endsWith(' 1'))).toBe(true);
  } finally {
    for (const each of [service, agent, engine]) await each.cut();
  }
}

test('each span ends once if the connection of the agent or of a handler is lost at a socket', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ends-once-'));
  const path = join(folder, 'hub');
  const hub = await listenOnSocket({ path });
  try {
    await whenConnectionIsLost(async () => {
      const transport = await connectToSocket({ path });
      const bus = new MessageBus({ transport });
      return {
        bus,
        cut: async () => {
          await transport.close();
          await bus.close();
        },
      };
    });
  } finally {
    await hub.close();
    rmSync(folder, { recursive: true });
  }
});

testWithNats('each span ends once if the connection of the agent or of a handler is lost at a NATS server', async () => {
  const server = await NatsServer.start();
  try {
    await whenConnectionIsLost(async () => {
      const transport = await connectToNats({ servers: server.url, aliveMs: 200 });
      const bus = new MessageBus({ transport });
      return {
        bus,
        cut: async () => {
          await transport.close();
          await bus.close();
        },
      };
    });
  } finally {
    await server.stop();
  }
});

test('a provider that is set, replaced or shut down while an event runs changes no event and leaves no span open', async () => {
  const hooks = await createHooks({ settings: commands({ guard: 'echo no >&2; exit 2' }), tracing: otel() });
  const fire = async () => (await hooks.fire('BeforeTool', toolCall)).verdict.kind;
  try {
    const running = fire();
    const [first, second] = [countingProvider(), countingProvider()];
    trace.setGlobalTracerProvider(first);
    expect([await running, await fire()]).toEqual(['deny', 'deny']);
    const again = fire();
    trace.disable();
    trace.setGlobalTracerProvider(second);
    expect([await again, await fire()]).toEqual(['deny', 'deny']);
    const sdk = new BasicTracerProvider();
    trace.disable();
    trace.setGlobalTracerProvider(sdk);
    const last = fire();
    await sdk.shutdown();
    expect([await last, await fire()]).toEqual(['deny', 'deny']);
    for (const provider of [first, second]) {
      expect(provider.spans.length).toBeGreaterThan(0);
      expect(provider.spans.every(({ ends }) => ends === 1)).toBe(true);
    }
  } finally {
    trace.disable();
    await hooks.dispose();
  }
});
