import { Hook, HookEngine, HookEventType, HookMatcher, HookResponse } from '@tenterhook/handlers';

const rules = [
  { id: 'no-recursive-delete', pattern: String.raw`\brm\s+-\w*r`, reason: 'Nothing is deleted recursively. Name the files.' },
  { id: 'no-force-push', pattern: String.raw`\bgit\s+push\b.*\s(--force|-f)\b`, reason: 'History that others have is not rewritten.' },
];

const engine = new HookEngine();
for (const { id, pattern, reason } of rules) {
  const hook = Hook.new(id, HookEventType.PreToolUse)
    .with_matcher(HookMatcher.command(pattern))
    // The guard runs first, and denies if it fails.
    .with_config({ priority: 1, onError: 'block' });
  engine.register(hook);
  engine.register_handler(hook, { handle: () => HookResponse.block(reason) });
}

// The last command is not blocked: a pattern reads the text of a command, not what a shell does with it.
for (const command of ['ls -la', 'sudo rm -rf build', 'git push origin main --force', 'r=rm; $r -rf build']) {
  const result = await engine.fire({
    event_type: HookEventType.PreToolUse,
    payload: { session_id: 's-1', tool: 'Bash', args: { command }, working_directory: '/srv/app', recent_tools: [] },
  });
  console.log(`${command}: ${result.action === 'Block' ? `blocked. ${result.reason}` : 'runs'}`);
}
