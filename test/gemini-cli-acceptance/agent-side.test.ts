import { runAgentTurnWithHooks } from '@tenterhook/agent';
import { says } from '../support/fire-hooks.js';
import { hooksOf, seen, specific, withGemini } from './gemini-hooks.js';

/** An agent that remembers its prompts. */
function recordingAgent() {
  const prompts: string[] = [];
  const respond = (prompt: string) => {
    prompts.push(prompt);
    return 'done';
  };
  return { prompts, respond };
}

test.each<[string, string, string]>([
  ['a deny blocks', says({ decision: 'deny', reason: 'no' }), 'blocked'],
  ['a stop stops', says({ continue: false, stopReason: 'enough' }), 'stopped'],
])('gemini 23: BeforeAgent: %s, and the prompt is not worked on', async (_, command, status) => {
  await withGemini(hooksOf('BeforeAgent', command), async ({ client }) => {
    const agent = recordingAgent();
    expect((await runAgentTurnWithHooks(client, { prompt: 'p', ...agent })).status).toBe(status);
    expect(agent.prompts).toEqual([]);
  });
});

test('gemini 24: the reason of an AfterAgent deny is the next prompt, with stop_hook_active', async () => {
  const command = `cat > seen.json; grep -q '"stop_hook_active":true' seen.json || ${says({ decision: 'deny', reason: 'go on' })}`;
  await withGemini(hooksOf('AfterAgent', command), async (scene) => {
    const agent = recordingAgent();
    const done = await runAgentTurnWithHooks(scene.client, { prompt: 'p', ...agent });
    expect(done).toMatchObject({ status: 'completed', turns: 2 });
    expect(agent.prompts).toEqual(['p', 'go on']);
    expect(seen(scene)).toMatchObject({ stop_hook_active: true, prompt_response: 'done' });
  });
});

test('gemini 24: eight in a row, and the ninth is not obeyed', async () => {
  await withGemini(hooksOf('AfterAgent', says({ decision: 'deny', reason: 'go on' })), async ({ client }) => {
    const agent = recordingAgent();
    await runAgentTurnWithHooks(client, { prompt: 'p', ...agent });
    expect(agent.prompts).toHaveLength(9);
  });
});

test('clearContext is handed on to the agent, and another hook does not take it back', async () => {
  const hooks = [specific({ clearContext: true }), specific({ clearContext: false })];
  await withGemini(hooksOf('AfterAgent', hooks), async ({ handler }) => {
    const result = await handler.fireAfterAgentEvent('p', 'r');
    expect(result.finalOutput?.hookSpecificOutput).toEqual({ clearContext: true });
  });
});
