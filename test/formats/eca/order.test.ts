import { createHookClient, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import type { HookExecutionProgress } from '@tenterhook/protocol';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, type Scene, says } from '../../support/fire-hooks.js';
import { callShell, deeds, fireShell, hookOf, idOf, preToolCall, seen, withEca } from './eca-hooks.js';

describe('order', () => {
  const approval = (word: string, additionalContext?: string) => preToolCall(says({ approval: word, additionalContext }));

  /** The starts and ends in the order in which they happened, by the name of the hook. */
  function happened({ progress }: Scene): string[] {
    return progress.flatMap((message: HookExecutionProgress) => {
      if (message.kind !== 'hook-started' && message.kind !== 'hook-finished') return [];
      return [`${message.kind} ${message.hookId.split('/').at(-1)}`];
    });
  }

  test('hooks run in the order of their keys by code unit, one at a time', async () => {
    await withEca({ b: preToolCall('true'), a: preToolCall('true'), B: preToolCall('true') }, async (scene) => {
      const result = await callShell(scene.handler);
      expect(deeds(result)).toEqual([
        ['B', 'succeeded'],
        ['a', 'succeeded'],
        ['b', 'succeeded'],
      ]);
      expect(happened(scene)).toEqual(['B', 'a', 'b'].flatMap((name) => [`hook-started ${name}`, `hook-finished ${name}`]));
      expect(scene.progress[0]).toMatchObject({ kind: 'planned', stages: [[{ name: 'B' }], [{ name: 'a' }], [{ name: 'b' }]] });
    });
  });

  test('a key that is a number is a text like any other, and no language sorts the letters', async () => {
    const hook = preToolCall('true');
    const result = await fireShell({ é: hook, z: hook, 10: hook, 9: hook, _: hook });
    expect(deeds(result).map(([name]) => name)).toEqual(['10', '9', '_', 'z', 'é']);
  });

  test('the actions of a hook are hooks of their own, with numbers, in their order', async () => {
    const actions = [1, 2].map((number) => `cat > ${number}.json; echo ran >> ran`);
    await withEca({ k: preToolCall(actions) }, async (scene) => {
      const result = await callShell(scene.handler);
      expect(result.outcomes).toMatchObject([
        { hookId: idOf('k-1'), name: 'k-1', status: 'succeeded' },
        { hookId: idOf('k-2'), name: 'k-2', status: 'succeeded' },
      ]);
      expect(happened(scene)).toEqual(['hook-started k-1', 'hook-finished k-1', 'hook-started k-2', 'hook-finished k-2']);
      expect([seen(scene, '1.json'), seen(scene, '2.json')]).toMatchObject([{ hook_name: 'k-1' }, { hook_name: 'k-2' }]);
    });
  });

  test('ten actions run in the order of the list, not of their names', async () => {
    const actions = Array.from({ length: 10 }, () => 'true');
    const result = await fireShell({ k: preToolCall(actions), 'k-0': preToolCall('true') });
    expect(deeds(result).map(([name]) => name)).toEqual([...actions.map((_, index) => `k-${index + 1}`), 'k-0']);
  });

  test('a deny ends the chain', async () => {
    await withEca({ a: approval('deny', 'no'), b: preToolCall('touch ran') }, async ({ handler, read }) => {
      const result = await callShell(handler);
      expect(deeds(result)).toEqual([
        ['a', 'blocked'],
        ['b', 'skipped', 'chain-ended'],
      ]);
      expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf('a')] });
      expect(read('ran')).toBeUndefined();
    });
  });

  test.each([
    ['a deny', says({ approval: 'deny' })],
    ['exit 2', 'exit 2'],
  ])('%s of the first action of a hook, and the second does not run', async (_, action) => {
    await withEca({ a: preToolCall([action, 'touch ran']) }, async ({ handler, read }) => {
      expect(deeds(await callShell(handler))).toEqual([
        ['a-1', 'blocked'],
        ['a-2', 'skipped', 'chain-ended'],
      ]);
      expect(read('ran')).toBeUndefined();
    });
  });

  test('ask outranks allow, whichever comes first', async () => {
    const result = await fireShell({ a: approval('allow'), b: approval('ask') });
    expect(result.verdict).toMatchObject({ kind: 'ask', by: [idOf('b')] });
    expect((await fireShell({ a: approval('ask'), b: approval('allow') })).verdict).toMatchObject({ kind: 'ask', by: [idOf('a')] });
  });

  test('a deny outranks the allow before it', async () => {
    const result = await fireShell({ a: approval('allow'), b: approval('deny', 'no') });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [idOf('b')] });
  });

  test('allow and ask do not end the chain', async () => {
    const result = await fireShell({ a: approval('allow'), b: approval('ask'), c: approval('allow') });
    expect(deeds(result).map(([, status]) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });
});

describe('rewrites', () => {
  const updates = (updatedInput: unknown) => says({ updatedInput });

  test('updatedInput is merged in key order, and later hooks see it', async () => {
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

  test('the tool gets the merged arguments beside its own', async () => {
    await withEca({ a: preToolCall(updates({ x: 1, y: 1 }), { recheck: false }), b: preToolCall(updates({ x: 2 })) }, async ({ hooks }) => {
      const tool = recordingTool();
      const call = { name: 'run_shell_command', input: { command: 'ls', dir: '/srv' }, ...tool };
      expect((await executeToolWithHooks(createHookClient(hooks), call)).status).toBe('executed');
      expect(tool.calls).toEqual([{ command: 'ls', dir: '/srv', x: 2, y: 1 }]);
    });
  });

  test('the merge is shallow', async () => {
    await withEca({ a: preToolCall(updates({ options: { b: 2 } })) }, async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('run_shell_command', { command: 'ls', options: { a: 1 } });
      expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toEqual({ command: 'ls', options: { b: 2 } });
    });
  });

  test.each(['text', ['x'], 7, true])('the updatedInput %j is a warning, and the arguments stay', async (value) => {
    const result = await fireShell({ a: preToolCall(updates(value)) });
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'wrong_type', message: expect.stringContaining('updatedInput') }],
    });
    expect(result.changes).toEqual([]);
    expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toBeUndefined();
  });

  test('null says nothing, as in every field: no warning, and the arguments stay', async () => {
    const result = await fireShell({ a: preToolCall(updates(null)) });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', warnings: [] });
    expect(result.changes).toEqual([]);
  });

  test('the next hook sees the prompt as rewritten', async () => {
    const hooks = { a: hookOf('preRequest', says({ replacedPrompt: 'A' })), b: hookOf('preRequest', 'cat > b.json') };
    await withEca(hooks, async (scene) => {
      const result = await scene.handler.fireBeforeAgentEvent('p');
      expect(seen(scene, 'b.json')['prompt']).toBe('A');
      expect(result.finalOutput?.hookSpecificOutput?.['replacedPrompt']).toBe('A');
      expect(result.changes).toEqual([{ path: 'prompt', hookId: idOf('a', 'BeforeAgent'), before: 'p', after: 'A' }]);
    });
  });

  test('the agent gets the last rewrite', async () => {
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

  test('the context of a hook is not put into the prompt that the next one sees', async () => {
    const hooks = { a: hookOf('preRequest', 'echo context'), b: hookOf('preRequest', 'cat > b.json') };
    await withEca(hooks, async (scene) => {
      await scene.handler.fireBeforeAgentEvent('p');
      expect(seen(scene, 'b.json')['prompt']).toBe('p');
    });
  });
});
