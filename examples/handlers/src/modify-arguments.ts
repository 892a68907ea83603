import { Hook, HookEngine, HookEventType, HookMatcher, HookResponse } from '@tenterhook/handlers';

const engine = new HookEngine();

// `modified` replaces all arguments. A missing key is removed, so the old arguments are copied.
const addTimeout = Hook.new('add-timeout', HookEventType.PreToolUse).with_matcher(HookMatcher.tool('Bash')).with_config({ priority: 50 });
engine.register(addTimeout);
engine.register_handler(addTimeout, {
  handle: ({ payload: { args } }) => HookResponse.continue_with({ ...args, timeout: args['timeout'] ?? 30_000 }),
});

// This handler runs later, and receives what the first one wrote.
const capTimeout = Hook.new('cap-timeout', HookEventType.PreToolUse).with_matcher(HookMatcher.tool('Bash')).with_config({ priority: 60 });
engine.register(capTimeout);
engine.register_handler(capTimeout, {
  handle({ payload: { args } }) {
    if (args['timeout'] <= 60_000) return;
    return HookResponse.continue_with({ ...args, timeout: 60_000 });
  },
});

for (const args of [{ command: 'npm test' }, { command: 'npm test', timeout: 600_000 }]) {
  const result = await engine.fire({
    event_type: HookEventType.PreToolUse,
    payload: { session_id: 's-1', tool: 'Bash', args, working_directory: '/srv/app', recent_tools: [] },
  });
  console.log(`${JSON.stringify(args)} becomes ${JSON.stringify(result.action === 'Continue' ? result.modified : result)}`);
}
