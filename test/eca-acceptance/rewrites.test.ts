import { createHookClient, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../support/agent.js';
import { outcomeAt, says } from '../support/fire-hooks.js';
import { callShell, fireShell, hookOf, idOf, preToolCall, seen, withEca } from './eca-hooks.js';

const updates = (updatedInput: unknown) => says({ updatedInput });

test('eca 19: updatedInput is merged in key order, and later hooks see it', async () => {
  await withEca({ b: preToolCall(`cat > b.json; ${updates({ x: 2 })}`), a: preToolCall(updates({ x: 1, y: 1 })) }, async (scene) => {
    const result = await callShell(scene.handler);
    expect(seen(scene, 'b.json')['tool_input']).toEqual({ command: 'ls', x: 1, y: 1 });
    expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toEqual({ command: 'ls', x: 2, y: 1 });
    expect(result.changes).toEqual([
      { path: 'tool_input.x', hookId: idOf('a'), after: 1 },
      { path: 'tool_input.y', hookId: idOf('a'), after: 1 },
      { path: 'tool_input.x', hookId: idOf('b'), before: 1, after: 2 },
    ]);
  });
});

test('eca 19: the tool gets the merged arguments beside its own', async () => {
  await withEca({ a: preToolCall(updates({ x: 1, y: 1 })), b: preToolCall(updates({ x: 2 })) }, async ({ hooks }) => {
    const tool = recordingTool();
    const call = { name: 'run_shell_command', input: { command: 'ls', dir: '/srv' }, ...tool };
    expect((await executeToolWithHooks(createHookClient(hooks), call)).status).toBe('executed');
    expect(tool.calls).toEqual([{ command: 'ls', dir: '/srv', x: 2, y: 1 }]);
  });
});

test('eca 19: the merge is shallow', async () => {
  await withEca({ a: preToolCall(updates({ options: { b: 2 } })) }, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('run_shell_command', { command: 'ls', options: { a: 1 } });
    expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toEqual({ command: 'ls', options: { b: 2 } });
  });
});

test.each(['text', ['x'], 7, true])('eca 20: the updatedInput %j is a warning, and the arguments stay', async (value) => {
  const result = await fireShell({ a: preToolCall(updates(value)) });
  expect(outcomeAt(result, 0)).toMatchObject({
    status: 'succeeded',
    warnings: [{ code: 'wrong_type', message: expect.stringContaining('updatedInput') }],
  });
  expect(result.changes).toEqual([]);
  expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toBeUndefined();
});

test('eca 20: null says nothing, as in every field: no warning, and the arguments stay', async () => {
  const result = await fireShell({ a: preToolCall(updates(null)) });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', warnings: [] });
  expect(result.changes).toEqual([]);
});

test('eca 21: the next hook sees the prompt as rewritten', async () => {
  const hooks = { a: hookOf('preRequest', says({ replacedPrompt: 'A' })), b: hookOf('preRequest', 'cat > b.json') };
  await withEca(hooks, async (scene) => {
    const result = await scene.handler.fireBeforeAgentEvent('p');
    expect(seen(scene, 'b.json')['prompt']).toBe('A');
    expect(result.finalOutput?.hookSpecificOutput?.['replacedPrompt']).toBe('A');
    expect(result.changes).toEqual([{ path: 'prompt', hookId: idOf('a', 'BeforeAgent'), before: 'p', after: 'A' }]);
  });
});

test('eca 21: the agent gets the last rewrite', async () => {
  const hooks = { a: hookOf('preRequest', says({ replacedPrompt: 'A' })), b: hookOf('preRequest', says({ replacedPrompt: 'B' })) };
  await withEca(hooks, async (scene) => {
    const prompts: string[] = [];
    const respond = (prompt: string) => {
      prompts.push(prompt);
      return 'answer';
    };
    const turn = await runAgentTurnWithHooks(createHookClient(scene.hooks), { prompt: 'p', respond });
    expect(turn.status).toBe('completed');
    expect(prompts).toEqual(['B']);
  });
});

test('eca 21: the context of a hook is not put into the prompt that the next one sees', async () => {
  const hooks = { a: hookOf('preRequest', 'echo context'), b: hookOf('preRequest', 'cat > b.json') };
  await withEca(hooks, async (scene) => {
    await scene.handler.fireBeforeAgentEvent('p');
    expect(seen(scene, 'b.json')['prompt']).toBe('p');
  });
});
