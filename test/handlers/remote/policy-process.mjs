// An engine as a service on NATS, for the tests in this folder: node policy-process.mjs <url> [version]. Uses the built packages.
import { MessageBus } from '@tenterhook/bus';
import { HookEngine } from '@tenterhook/handlers';
import { connectToNats } from '@tenterhook/transport-nats';

const [servers, version] = process.argv.slice(2);
const engine = new HookEngine();
const answers = {
  blocks: () => ({ action: 'Block', reason: `the policy ${version ?? ''} says no` }),
  continues: () => undefined,
  rewrites: ({ payload }) => ({ action: 'Continue', modified: { ...payload.args, quiet: true } }),
  hangs: () => new Promise(() => process.send({ kind: 'called' })),
  garbage: () => 7,
  waits: () =>
    new Promise((resolve) => {
      process.send({ kind: 'called' });
      process.on('message', (message) => message === 'go' && resolve({ action: 'Block', reason: `the policy ${version ?? ''} says no` }));
    }),
};
for (const [id, handle] of Object.entries(answers)) {
  engine.register({ id, event_type: 'pre_tool_use', matcher: { tool: id }, config: { timeout_ms: id === 'hangs' ? 1000 : 20_000 } });
  engine.register_handler(id, { handle });
}
engine.register({ id: 'redacts', event_type: 'post_tool_use', config: { timeout_ms: 20_000 } });
engine.register_handler('redacts', { handle: () => ({ action: 'Continue', modified: { output: '[redacted]' } }) });

const transport = await connectToNats({ servers, timeoutMs: 20_000 });
const bus = new MessageBus({ transport });
const connection = engine.connect(bus, { name: 'policy', ...(version === undefined ? {} : { version }) });
await bus.flush();
process.send({ kind: 'connected' });
process.on('message', async (message) => {
  if (message !== 'leave') return;
  await connection.drain();
  await bus.close();
  await transport.close();
  process.disconnect();
});
process.once('disconnect', () => process.exit());
