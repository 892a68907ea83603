import { Hook, HookEngine, HookEventType, HookMatcher, HookResponse } from '@tenterhook/handlers';
import { connectToSocket } from '@tenterhook/transport-socket';
import { MessageBus } from 'tenterhook';

/** The other process of `other-process.ts`: it has the hooks of a policy, and no agent. Its argument is the socket of the agent. */
const [path = ''] = process.argv.slice(2);

const engine = new HookEngine();

const noPublish = Hook.new('no-publish', HookEventType.PreToolUse)
  .with_matcher(HookMatcher.command(String.raw`\bnpm\s+publish\b`))
  // When this process is gone, what it guards stays closed.
  .with_config({ priority: 1, onError: 'block' });
engine.register(noPublish);
engine.register_handler(noPublish, { handle: () => HookResponse.block('Releases are made by the release team.') });

// It only helps, so what becomes of it does not matter: onError is 'continue'.
const addTimeout = Hook.new('add-timeout', HookEventType.PreToolUse).with_matcher(HookMatcher.tool('Bash'));
engine.register(addTimeout);
engine.register_handler(addTimeout, { handle: ({ payload: { args } }) => HookResponse.continue_with({ ...args, timeout: 30_000 }) });

const transport = await connectToSocket({ path });
engine.connect(new MessageBus({ transport }), { name: 'policy' });

// The agent may be killed, too. A connection alone would be waited for.
process.once('disconnect', () => process.exit());
