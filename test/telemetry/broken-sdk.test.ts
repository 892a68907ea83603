import { context, type Meter, ROOT_CONTEXT, type Tracer } from '@opentelemetry/api';
import { BasicTracerProvider, SimpleSpanProcessor, type TracerConfig } from '@opentelemetry/sdk-trace-base';
import { otel } from '@tenterhook/otel';
import type { HookTracing } from '@tenterhook/protocol';
import { createHooks } from 'tenterhook';
import { HookEngine } from 'tenterhook/handlers';
import { commands, startSdk, toolCall } from './rig.js';

const fail = () => {
  throw new Error('it is broken');
};

/** An object each of whose methods throws. Some of them return such an object first, so that later methods are reached. */
function broken(methods: readonly string[], returned: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...Object.fromEntries(methods.map((name) => [name, fail])), ...returned };
}

type Changeable = Record<string, unknown>;

/** What a tracing writes in place of each value, so that the hook would run another command in the background, or the deny would be lost. */
const written: Changeable = { command: 'true', async: true, onError: 'continue', status: 'succeeded', decision: 'allow', kind: 'none' };

/** Overwrites each field of a value that can be overwritten, the deepest first. */
function overwrite(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    overwrite(item);
    try {
      (value as Changeable)[name] = name in written ? written[name] : typeof item === 'object' ? {} : 'changed';
    } catch {
      // It is frozen.
    }
  }
  try {
    Object.assign(value, { async: true });
  } catch {
    // It is frozen.
  }
}

const hookTrace = broken(['started', 'run', 'ended']);
const throwingGetter = Object.defineProperty({ started() {}, ended() {} }, 'environment', {
  get: () => {
    throw new Error('no environment');
  },
});
const brokenTracings: Readonly<Record<string, Record<string, unknown>>> = {
  'in begin()': broken(['begin', 'outgoing', 'settings', 'tool', 'within']),
  'in each method of an event': broken(['outgoing', 'settings'], { begin: () => broken(['hook', 'circuitChanged', 'end']) }),
  'in each method of a hook': broken(['outgoing'], { begin: () => broken(['end'], { hook: () => hookTrace }) }),
  'in a getter': { begin: () => ({ hook: () => throwingGetter, end: () => undefined }) },
  'and returns null': { begin: () => null, tool: () => null, outgoing: () => null },
  'and returns null for a hook': { begin: () => ({ hook: () => null, end: () => null }) },
  'in the getter of run()': {
    begin: () => ({ hook: () => Object.defineProperty({ started() {}, ended() {} }, 'run', { get: fail }), end: () => undefined }),
  },
  'and changes what it receives': {
    settings: (diagnostics: Changeable[]) => overwrite(diagnostics),
    begin: (event: { input: Changeable }) => {
      overwrite(event.input);
      return {
        hook: (traced: Changeable) => {
          overwrite(traced);
          return { started() {}, ended: (outcome: Changeable) => overwrite(outcome) };
        },
        end: (answer: Changeable, result: Changeable) => {
          overwrite(answer);
          overwrite(result);
        },
      };
    },
  },
  'in the record of a tool': { ...broken(['begin']), tool: () => broken(['run', 'ended']) },
  'and returns nonsense': {
    outgoing: () => ({ traceparent: 7 }),
    begin: () => ({
      hook: () => ({ context: 'x', environment: { 'A=B': '1', C: 2, D: '\0' }, started() {}, ended() {} }),
      end: () => 'no',
    }),
  },
};

function engineThatAllows(): HookEngine {
  const engine = new HookEngine();
  engine.register({ id: 'handler', event_type: 'pre_tool_use' });
  engine.registerHandler('handler', { handle: () => undefined });
  return engine;
}

async function verdicts(tracing: unknown) {
  const settings = commands({
    prints: 'env | grep -c "^\\(A\\|C\\|D\\)=" ; true',
    reads: 'sed "s/.*tool_input":\\({[^}]*}\\).*/\\1/"',
    denies: 'echo no >&2; exit 2',
  });
  const options = { settings: { hooks: { ...(settings as { hooks: object }).hooks, NoSuchEvent: [] } }, handlers: [engineThatAllows()] };
  const hooks = await createHooks(tracing === undefined ? options : { ...options, tracing: tracing as HookTracing });
  try {
    const { verdict, outcomes } = await hooks.fire('BeforeTool', toolCall);
    const call = await hooks.agent().tool({ name: 'write_file', input: {}, execute: () => ({ llmContent: 'written' }) });
    const invalid = await hooks.fire('BeforeTool', { tool_name: 7 } as never);
    return {
      verdict,
      statuses: outcomes.map(({ status }) => status),
      printed: outcomes.map(({ stdout }) => stdout),
      call: [call.status, call.reason],
      invalid: invalid.errors.map(({ code }) => code),
      diagnostics: hooks.diagnostics,
    };
  } finally {
    await hooks.dispose();
  }
}

