import { createNoopMeter, type Meter, metrics, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import type { Settings } from './otel-options.js';

const scope = '@tenterhook/otel';

/** The version of this package, as the version of the instrumentation. A test compares it with package.json. */
export const packageVersion = '0.1.0';

type Delegating = TracerProvider & { getDelegateTracer?(name: string, version: string): Tracer | undefined };

const noopMeter = createNoopMeter();

/**
 * Returns the tracer of the SDK, or undefined if there is no SDK. It is asked at each event, because a program may start its SDK later. The
 * provider that the API has without an SDK creates spans too, and each of them takes longer than this question.
 */
export function findTracer({ spans, tracerProvider }: Settings): Tracer | undefined {
  if (spans === 'none') return undefined;
  const provider: Delegating = tracerProvider ?? trace.getTracerProvider();
  if (typeof provider.getDelegateTracer === 'function') return provider.getDelegateTracer(scope, packageVersion);
  return provider.getTracer(scope, packageVersion);
}

/** Returns the meter of the SDK, or undefined if there is no SDK. */
export function findMeter({ meterProvider }: Settings): Meter | undefined {
  const meter = (meterProvider ?? metrics.getMeterProvider()).getMeter(scope, packageVersion);
  return meter === noopMeter ? undefined : meter;
}
