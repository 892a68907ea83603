import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { otel } from '@tenterhook/otel';

/** The tracing for `createHooks()`, and a function that sends the last spans. */
export interface Telemetry {
  readonly tracing: ReturnType<typeof otel>;
  stop(): Promise<void>;
}

/**
 * Starts OpenTelemetry, which sends spans to a receiver of OTLP over HTTP. An agent that has an SDK already only passes `otel()`. This agent
 * makes no spans of its own for tool calls, so it asks for them.
 */
export function startTelemetry(url: string): Telemetry {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'agent-loop' }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 2000 }))],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const stop = async () => {
    try {
      await provider.shutdown();
    } catch (error) {
      console.error(`The last spans were not sent to ${url}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return { tracing: otel({ toolSpans: true }), stop };
}
