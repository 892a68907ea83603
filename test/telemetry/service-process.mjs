// A hook service with an SDK: node service-process.mjs <socket or NATS server>. Sends its spans when it is asked to.
import { remoteHandlers } from '@tenterhook/handlers';
import { otel } from '@tenterhook/otel';
import { createHooks } from 'tenterhook';
import { connect, spans } from './process-sdk.mjs';

const bus = await connect(process.argv[2]);
const tracing = otel();
const remote = remoteHandlers(bus, { accept: () => true, tracing });
const command = 'printf %s "$TRACEPARENT"';
const settings = { hooks: { BeforeTool: [{ hooks: [{ type: 'command', name: 'prints', command }] }] } };
await createHooks({ bus, settings, handlers: [remote], tracing });
if (!(await remote.waitFor('policy', { timeoutMs: 20_000 }))) throw new Error('There are no handlers.');
process.on('message', () => process.send({ kind: 'spans', spans: spans() }));
process.once('disconnect', () => process.exit());
process.send({ kind: 'ready' });
