// Handlers in a process of their own, with an SDK: node handler-process.mjs <socket or NATS server>.
import { trace } from '@opentelemetry/api';
import { HookEngine } from '@tenterhook/handlers';
import { otel } from '@tenterhook/otel';
import { connect, spans } from './process-sdk.mjs';

const bus = await connect(process.argv[2]);
const engine = new HookEngine({ tracing: otel() });
engine.register({ id: 'policy', event_type: 'pre_tool_use', config: { timeout_ms: 20_000 } });
engine.registerHandler('policy', {
  handle: () =>
    trace.getTracer('policy').startActiveSpan('ask the policy', async (span) => {
      await undefined;
      span.end();
      return undefined;
    }),
});
engine.connect(bus, { name: 'policy' });
await bus.flush?.();
process.on('message', () => process.send({ kind: 'spans', spans: spans() }));
process.once('disconnect', () => process.exit());
process.send({ kind: 'ready' });
