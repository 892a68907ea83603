import { context, type Meter, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type OtelOptions, otel } from '@tenterhook/otel';
import { type CreateHooksOptions, createHooks, type Hooks } from 'tenterhook';

/** An SDK whose exporters keep what they receive. */
export interface Sdk {
  /** The spans that have ended, in the order of their ends. */
  spans(): ReadableSpan[];
  /** The number of spans that were begun and have not ended. */
  open(): number;
  /** The data points of a metric. */
  points(name: string): Promise<{ readonly value: unknown; readonly attributes: Readonly<Record<string, unknown>> }[]>;
  metric(name: string): Promise<{ readonly descriptor: { readonly unit: string; readonly advice?: unknown } } | undefined>;
  stop(): Promise<void>;
}

/** Starts an SDK as a program does. With `propagator: 'none'` none is registered. */
export function startSdk({ sampler, propagator }: { readonly sampler?: Sampler; readonly propagator?: unknown } = {}): Sdk {
  const exporter = new InMemorySpanExporter();
  let open = 0;
  const counting: SpanProcessor = {
    onStart: () => {
      open += 1;
    },
    onEnd: () => {
      open -= 1;
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({
    spanProcessors: [counting, new SimpleSpanProcessor(exporter)],
    ...(sampler === undefined ? {} : { sampler }),
  });
  trace.setGlobalTracerProvider(provider);
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  const w3c = new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] });
  propagation.setGlobalPropagator((propagator ?? w3c) as typeof w3c);
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 1e9 });
  const meters = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(meters as unknown as { getMeter(name: string): Meter });
  const read = async (name: string) => {
    metricExporter.reset();
    await reader.forceFlush();
    const scopes = metricExporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    return scopes.flatMap((scope) => scope.metrics).find(({ descriptor }) => descriptor.name === name);
  };
  return {
    spans: () => exporter.getFinishedSpans(),
    open: () => open,
    points: async (name) => ((await read(name))?.dataPoints ?? []) as never,
    metric: async (name) => (await read(name)) as never,
    stop: async () => {
      for (const api of [trace, context, propagation, metrics]) api.disable();
      manager.disable();
      await provider.shutdown();
      await meters.shutdown();
    },
  };
}

/** Runs with hooks that are recorded, and stops the SDK afterwards. */
export async function withSdk(
  options: Omit<CreateHooksOptions, 'tracing'> & { readonly otel?: OtelOptions; readonly sdk?: Parameters<typeof startSdk>[0] },
  run: (hooks: Hooks, sdk: Sdk) => Promise<void>,
): Promise<void> {
  const { otel: otelOptions, sdk: sdkOptions, ...own } = options;
  const sdk = startSdk(sdkOptions);
  try {
    const hooks = await createHooks({ ...own, tracing: otel(otelOptions) });
    try {
      await run(hooks, sdk);
    } finally {
      await hooks.dispose();
    }
  } finally {
    await sdk.stop();
  }
}

/** Settings of LLxprt with one command for each name. */
export function commands(hooks: Readonly<Record<string, string | object>>, event = 'BeforeTool', sequential = false): object {
  const entries = Object.entries(hooks).map(([name, hook]) => ({
    type: 'command',
    name,
    ...(typeof hook === 'string' ? { command: hook } : hook),
  }));
  return { hooks: { [event]: [{ sequential, hooks: entries }] } };
}

export const toolCall = { tool_name: 'write_file', tool_input: { file_path: 'a.txt', content: 'x' } };

/** The span with this name. Fails if there is none or more than one. */
export function spanOf(sdk: Sdk, name: string): ReadableSpan {
  const found = sdk.spans().filter((span) => span.name === name);
  expect(found).toHaveLength(1);
  return found[0] as ReadableSpan;
}

export const idOf = (span: ReadableSpan) => span.spanContext().spanId;
export const traceOf = (span: ReadableSpan) => span.spanContext().traceId;
