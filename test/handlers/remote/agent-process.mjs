// An agent for the tests in this folder: node agent-process.mjs <socket>. Fires one event and prints the result. Uses the built packages.
import { MessageBus } from '@tenterhook/bus';
import { remoteHandlers } from '@tenterhook/handlers';
import { connectToSocket } from '@tenterhook/transport-socket';
import { createHooks } from 'tenterhook';

const [path, projectDir] = process.argv.slice(2);
const bus = new MessageBus({ transport: await connectToSocket({ path, timeoutMs: 20_000 }) });
const remote = remoteHandlers(bus, { accept: () => true });
const hooks = await createHooks({ projectDir, settings: {}, handlers: [remote] });
await remote.waitFor('policy', { timeoutMs: 20_000 });
const { verdict, outcomes } = await hooks.getEventHandler().fireBeforeToolEvent('Bash', {});
process.send({ verdict: verdict.kind, reason: verdict.reason, statuses: outcomes.map(({ status }) => status) });
process.once('disconnect', () => process.exit());
