import { Hook, HookEngine, HookEventType, HookMatcher, HookResponse } from '@tenterhook/handlers';
import { createHooks } from 'tenterhook';

const engine = new HookEngine();

const noSudo = Hook.new('no-sudo', HookEventType.PreToolUse)
  .with_matcher(HookMatcher.command(String.raw`\bsudo\b`))
  .with_config({ priority: 1, onError: 'block' });
engine.register(noSudo);
engine.register_handler(noSudo, { handle: () => HookResponse.block('Nothing runs as root.') });

const addTimeout = Hook.new('add-timeout', HookEventType.PreToolUse).with_matcher(HookMatcher.tool('run_shell_command'));
engine.register(addTimeout);
engine.register_handler(addTimeout, { handle: ({ payload: { args } }) => HookResponse.continue_with({ ...args, timeout: 30_000 }) });

// A command hook on the same event, as in a settings file. It runs after the handlers and receives what they wrote.
const noNetwork = { name: 'no-network', command: `grep -q '"command":"curl ' && { echo 'No downloads.' >&2; exit 2; }; true` };
const settings = { hooks: { BeforeTool: [{ hooks: [noNetwork] }] } };

const hooks = await createHooks({ settings, handlers: [engine] });
try {
  const agent = hooks.agent();
  for (const command of ['ls', 'sudo ls', 'curl example.com']) {
    const call = await agent.tool({
      name: 'run_shell_command',
      input: { command },
      execute: (input) => ({ llmContent: `ran with ${JSON.stringify(input)}` }),
    });
    console.log(`${command}: ${call.status}, ${call.result.llmContent}`);
    console.log(`  verdict ${[call.before?.verdict.kind, ...(call.before?.verdict.by ?? [])].join(' by ')}`);
    for (const { name, status, skipReason } of call.before?.outcomes ?? []) console.log(`  ${name}: ${skipReason ?? status}`);
  }
} finally {
  await hooks.dispose();
}