test.each(Object.entries(brokenTracings))('7. a tracing that fails %s changes nothing', async (_, tracing) => {
  expect(await verdicts(tracing)).toEqual(await verdicts(undefined));
});

/** Providers whose tracer, meter or logger throws in one place. All others are those of an SDK. */
const brokenProviders: Readonly<Record<string, Parameters<typeof otel>[0]>> = {
  'the tracer provider': { tracerProvider: { getTracer: fail } },
  'the tracer': { tracerProvider: { getTracer: () => ({ startSpan: fail }) as unknown as Tracer } },
  'the meter provider': { meterProvider: { getMeter: fail } },
  'the meter': { meterProvider: { getMeter: () => ({ createHistogram: fail }) as unknown as Meter } },
  'the logger': { logger: { emit: fail } },
  'the logger, later': { logger: { emit: async () => fail() } as never },
};

test.each(Object.entries(brokenProviders))('7. an SDK in which %s fails changes nothing, and leaves no span open', async (_, options) => {
  const sdk = startSdk();
  try {
    expect(await verdicts(otel({ ...options, toolSpans: true }))).toEqual(await verdicts(undefined));
    expect(sdk.open()).toBe(0);
    // What does not depend on the broken part is recorded.
    const hasSpans = options?.tracerProvider === undefined;
    expect(sdk.spans().some(({ name }) => name === 'run_hook denies')).toBe(hasSpans);
    if (!hasSpans) expect((await sdk.points('tenterhook.hook.duration')).length).toBeGreaterThan(0);
  } finally {
    await sdk.stop();
  }
});

test('7. an SDK with a broken propagator changes nothing', async () => {
  const sdk = startSdk({ propagator: { inject: fail, extract: fail, fields: fail } });
  try {
    expect(await verdicts(otel())).toEqual(await verdicts(undefined));
    expect(sdk.open()).toBe(0);
  } finally {
    await sdk.stop();
  }
});

test.each(['setAttribute', 'addEvent', 'setStatus', 'isRecording', 'spanContext', 'end'] as const)(
  '7. spans whose method %s throws change nothing, and each of them is ended once',
  async (method) => {
    const provider = new BasicTracerProvider();
    const ends: number[] = [];
    const getTracer = (name: string) => {
      const tracer = provider.getTracer(name);
      const startSpan: Tracer['startSpan'] = (...given) => {
        const span = tracer.startSpan(...given);
        const index = ends.push(0) - 1;
        const end = method === 'end' ? fail : span.end.bind(span);
        span.end = (at) => {
          ends[index] = (ends[index] ?? 0) + 1;
          end(at);
        };
        if (method !== 'end') span[method] = fail;
        return span;
      };
      return { startSpan, startActiveSpan: fail } as Tracer;
    };
    const tracing = otel({ tracerProvider: { getTracer }, toolSpans: true, content: true, spans: 'all' });
    expect(await verdicts(tracing)).toEqual(await verdicts(undefined));
    expect(ends.length).toBeGreaterThan(0);
    expect(ends.filter((count) => count !== 1)).toEqual([]);
  },
);

const rejecting = { export: fail, shutdown: async () => {}, forceFlush: async () => {} };

test.each<[string, TracerConfig]>([
  ['an exporter', { spanProcessors: [new SimpleSpanProcessor(rejecting)] }],
  ['a processor', { spanProcessors: [broken(['onStart', 'onEnd', 'forceFlush', 'shutdown']) as never] }],
  ['a sampler', { sampler: { shouldSample: fail } }],
  ['a generator of ids', { idGenerator: { generateTraceId: fail, generateSpanId: fail } }],
])('7. an SDK in which %s throws changes nothing', async (_, config) => {
  const provider = new BasicTracerProvider(config);
  expect(await verdicts(otel({ tracerProvider: provider, toolSpans: true, spans: 'all' }))).toEqual(await verdicts(undefined));
});

test('7. a context manager that throws, or never runs what it is given, changes nothing', async () => {
  for (const methods of [
    { active: fail, with: fail },
    { active: () => ROOT_CONTEXT, with: fail },
    { active: () => ROOT_CONTEXT, with: () => undefined },
    { active: () => undefined, with: (_context: unknown, work: () => unknown) => [work(), work()] },
  ]) {
    const sdk = startSdk();
    try {
      context.disable();
      context.setGlobalContextManager({ bind: fail, enable: fail, disable: () => {}, ...methods } as never);
      expect(await verdicts(otel({ toolSpans: true }))).toEqual(await verdicts(undefined));
      expect(sdk.open()).toBe(0);
    } finally {
      await sdk.stop();
    }
  }
});
