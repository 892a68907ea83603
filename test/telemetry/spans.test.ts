import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { otel } from '@tenterhook/otel';
import { createHooks } from 'tenterhook';
import { HookEngine } from 'tenterhook/handlers';
import { commands, idOf, spanOf, startSdk, toolCall, traceOf, withSdk } from './rig.js';

const times = (span: { readonly startTime: readonly number[]; readonly endTime: readonly number[] }) =>
  [span.startTime, span.endTime].map(([seconds = 0, nanos = 0]) => seconds * 1000 + nanos / 1e6);

test('3. an event with three hooks in two stages is one trace with four spans', async () => {
  const engine = new HookEngine();
  engine.register({ id: 'first', event_type: 'pre_tool_use' });
  engine.registerHandler('first', { handle: () => undefined });
  const settings = commands({ second: 'echo "{}"', '/opt/hooks/third.sh --all': 'exit 0' });
  await withSdk({ settings, handlers: [engine], sessionId: 'session-7' }, async (hooks, sdk) => {
    await hooks.fire('BeforeTool', { ...toolCall, tool_use_id: 'call-1' }, { correlationId: 'id-1' });
    const spans = sdk.spans();
    expect(spans.map(({ name }) => name).sort()).toEqual([
      'fire_hooks BeforeTool',
      'run_hook first',
      'run_hook second',
      'run_hook third.sh',
    ]);
    const event = spanOf(sdk, 'fire_hooks BeforeTool');
    expect(event.parentSpanContext).toBeUndefined();
    expect(event.kind).toBe(SpanKind.INTERNAL);
    const [began, ended] = times(event) as [number, number];
    for (const hook of spans.filter((span) => span !== event)) {
      expect([traceOf(hook), hook.parentSpanContext?.spanId]).toEqual([traceOf(event), idOf(event)]);
      const [from, to] = times(hook) as [number, number];
      expect(from).toBeGreaterThanOrEqual(began);
      expect(to).toBeGreaterThanOrEqual(from);
      expect(to).toBeLessThanOrEqual(ended);
    }
    expect(event.attributes).toEqual({
      'tenterhook.event.name': 'BeforeTool',
      'tenterhook.correlation_id': 'id-1',
      'gen_ai.conversation.id': 'session-7',
      'gen_ai.tool.name': 'write_file',
      'gen_ai.tool.call.id': 'call-1',
      'tenterhook.verdict': 'none',
      'tenterhook.verdict.stop': false,
      'tenterhook.hooks.run': 3,
      'tenterhook.hooks.skipped': 0,
      'tenterhook.changes': 0,
    });
    expect(spanOf(sdk, 'run_hook third.sh').attributes).toEqual({
      'tenterhook.event.name': 'BeforeTool',
      'tenterhook.correlation_id': 'id-1',
      'tenterhook.hook.id': 'llxprt/settings/BeforeTool/third.sh',
      'tenterhook.hook.name': 'third.sh',
      'tenterhook.hook.dialect': 'llxprt',
      'tenterhook.hook.source': 'settings',
      'tenterhook.hook.kind': 'command',
      'tenterhook.hook.stage': 1,
      'tenterhook.hook.on_error': 'continue',
      'tenterhook.hook.status': 'succeeded',
      'tenterhook.hook.stdout.size': 0,
      'tenterhook.hook.stderr.size': 0,
      'process.exit.code': 0,
    });
  });
});

test.each([
  ['exit code 2', 'echo no >&2; exit 2'],
  ['JSON', `echo '{"decision":"deny","reason":"no"}'`],
])('4. a deny by %s does not count as an error', async (_, command) => {
  await withSdk({ settings: commands({ guard: command }) }, async (hooks, sdk) => {
    await hooks.fire('BeforeTool', toolCall);
    const [event, hook] = [spanOf(sdk, 'fire_hooks BeforeTool'), spanOf(sdk, 'run_hook guard')];
    for (const { status, attributes } of [event, hook]) {
      expect([status, attributes['error.type']]).toEqual([{ code: SpanStatusCode.UNSET }, undefined]);
    }
    expect(event.attributes).toMatchObject({
      'tenterhook.verdict': 'deny',
      'tenterhook.verdict.by': [hook.attributes['tenterhook.hook.id']],
    });
    expect(hook.attributes['tenterhook.hook.decision']).toBe('deny');
  });
});

