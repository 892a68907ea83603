import { Hook, HookEngine, HookEventType, HookMatcher, HookResponse } from '@tenterhook/handlers';
import { connectToSocket } from '@tenterhook/transport-socket';
import { MessageBus } from 'tenterhook';

/** The other process of `other-process.ts`. It has the hooks of a policy, and no agent. Its argument is the path of the agent's socket. */
const [path = ''] = process.argv.slice(2);

const engine = new HookEngine();

const noPublish = Hook.new('no-publish', HookEventType.PreToolUse)
  .with_matcher(HookMatcher.command(String.raw`\bnpm\s+publish\b`))
  // onError: if this process has ended, the agent denies the calls for which this hook would run.
  .with_config({ priority: 1, onError: 'block' });
engine.register(noPublish);
engine.register_handler(noPublish, { handle: () => HookResponse.block('Releases are made by the release team.') });

// This handler only helps, so its failure may be ignored: onError is 'continue'.
const addTimeout = Hook.new('add-timeout', HookEventType.PreToolUse).with_matcher(HookMatcher.tool('Bash'));
engine.register(addTimeout);
engine.register_handler(addTimeout, { handle: ({ payload: { args } }) => HookResponse.continue_with({ ...args, timeout: 30_000 }) });

const transport = await connectToSocket({ path });
engine.connect(new MessageBus({ transport }), { name: 'policy' });

// Exits if the agent is killed: without this, the connection would keep the process alive and wait for the agent.
process.once('disconnect', () => process.exit());
