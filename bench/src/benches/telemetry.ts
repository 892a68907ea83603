import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { AlwaysOffSampler, AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { HookResponse } from '@tenterhook/handlers';
import { type OtelOptions, otel } from '@tenterhook/otel';
import { createHooks, type Hooks } from 'tenterhook';
import type { Bench, Variant } from '../bench.js';
import { atMost } from './at-most.js';
import { engineWith } from './engine-with.js';

const input = { tool_name: 'write_file', tool_input: { path: 'a.txt', content: 'x'.repeat(850) } };

/**
 * Compares events that are not recorded with events that `otel()` records without an SDK. This benchmark is apart from the others, and before
 * them: a program without an SDK never runs the code of one, and that code makes V8 compile what both use less well.
 */
export async function telemetryWithoutSdk(): Promise<Bench> {
  const scene = new Scene();
  return {
    name: 'telemetry without an SDK: an event with hooks that are functions, 1 KB',
    unit: 'µs',
    warmup: 80,
    rounds: 400,
    variants: [await scene.variant(names.plain, 1), await scene.variant(names.without, 1, {})],
    marks: [atMost('without an SDK, an event takes at most 0.2 µs longer', 0.2, (median) => median(names.without) - median(names.plain))],
    dispose: () => scene.dispose(),
  };
}

/** Compares events that are not recorded with events that `otel()` records: with an SDK, and with one that samples nothing. */
export async function telemetry(): Promise<Bench> {
  const scene = new Scene();
  return {
    name: 'telemetry: an event with hooks that are functions, 1 KB',
    note: 'With an SDK: spans in a batch processor whose exporter drops them, and metrics.',
    unit: 'µs',
    warmup: 40,
    rounds: 200,
    variants: [
      await scene.variant(names.plain, 1),
      await scene.variant(names.sdk, 1, scene.sdk(true)),
      await scene.variant(names.sampledOut, 1, scene.sdk(false)),
      await scene.variant(names.plainThree, 3),
      await scene.variant(names.sdkThree, 3, scene.sdk(true)),
    ],
    marks: [
      atMost('with an SDK, an event with one hook takes at most 60 µs longer', 60, (median) => median(names.sdk) - median(names.plain)),
      atMost('sampled out, at most 40 µs', 40, (median) => median(names.sampledOut) - median(names.plain)),
      atMost('each further hook takes at most 25 µs longer', 25, (median) => {
        const [one, three] = [median(names.sdk) - median(names.plain), median(names.sdkThree) - median(names.plainThree)];
        return (three - one) / 2;
      }),
      atMost(
        'with an SDK, at most 15 µs for each event and each hook',
        15,
        (median) => (median(names.sdkThree) - median(names.plainThree)) / 4,
      ),
    ],
    dispose: () => scene.dispose(),
  };
}

/** The hook systems and SDKs of one benchmark. */
class Scene {
  readonly #systems: Hooks[] = [];
  readonly #stops: (() => Promise<void>)[] = [];

  sdk(isSampled: boolean): OtelOptions {
    const tracerProvider = new BasicTracerProvider({
      sampler: isSampled ? new AlwaysOnSampler() : new AlwaysOffSampler(),
      // The exporter drops the spans: what a collector costs depends on the collector.
      spanProcessors: [new BatchSpanProcessor({ export: (_, done) => done({ code: 0 }), shutdown: async () => {} })],
    });
    const reader = new PeriodicExportingMetricReader({
      exporter: new InMemoryMetricExporter(AggregationTemporality.DELTA),
      exportIntervalMillis: 1e9,
    });
    const meterProvider = new MeterProvider({ readers: [reader] });
    this.#stops.push(
      () => tracerProvider.shutdown(),
      () => meterProvider.shutdown(),
    );
    return { tracerProvider, meterProvider };
  }

  async variant(name: string, count: number, options?: OtelOptions): Promise<Variant> {
    const hooks = await createHooks({
      sessionId: 'bench',
      settings: {},
      handlers: [engineWith(count, async () => HookResponse.continue_())],
      ...(options === undefined ? {} : { tracing: otel(options) }),
    });
    this.#systems.push(hooks);
    return {
      name,
      against: count === 1 ? names.plain : names.plainThree,
      batch: 200,
      run: async (times) => {
        for (let index = 0; index < times; index += 1) {
          const { success, outcomes } = await hooks.fire('BeforeTool', input);
          if (!success || outcomes.length !== count) throw new Error('the hooks did not answer');
        }
      },
    };
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#systems.map((hooks) => hooks.dispose()));
    await Promise.all(this.#stops.map((stop) => stop()));
  }
}

const names = {
  plain: '1 hook, not recorded',
  without: '1 hook, otel() without an SDK',
  sdk: '1 hook, with an SDK',
  sampledOut: '1 hook, sampled out',
  plainThree: '3 hooks, not recorded',
  sdkThree: '3 hooks, with an SDK',
} as const;