test.each<[string, string | object, string]>([
  ['exit code', 'exit 3', 'exit_code'],
  ['signal', 'kill -9 $$', 'signal'],
  ['timeout', { command: 'sleep 30', timeout: 150 }, 'timeout'],
  ['missing command', 'no-such-program-at-all', 'missing_command'],
  ['invalid output of a guard', { command: `echo '{"decision":'`, onError: 'block' }, 'invalid_json'],
  ['failure that denies', { command: 'exit 3', onError: 'block' }, 'exit_code'],
])('5. a %s is an error with its code, on the span and in the histogram', async (_, hook, code) => {
  await withSdk({ settings: commands({ guard: hook }) }, async (hooks, sdk) => {
    await hooks.fire('BeforeTool', toolCall);
    const span = spanOf(sdk, 'run_hook guard');
    expect([span.status, span.attributes['error.type']]).toEqual([{ code: SpanStatusCode.ERROR }, code]);
    expect(spanOf(sdk, 'fire_hooks BeforeTool').status.code).toBe(SpanStatusCode.UNSET);
    const points = await sdk.points('tenterhook.hook.duration');
    expect(points.map(({ attributes }) => attributes['error.type'])).toEqual([code]);
  });
});

test('5. a request whose answer means failure has the status of the answer', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url }] }] } };
  try {
    await withSdk({ settings, dialect: 'claude-code', http: { allowPrivateAddresses: ['127.0.0.1'] } }, async (hooks, sdk) => {
      await hooks.fire('BeforeTool', toolCall);
      const span = spanOf(sdk, 'run_hook claude-code');
      expect([span.status.code, span.attributes['error.type'], span.attributes['http.response.status_code']]).toEqual([
        SpanStatusCode.ERROR,
        'http_status',
        503,
      ]);
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('5. a guard whose circuit is open is not run, so it has no span, and its deny is the verdict of the event', async () => {
  const options = {
    settings: commands({ guard: { command: 'exit 3', onError: 'block' } }),
    circuitBreaker: { failures: 1, windowMs: 60_000, pauseMs: 60_000 },
  };
  await withSdk(options, async (hooks, sdk) => {
    await hooks.fire('BeforeTool', toolCall);
    await hooks.fire('BeforeTool', toolCall);
    expect(sdk.spans().filter(({ name }) => name === 'run_hook guard')).toHaveLength(1);
    expect(spanOf(sdk, 'fire_hooks BeforeTool').events.map(({ name }) => name)).toContain('circuit.changed');
    expect((await sdk.points('tenterhook.circuit.changes')).map(({ value }) => value)).toEqual([1]);
    expect((await sdk.points('tenterhook.hook.skips')).map(({ attributes }) => attributes['tenterhook.hook.skip_reason'])).toEqual([
      'circuit-open',
    ]);
  });
});

describe('6. an event that was not carried out', () => {
  const fired = { validation_failed: { tool_name: 7 }, invalid_request: undefined };

  test.each(Object.entries(fired))('has one ended span with the error type %s', async (code, input) => {
    await withSdk({ settings: commands({ guard: 'exit 0' }) }, async (hooks, sdk) => {
      const { errors } = await hooks.fire('BeforeTool', input as never);
      expect(errors[0]?.code).toBe(code);
      const span = spanOf(sdk, 'fire_hooks BeforeTool');
      expect([span.attributes['error.type'], span.status.code, sdk.open()]).toEqual([code, SpanStatusCode.ERROR, 0]);
    });
  });

  test.each<[string, string | undefined]>([
    ['timeout', 'timeout'],
    ['cancelled', undefined],
    ['disposed', 'disposed'],
  ])('has one ended span after %s', async (code, errorType) => {
    const sdk = startSdk();
    const hooks = await createHooks({ settings: commands({ guard: 'sleep 30' }), tracing: otel() });
    try {
      const started = new Promise<void>((resolve) => hooks.onProgress(({ kind }) => kind === 'hook-started' && resolve()));
      const controller = new AbortController();
      const ended = hooks.fire('BeforeTool', toolCall, code === 'timeout' ? { timeoutMs: 1000 } : { signal: controller.signal });
      await started;
      if (code === 'cancelled') controller.abort();
      if (code === 'disposed') await hooks.dispose();
      expect((await ended).errors[0]?.code).toBe(code);
      const span = spanOf(sdk, 'fire_hooks BeforeTool');
      expect([span.attributes['error.type'], sdk.open()]).toEqual([errorType, 0]);
      expect(spanOf(sdk, 'run_hook guard').attributes).toMatchObject({ 'tenterhook.hook.status': 'cancelled' });
    } finally {
      await hooks.dispose();
      await sdk.stop();
    }
  });

  test('has one ended span with the error type overloaded if too many are in flight', async () => {
    const engine = new HookEngine();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    engine.register({ id: 'waits', event_type: 'pre_tool_use' });
    engine.registerHandler('waits', { handle: () => released });
    await withSdk({ settings: {}, handlers: [engine] }, async (hooks, sdk) => {
      const waiting = Array.from({ length: 1024 }, () => hooks.fire('BeforeTool', toolCall));
      expect((await hooks.fire('BeforeTool', toolCall)).errors[0]?.code).toBe('overloaded');
      const span = spanOf(sdk, 'fire_hooks BeforeTool');
      expect([span.attributes['error.type'], span.status.code]).toEqual(['overloaded', SpanStatusCode.ERROR]);
      release();
      await Promise.all(waiting);
      expect(sdk.open()).toBe(0);
    });
  });

  test('is recorded even if the service has refused it', async () => {
    await withSdk({ settings: commands({ guard: 'exit 0' }) }, async (hooks, sdk) => {
      await hooks.dispose();
      await hooks.fire('BeforeTool', toolCall);
      expect(spanOf(sdk, 'fire_hooks BeforeTool').attributes['error.type']).toBe('disposed');
    });
  });
});

test('25. only tool spans have gen_ai.operation.name', async () => {
  await withSdk({ settings: commands({ guard: 'exit 0' }), otel: { spans: 'all', toolSpans: true } }, async (hooks, sdk) => {
    await hooks.agent().tool({ name: 'write_file', input: {}, execute: () => ({ llmContent: 'done' }) });
    const named = sdk.spans().filter(({ attributes }) => 'gen_ai.operation.name' in attributes);
    expect(named.map(({ name }) => name)).toEqual(['execute_tool write_file']);
  });
});

test.each<['run' | 'all' | 'none', number]>([
  ['run', 0],
  ['all', 1],
  ['none', 0],
])('28. with spans: "%s", an event whose hooks were all skipped has %d spans', async (spans, count) => {
  const settings = { hooks: { BeforeTool: [{ matcher: 'read_file', hooks: [{ type: 'command', name: 'guard', command: 'exit 0' }] }] } };
  await withSdk({ settings, otel: { spans } }, async (hooks, sdk) => {
    // A listener, so that the event is carried out although nothing runs.
    hooks.onProgress(() => {});
    await hooks.fire('BeforeTool', toolCall);
    expect(sdk.spans()).toHaveLength(count);
    await hooks.fire('BeforeTool', { ...toolCall, tool_name: 'read_file' });
    expect(sdk.spans()).toHaveLength(spans === 'none' ? 0 : count + 2);
    expect((await sdk.points('tenterhook.event.duration')).length).toBeGreaterThan(0);
  });
});
