import { Hook, HookEngine, HookEventType, HookMatcher, HookResponse } from '@tenterhook/handlers';
import { connectToSocket } from '@tenterhook/transport-socket';
import { MessageBus } from 'tenterhook';

/** The other process of `other-process.ts`: it has the hooks of a policy, and no agent. Its argument is the path of the agent's socket. */
const [path = ''] = process.argv.slice(2);

const engine = new HookEngine();

const noPublish = Hook.new('no-publish', HookEventType.PreToolUse)
  .with_matcher(HookMatcher.command(String.raw`\bnpm\s+publish\b`))
  // If this process is gone, the agent denies what it guards.
  .with_config({ priority: 1, onError: 'block' });
engine.register(noPublish);
engine.register_handler(noPublish, { handle: () => HookResponse.block('Releases are made by the release team.') });

// This handler only helps, so its failure may be ignored: onError is 'continue'.
const addTimeout = Hook.new('add-timeout', HookEventType.PreToolUse).with_matcher(HookMatcher.tool('Bash'));
engine.register(addTimeout);
engine.register_handler(addTimeout, { handle: ({ payload: { args } }) => HookResponse.continue_with({ ...args, timeout: 30_000 }) });

const transport = await connectToSocket({ path });
engine.connect(new MessageBus({ transport }), { name: 'policy' });

// Exit if the agent is killed: by itself, the connection would wait for it.
process.once('disconnect', () => process.exit());
