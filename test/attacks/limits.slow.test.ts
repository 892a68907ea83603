import { HookEngine } from 'tenterhook';
import { recordingTool } from '../support/agent.js';
import { withHooks } from '../support/fire-hooks.js';

test('thousands of tool calls at once: each waits for its turn, and each is shown to the guard', async () => {
  const engine = new HookEngine();
  engine.register({ id: 'guard', event_type: 'pre_tool_use' });
  const handle = async () => {
    await new Promise(setImmediate);
    return { action: 'Block' as const, reason: 'not that' };
  };
  engine.register_handler('guard', { handle });
  await withHooks({ settings: {}, handlers: [engine] }, async ({ hooks }) => {
    const [agent, tool] = [hooks.agent(), recordingTool()];
    const call = { name: 'run_shell', input: { command: 'rm -rf /' }, ...tool };
    const outcomes = await Promise.all(Array.from({ length: 3000 }, () => agent.tool(call)));
    expect(new Set(outcomes.map(({ status, before }) => `${status} ${before?.verdict.reason}`))).toEqual(new Set(['blocked not that']));
    expect(tool.calls).toEqual([]);
  });
});
