import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context, propagation, type Span, type TextMapPropagator, trace } from '@opentelemetry/api';
import { B3InjectEncoding, B3Propagator } from '@opentelemetry/propagator-b3';
import { AlwaysOffSampler, AlwaysOnSampler } from '@opentelemetry/sdk-trace-base';
import type { CreateHooksOptions, Hooks } from 'tenterhook';
import { commands, idOf, spanOf, toolCall, traceOf, withSdk } from './rig.js';

const printed = async (hooks: Hooks, event: 'BeforeTool' = 'BeforeTool') =>
  (await hooks.fire(event, toolCall)).outcomes.map(({ stdout }) => stdout?.trim());

test('8. a hook receives the id of its own span, and two hooks side by side receive different ones', async () => {
  const command = `printf %s "$TRACEPARENT"`;
  await withSdk({ settings: commands({ one: command, other: command }) }, async (hooks, sdk) => {
    const event = async () => printed(hooks);
    const values = await event();
    for (const [index, name] of ['one', 'other'].entries()) {
      const span = spanOf(sdk, `run_hook ${name}`);
      expect(values[index]).toBe(`00-${traceOf(span)}-${idOf(span)}-01`);
    }
    expect(values[0]).not.toBe(values[1]);
  });
});

test('9. a span that is sampled out is passed on with the flags 00, and not exported', async () => {
  const settings = commands({ guard: `printf %s "$TRACEPARENT"` });
  await withSdk({ settings, sdk: { sampler: new AlwaysOffSampler() } }, async (hooks, sdk) => {
    expect(await printed(hooks)).toEqual([expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)]);
    expect(sdk.spans()).toEqual([]);
  });
});

test('9. a span that is sampled out receives no attributes at its end, and metrics count its hook', async () => {
  const calls: string[] = [];
  const span: Span = trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 0 });
  for (const method of ['setAttribute', 'setAttributes', 'setStatus', 'end'] as const) {
    span[method] = (() => calls.push(method)) as never;
  }
  const tracer = { startSpan: () => span, startActiveSpan: () => undefined as never };
  const settings = commands({ guard: 'echo no >&2; exit 2' });
  await withSdk({ settings, otel: { content: true, tracerProvider: { getTracer: () => tracer } } }, async (hooks, sdk) => {
    expect((await hooks.fire('BeforeTool', toolCall)).verdict.kind).toBe('deny');
    expect(calls).toEqual(['end', 'end']);
    const [point] = await sdk.points('tenterhook.hook.duration');
    expect(point?.attributes['tenterhook.hook.status']).toBe('blocked');
  });
});

