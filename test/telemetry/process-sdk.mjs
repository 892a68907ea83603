// An SDK for the processes of the tests in this folder. `spans()` returns what has ended.
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

export const spans = () =>
  exporter.getFinishedSpans().map((span) => {
    const { traceId, spanId } = span.spanContext();
    return { name: span.name, kind: span.kind, traceId, spanId, parentId: span.parentSpanContext?.spanId };
  });

/** Connects to the hub at a path, or to a NATS server. */
export async function connect(place) {
  const { MessageBus } = await import('@tenterhook/bus');
  const { connectToNats } = await import('@tenterhook/transport-nats');
  const { connectToSocket } = await import('@tenterhook/transport-socket');
  const transport = place.startsWith('nats:')
    ? await connectToNats({ servers: place })
    : await connectToSocket({ path: place, timeoutMs: 20_000 });
  return new MessageBus({ transport });
}
