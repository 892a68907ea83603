// A process with handlers for the tests in this folder: node handler-process.mjs <socket>. Uses the built packages.
import { MessageBus } from '@tenterhook/bus';
import { HookEngine } from '@tenterhook/handlers';
import { connectToSocket } from '@tenterhook/transport-socket';

const [path] = process.argv.slice(2);
const engine = new HookEngine();
const handlers = {
  'pid-in-args': { handle: ({ payload }) => ({ action: 'Continue', modified: { ...payload.args, pid: process.pid } }) },
  hangs: { handle: () => new Promise(() => process.send({ kind: 'called' })) },
  blocks: { handle: () => ({ action: 'Block', reason: `no, says ${process.pid}` }) },
};
for (const [index, [id, handler]] of Object.entries(handlers).entries()) {
  engine.register({
    id,
    event_type: 'pre_tool_use',
    matcher: { tool: id },
    config: { priority: index, timeout_ms: id === 'hangs' ? 500 : 2000 },
  });
  engine.register_handler(id, handler);
}
engine.register({ id: 'closed', event_type: 'pre_tool_use', matcher: { tool: 'closed' }, config: { timeout_ms: 2000, onError: 'block' } });
engine.register_handler('closed', { handle: () => undefined });
engine.connect(new MessageBus({ transport: await connectToSocket({ path, timeoutMs: 20_000 }) }), { name: 'policy' });
process.send({ kind: 'connected' });
process.once('disconnect', () => process.exit());