describe('10. what the settings set', () => {
  test('a TRACEPARENT of a hook is kept', async () => {
    const settings = {
      hooks: {
        BeforeTool: [{ hooks: [{ type: 'command', name: 'guard', command: `printf %s "$TRACEPARENT"`, env: { TRACEPARENT: 'own' } }] }],
      },
    };
    await withSdk({ settings }, async (hooks) => expect(await printed(hooks)).toEqual(['own']));
  });

  test('a header traceparent of a request is kept, and another request receives the context of its span, without baggage', async () => {
    const received: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      received.push(request.headers);
      request.resume();
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const hook = (headers: object) => ({ type: 'http', url, headers });
    const options: CreateHooksOptions = {
      settings: { hooks: { PreToolUse: [{ hooks: [hook({ TraceParent: 'own' }), hook({})] }] } },
      dialect: 'claude-code',
      http: { allowPrivateAddresses: ['127.0.0.1'] },
    };
    try {
      await withSdk({ ...options, otel: { baggage: ['tenant'] } }, async (hooks, sdk) => {
        const baggage = propagation.createBaggage({ tenant: { value: 'a' } });
        const tracer = trace.getTracer('test');
        await context.with(propagation.setBaggage(context.active(), baggage), () =>
          tracer.startActiveSpan('agent', async (span) => {
            await hooks.fire('BeforeTool', toolCall);
            span.end();
          }),
        );
        const ids = sdk
          .spans()
          .filter(({ name }) => name.startsWith('run_hook'))
          .map((span) => `00-${traceOf(span)}-${idOf(span)}-01`);
        const values = received.map(({ traceparent }) => traceparent);
        expect(values).toContain('own');
        expect(values.filter((value) => ids.includes(value as string))).toHaveLength(1);
        expect(received.map((headers) => headers['baggage'])).toEqual([undefined, undefined]);
        const span = sdk.spans().find(({ name }) => name.startsWith('run_hook'));
        expect(span?.attributes).toMatchObject({
          'server.address': '127.0.0.1',
          'url.scheme': 'http',
          'http.response.status_code': 200,
        });
      });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('an inherited TRACEPARENT is replaced with an SDK', async () => {
    const inherited = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    process.env['TRACEPARENT'] = inherited;
    try {
      const settings = commands({ guard: `printf %s "$TRACEPARENT"` });
      await withSdk({ settings }, async (hooks, sdk) => {
        const [value] = await printed(hooks);
        expect(value).toBe(`00-${traceOf(spanOf(sdk, 'run_hook guard'))}-${idOf(spanOf(sdk, 'run_hook guard'))}-01`);
        expect(value).not.toContain('1'.repeat(32));
      });
      await withSdk({ settings, otel: { inheritProcess: true } }, async (hooks, sdk) => {
        await printed(hooks);
        expect(spanOf(sdk, 'fire_hooks BeforeTool').parentSpanContext).toMatchObject({ traceId: '1'.repeat(32), spanId: '2'.repeat(16) });
      });
    } finally {
      delete process.env['TRACEPARENT'];
    }
  });
});

test('11. the keys of another propagator become names of variables', async () => {
  const odd: TextMapPropagator = {
    fields: () => ['9a-b'],
    inject: (_, carrier, setter) => setter.set(carrier, '9a-b', 'odd'),
    extract: (given) => given,
  };
  const b3 = new B3Propagator({ injectEncoding: B3InjectEncoding.MULTI_HEADER });
  const both: TextMapPropagator = {
    fields: () => [],
    inject: (...given) => [b3.inject(...given), odd.inject(...given)],
    extract: (given) => given,
  };
  const settings = commands({ guard: `printf '%s %s' "$X_B3_TRACEID" "$_9A_B"` });
  await withSdk({ settings, sdk: { propagator: both, sampler: new AlwaysOnSampler() } }, async (hooks, sdk) => {
    expect(await printed(hooks)).toEqual([`${traceOf(spanOf(sdk, 'run_hook guard'))} odd`]);
  });
});

test.each<[readonly string[] | undefined, string]>([
  [undefined, ''],
  [['tenant'], 'tenant=a%20b'],
])('12. with baggage %j, a hook receives BAGGAGE=%s', async (baggage, expected) => {
  const settings = commands({ guard: `printf %s "$BAGGAGE"` });
  await withSdk({ settings, otel: baggage === undefined ? {} : { baggage } }, async (hooks) => {
    const given = propagation.createBaggage({ tenant: { value: 'a b' }, secret: { value: 'never' } });
    const fired = context.with(propagation.setBaggage(context.active(), given), () =>
      trace.getTracer('test').startActiveSpan('agent', async (span) => {
        const values = await printed(hooks);
        span.end();
        return values;
      }),
    );
    expect(await fired).toEqual([expected]);
  });
});

test('15. an event that is fired from inside a delivery belongs to the span in which it was fired', async () => {
  await withSdk({ settings: commands({ guard: 'exit 0' }) }, async (hooks, sdk) => {
    const tracer = trace.getTracer('test');
    let nested: Promise<unknown> | undefined;
    hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => {
      if (payload.correlationId !== 'outer') return;
      nested = tracer.startActiveSpan('extension', async (span) => {
        await hooks.fire('BeforeTool', { ...toolCall, tool_name: 'nested' }, { correlationId: 'nested' });
        span.end();
      });
    });
    await tracer.startActiveSpan('agent', async (span) => {
      await hooks.fire('BeforeTool', toolCall, { correlationId: 'outer' });
      span.end();
    });
    await nested;
    const parentOf = (id: string) =>
      sdk.spans().find(({ name, attributes }) => name.startsWith('fire_hooks') && attributes['tenterhook.correlation_id'] === id)
        ?.parentSpanContext?.spanId;
    expect([parentOf('outer'), parentOf('nested')]).toEqual([idOf(spanOf(sdk, 'agent')), idOf(spanOf(sdk, 'extension'))]);
  });
});

test('16. of 100 events at once in 10 contexts, each has its own parent', async () => {
  await withSdk({ settings: commands({ guard: 'exit 0' }) }, async (hooks, sdk) => {
    const tracer = trace.getTracer('test');
    const inOne = (number: number) =>
      tracer.startActiveSpan(`agent ${number}`, async (span) => {
        const ids = Array.from({ length: 10 }, (_, index) => `${number}/${index}`);
        await Promise.all(ids.map((correlationId) => hooks.fire('BeforeTool', toolCall, { correlationId })));
        span.end();
      });
    await Promise.all(Array.from({ length: 10 }, (_, number) => inOne(number)));
    const events = sdk.spans().filter(({ name }) => name.startsWith('fire_hooks'));
    expect(events).toHaveLength(100);
    for (const { attributes, parentSpanContext } of events) {
      const [number] = String(attributes['tenterhook.correlation_id']).split('/');
      expect(parentSpanContext?.spanId).toBe(idOf(spanOf(sdk, `agent ${number}`)));
    }
  });
});

const copilot = { version: 1, hooks: { preToolUse: [{ type: 'command', bash: 'cat >&2; echo "{}"' }] } };
const claude = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'cat >&2' }] }] } };

test.each<[string, object, boolean, boolean]>([
  ['copilot', copilot, false, true],
  ['claude-code', claude, true, false],
  ['llxprt', commands({ guard: 'cat >&2' }), false, false],
  ['llxprt', commands({ guard: 'cat >&2' }), true, true],
])(
  '19. a hook of %s receives its context in stdin only where the format has the fields',
  async (dialect, settings, stdinFields, isPresent) => {
    await withSdk({ settings, dialect, otel: { stdinFields } }, async (hooks, sdk) => {
      const { outcomes } = await hooks.fire('BeforeTool', toolCall);
      const input = JSON.parse(outcomes[0]?.stderr ?? '{}') as { traceparent?: string };
      const span = sdk.spans().find(({ name }) => name.startsWith('run_hook')) as Parameters<typeof idOf>[0];
      expect(input.traceparent).toBe(isPresent ? `00-${traceOf(span)}-${idOf(span)}-01` : undefined);
    });
  },
);
