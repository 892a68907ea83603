import { context, createContextKey } from '@opentelemetry/api';
import { MessageBus } from '@tenterhook/bus';
import { otel } from '@tenterhook/otel';
import { createHookClient } from 'tenterhook/agent';
import { HookEngine } from 'tenterhook/handlers';
import { commands, idOf, spanOf, startSdk, toolCall, traceOf, withSdk } from './rig.js';

const sender = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };

test.each<[readonly string[], string]>([
  [[], ''],
  [['tenant'], 'tenant=a%3Db'],
])('12. of the baggage of a request, a hook receives only the entries in %j', async (baggage, expected) => {
  await withSdk({ settings: commands({ guard: 'printf %s "$BAGGAGE"' }), otel: { baggage } }, async (hooks) => {
    const trace = { ...sender, baggage: 'secret=never,tenant=a=b;property=1' };
    const { output } = await hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: toolCall, trace });
    expect(output?.outcomes[0]?.stdout).toBe(expected);
  });
});

test('10. what the process has inherited of another trace does not reach a hook beside its own context', async () => {
  process.env['TRACESTATE'] = 'vendor=foreign';
  process.env['BAGGAGE'] = 'foreign=1';
  try {
    await withSdk({ settings: commands({ guard: 'printf "%s|%s|%s" "$TRACEPARENT" "$TRACESTATE" "$BAGGAGE"' }) }, async (hooks, sdk) => {
      const { outcomes } = await hooks.fire('BeforeTool', toolCall);
      const span = spanOf(sdk, 'run_hook guard');
      expect(outcomes[0]?.stdout).toBe(`00-${traceOf(span)}-${idOf(span)}-01||`);
    });
  } finally {
    delete process.env['TRACESTATE'];
    delete process.env['BAGGAGE'];
  }
});

test('with hookContext: false, a hook keeps what the process has inherited', async () => {
  process.env['TRACEPARENT'] = 'inherited';
  try {
    await withSdk({ settings: commands({ guard: 'printf %s "$TRACEPARENT"' }), otel: { hookContext: false } }, async (hooks) => {
      expect((await hooks.fire('BeforeTool', toolCall)).outcomes[0]?.stdout).toBe('inherited');
    });
  } finally {
    delete process.env['TRACEPARENT'];
  }
});

test("a function keeps the program's own values of the context", async () => {
  const key = createContextKey('user');
  let seen: unknown;
  const engine = new HookEngine();
  engine.register({ id: 'reads', event_type: 'pre_tool_use' });
  engine.registerHandler('reads', {
    handle: () => {
      seen = context.active().getValue(key);
      return undefined;
    },
  });
  await withSdk({ settings: {}, handlers: [engine] }, async (hooks) => {
    await context.with(context.active().setValue(key, 'alice'), () => hooks.fire('BeforeTool', toolCall));
    expect(seen).toBe('alice');
  });
});

test.each<[string, object]>([
  ['its client', {}],
  ['a client that asks a second worker', { hedge: { events: ['BeforeTool'] } }],
])('an event that no service accepts is recorded by %s', async (_, options) => {
  const sdk = startSdk();
  const bus = new MessageBus();
  try {
    await createHookClient(bus, { tracing: otel(), ...options }).fire('BeforeTool', toolCall);
    expect(spanOf(sdk, 'fire_hooks BeforeTool').attributes['error.type']).toBe('no_responders');
  } finally {
    await bus.close();
    await sdk.stop();
  }
});

test('18. calls of two sessions with the same id are not linked', async () => {
  const engine = new HookEngine();
  for (const event_type of ['pre_tool_use', 'post_tool_use'] as const) {
    engine.register({ id: event_type, event_type });
    engine.registerHandler(event_type, { handle: () => undefined });
  }
  await withSdk({ settings: {}, handlers: [engine] }, async (hooks, sdk) => {
    const call = { ...toolCall, tool_use_id: 'call_0' };
    await hooks.fire('BeforeTool', { ...call, session_id: 'one' });
    for (const session_id of ['one', 'other']) {
      await hooks.fire('AfterTool', { ...call, tool_response: { llmContent: 'done' }, session_id }, { correlationId: session_id });
    }
    const links = sdk
      .spans()
      .filter(({ name }) => name === 'fire_hooks AfterTool')
      .map((span) => [span.attributes['tenterhook.correlation_id'], span.links.length]);
    expect(links).toEqual([
      ['one', 1],
      ['other', 0],
    ]);
  });
});

test('a hook of which the event does not know whether it ran is not counted', async () => {
  const settings = commands({ first: 'sleep 30', second: 'exit 0', third: 'exit 0' });
  await withSdk({ settings, limits: { concurrency: 1 } }, async (hooks, sdk) => {
    await hooks.fire('BeforeTool', toolCall, { timeoutMs: 300 });
    expect(spanOf(sdk, 'fire_hooks BeforeTool').attributes['tenterhook.hooks.run']).toBe(1);
    expect((await sdk.points('tenterhook.hook.duration')).map(({ attributes }) => attributes['tenterhook.hook.name'])).toEqual(['first']);
  });
});
