import { context as contexts, propagation, trace } from '@opentelemetry/api';
import type { HookTracing } from '@tenterhook/protocol';
import { fromTraceContext, inheritedContext, toTraceContext, writeBaggage } from './carrier.js';
import { HookLogs } from './logs.js';
import { HookMetrics } from './metrics.js';
import { type OtelOptions, readOptions } from './otel-options.js';
import { Providers } from './providers.js';
import type { Recorder } from './recorder.js';
import { safely } from './safely.js';
import { EventSpan } from './spans/event-span.js';
import { ToolCallLinks } from './spans/links.js';
import { ToolSpan } from './spans/tool-span.js';

/**
 * Records events and hooks with OpenTelemetry: `createHooks({ tracing: otel() })`. Without an SDK it does nothing, and hooks receive what they
 * receive without it. Throws a TypeError for invalid options.
 */
export function otel(options: OtelOptions = {}): HookTracing {
  const settings = readOptions(options);
  const { logger, hookCallPrefix, baggage, toolSpans, inheritProcess } = settings;
  const providers = new Providers(settings);
  const findTracer = () => providers.tracer();
  const findMeter = () => providers.meter();
  const recorder: Recorder = {
    settings,
    metrics: new HookMetrics(settings),
    links: new ToolCallLinks(),
    logs: logger === undefined ? undefined : new HookLogs(logger, hookCallPrefix),
  };
  return {
    outgoing() {
      const active = contexts.active();
      const span = trace.getSpanContext(active);
      if (span === undefined) return undefined;
      return toTraceContext(span, baggage.length === 0 ? undefined : writeBaggage(propagation.getBaggage(active), baggage));
    },
    begin(event) {
      const tracer = safely('the tracer provider', findTracer);
      const meter = safely('the meter provider', findMeter);
      if (tracer === undefined && meter === undefined && recorder.logs === undefined) return undefined;
      const parent = event.trace ?? (inheritProcess ? inheritedContext(process.env) : undefined);
      return new EventSpan(event, parent, recorder, tracer, meter);
    },
    within: (context, work) => contexts.with(fromTraceContext(context, baggage, contexts.active()), work),
    settings: (diagnostics) => recorder.logs?.settings(diagnostics),
    ...(toolSpans && {
      tool: (call) => {
        const tracer = safely('the tracer provider', findTracer);
        const meter = safely('the meter provider', findMeter);
        return tracer === undefined && meter === undefined ? undefined : new ToolSpan(call, recorder.metrics, tracer, meter);
      },
    }),
  };
}
