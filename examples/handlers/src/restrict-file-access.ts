import { resolve } from 'node:path';
import { Hook, HookEngine, HookEventType, HookMatcher, HookResponse } from '@tenterhook/handlers';

const engine = new HookEngine();

// A glob is enough for file names: it matches at any depth, for every tool with a path.
const noSecrets = Hook.new('no-secrets', HookEventType.PreToolUse)
  .with_matcher(HookMatcher.path('{.env,*.pem}'))
  .with_config({ priority: 1, onError: 'block' });
engine.register(noSecrets);
engine.register_handler(noSecrets, { handle: () => HookResponse.block('Secrets are neither read nor written.') });

// Locations need code: `startsWith` alone would allow `/srv/app/../other`.
const stayInside = Hook.new('stay-inside', HookEventType.PreToolUse)
  .with_matcher(HookMatcher.tool('Write'))
  .with_config({ priority: 10, onError: 'block' });
engine.register(stayInside);
engine.register_handler(stayInside, {
  handle({ payload }) {
    const { file_path } = payload.args;
    if (typeof file_path !== 'string') throw new TypeError('file_path must be a string');
    const path = resolve(payload.working_directory, file_path);
    if (path.startsWith(`${payload.working_directory}/`)) return HookResponse.continue_();
    return HookResponse.block(`${path} is outside ${payload.working_directory}.`);
  },
});

// The last call has no path: the second handler throws, and its onError makes that a Block.
const calls: [tool: string, args: object][] = [
  ['Write', { file_path: 'src/main.ts' }],
  ['Write', { file_path: '/srv/app/../other/main.ts' }],
  ['Read', { file_path: 'config/.env' }],
  ['Write', {}],
];
for (const [tool, args] of calls) {
  const result = await engine.fire({
    event_type: HookEventType.PreToolUse,
    payload: { session_id: 's-1', tool, args, working_directory: '/srv/app', recent_tools: [] },
  });
  console.log(`${tool} ${JSON.stringify(args)}: ${result.action === 'Block' ? `blocked. ${result.reason}` : 'runs'}`);
}
