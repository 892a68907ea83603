import { Agent, applyPatchTool, RunContext, RunState, run, type ShellTool, shellTool } from '@openai/agents';
import { createHookClient } from '@tenterhook/agent';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { type HookAgentOptions, hookAgent } from '../src/index.js';
import { assistantMessage, resultsRead, scripted } from './scene.js';

const asks = says({ decision: 'ask', reason: 'sure?' });

function shellScene(options: { needsApproval?: boolean } = {}) {
  const actions: object[] = [];
  const shell = {
    run: async (action: object) => {
      actions.push(action);
      return { output: [{ stdout: 'the key is opensesame', stderr: '', outcome: { type: 'exit' as const, exitCode: 3 } }] };
    },
  };
  const call = { type: 'shell_call' as const, callId: 'c1', status: 'completed' as const, action: { commands: ['rm notes'] } };
  const model = scripted([call], [assistantMessage('done')]);
  return { actions, model, tool: shellTool({ shell, ...options }) };
}

function patchScene(options: { needsApproval?: boolean } = {}) {
  const edits: object[] = [];
  const edit = (method: string) => async (operation: object) => {
    edits.push({ method, ...operation });
    return { status: 'completed' as const, output: 'the key is opensesame' };
  };
  const editor = { createFile: edit('createFile'), updateFile: edit('updateFile'), deleteFile: edit('deleteFile') };
  const operation = { type: 'delete_file' as const, path: 'notes' };
  const call = { type: 'apply_patch_call' as const, callId: 'c1', status: 'completed' as const, operation };
  const model = scripted([call], [assistantMessage('done')]);
  return { edits, model, tool: applyPatchTool({ editor, ...options }) };
}

const agentOf = (client: Parameters<typeof hookAgent>[0], model: unknown, tool: unknown, options?: HookAgentOptions) =>
  hookAgent(client, new Agent({ name: 'Ada', model: model as never, tools: [tool as never] }), options);

describe('O15: a local shell', () => {
  test('is denied: the reason is an error output with exit code 2', async () => {
    await withCommands({ BeforeTool: ['cat > before.json; echo "no rm" >&2; exit 2'] }, async ({ client, read }) => {
      const { actions, model, tool } = shellScene();
      await run(agentOf(client, model, tool), 'go');
      expect(actions).toEqual([]);
      expect(resultsRead(model)['c1']).toEqual([{ stdout: '', stderr: 'no rm', outcome: { type: 'exit', exitCode: 2 } }]);
      expect(JSON.parse(read('before.json') ?? '{}')).toMatchObject({
        tool_name: 'shell',
        tool_input: { commands: ['rm notes'] },
        tool_use_id: 'c1',
      });
    });
  });

  test('is rewritten, and an input that does not match names the hook', async () => {
    for (const [commands, expected] of [
      [['ls'], [{ commands: ['ls'] }]],
      ['ls', []],
    ] as const) {
      await withCommands({ BeforeTool: [says({ hookSpecificOutput: { tool_input: { commands } } })] }, async ({ client }) => {
        const { actions, model, tool } = shellScene();
        await run(agentOf(client, model, tool), 'go');
        expect(actions).toEqual(expected);
        if (expected.length === 0) expect(JSON.stringify(resultsRead(model))).toContain('commands: must be array');
      });
    }
  });

  test('its result is redacted, and context follows its output', async () => {
    const redacts = ({ tool_response }: { tool_response?: { exit_code?: number } }) => ({
      hookSpecificOutput: {
        hookEventName: 'AfterTool',
        updatedToolOutput: `*** ${tool_response?.exit_code}`,
        additionalContext: 'house rule',
      },
    });
    await withFunctions({ AfterTool: [redacts as never] }, async ({ client }) => {
      const { model, tool } = shellScene();
      const result = await run(agentOf(client, model, tool), 'go');
      expect(resultsRead(model)['c1']).toEqual([
        { stdout: expect.stringMatching(/^\*\*\* 3\n\n[\s\S]*house rule/), stderr: '', outcome: { type: 'exit', exitCode: 3 } },
      ]);
      expect(JSON.stringify([result.state, result.newItems])).not.toContain('opensesame');
    });
  });

  test('a hook asks: no user, `ask`, and an approval of the framework', async () => {
    await withCommands({ BeforeTool: [asks] }, async ({ client, hooks }) => {
      const denied = shellScene();
      await run(agentOf(client, denied.model, denied.tool), 'go');
      expect(denied.actions).toEqual([]);
      const allowed = shellScene();
      await run(agentOf(client, allowed.model, allowed.tool, { ask: () => 'allow' }), 'go');
      expect(allowed.actions).toHaveLength(1);
      const approved = shellScene();
      const agent = agentOf(client, approved.model, approved.tool, { approvals: 'framework' });
      const first = await run(agent, 'go');
      expect([first.interruptions.map(({ name }) => name), approved.actions]).toEqual([['shell'], []]);
      const stored = first.state.toString();
      first.state.approve(first.interruptions[0]!);
      expect((await run(agent, first.state)).finalOutput).toBe('done');
      expect(approved.actions).toHaveLength(1);
      // As in another process: new objects, and another client.
      const restored = shellScene();
      const other = agentOf(createHookClient(hooks), scripted([assistantMessage('done')]), restored.tool, { approvals: 'framework' });
      const state = await RunState.fromString(other, stored);
      for (const item of state.getInterruptions()) state.approve(item);
      await run(other, state as typeof first.state);
      expect(restored.actions).toHaveLength(1);
    });
  });

  test('a stop ends the run', async () => {
    await withCommands({ AfterTool: [says({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
      const { model, tool } = shellScene();
      expect((await run(agentOf(client, model, tool), 'go')).finalOutput).toBe('enough');
      expect(model.calls).toHaveLength(1);
    });
  });

  test('without hooks, the shell of the app receives the action of the model', async () => {
    await withCommands({}, async ({ client, progress }) => {
      const { actions, model, tool } = shellScene();
      await run(agentOf(client, model, tool), 'go');
      expect([actions, progress]).toEqual([[{ commands: ['rm notes'] }], []]);
    });
  });
});

describe('O15: an editor', () => {
  test('is denied', async () => {
    await withCommands({ BeforeTool: ['cat > before.json; echo "no" >&2; exit 2'] }, async ({ client, read }) => {
      const { edits, model, tool } = patchScene();
      const result = await run(agentOf(client, model, tool), 'go');
      expect(edits).toEqual([]);
      expect(result.history).toContainEqual(expect.objectContaining({ type: 'apply_patch_call_output', status: 'failed', output: 'no' }));
      expect(JSON.parse(read('before.json') ?? '{}')).toMatchObject({
        tool_name: 'apply_patch',
        tool_input: { type: 'delete_file', path: 'notes' },
      });
    });
  });

  test('is rewritten, also to another operation', async () => {
    const tool_input = { type: 'update_file', path: 'notes', diff: 'd' };
    await withCommands({ BeforeTool: [says({ hookSpecificOutput: { tool_input } })] }, async ({ client }) => {
      const { edits, model, tool } = patchScene();
      await run(agentOf(client, model, tool), 'go');
      expect(edits).toEqual([{ method: 'updateFile', ...tool_input }]);
    });
  });

  test('its result is redacted', async () => {
    const redacts = () => ({ hookSpecificOutput: { hookEventName: 'AfterTool', updatedToolOutput: '***' } });
    await withFunctions({ AfterTool: [redacts as never] }, async ({ client }) => {
      const { model, tool } = patchScene();
      const result = await run(agentOf(client, model, tool), 'go');
      expect(resultsRead(model)).toEqual({ c1: '***' });
      expect(JSON.stringify(result.state)).not.toContain('opensesame');
    });
  });

  test('a tool that needs approval interrupts, and a hook’s allow loosens it', async () => {
    for (const [hook, interruptions, count] of [
      ['true', ['apply_patch'], 0],
      [says({ decision: 'allow' }), [], 1],
    ] as const) {
      await withCommands({ BeforeTool: [hook] }, async ({ client }) => {
        const { edits, model, tool } = patchScene({ needsApproval: true });
        const result = await run(agentOf(client, model, tool), 'go');
        expect([result.interruptions.map(({ name }) => name), edits.length]).toEqual([interruptions, count]);
      });
    }
  });
});

test('O15 an approval of all calls of a shell answers a hook that asks about a later call', async () => {
  await withCommands({ BeforeTool: [says({ decision: 'ask', reason: 'sure?' })] }, async ({ client }) => {
    const ran: unknown[] = [];
    const shell = shellTool({
      shell: {
        run: async ({ commands }) => {
          ran.push(commands);
          return { output: [{ stdout: 'x', stderr: '', outcome: { type: 'exit', exitCode: 0 } }] };
        },
      },
    });
    const call = (id: string) => ({
      type: 'shell_call' as const,
      callId: id,
      status: 'completed' as const,
      action: { commands: [id] },
    });
    const agent = agentOf(client, scripted([call('s1')], [call('s2')], [assistantMessage('done')]), shell, {
      approvals: 'framework',
    });
    const first = await run(agent, 'go');
    first.state.approve(first.interruptions[0]!, { alwaysApprove: true });
    const second = await run(agent, first.state);
    expect([ran, second.finalOutput]).toEqual([[['s1'], ['s2']], 'done']);
  });
});

describe.each([
  ['a shell', shellScene, 'actions'],
  ['an editor', patchScene, 'edits'],
] as const)('an approval of a call of %s', (_, scene, list) => {
  const ranIn = (of: object) => (of as Record<string, unknown[]>)[list];

  test('does not answer a question about an equal call of another agent with the same context', async () => {
    await withFunctions({ BeforeTool: [() => ({ decision: 'ask', reason: 'sure?' }) as never] }, async ({ client }) => {
      const context = new RunContext({});
      const [approved, other] = [scene({ needsApproval: true }), scene()];
      const agent = agentOf(client, approved.model, approved.tool);
      const { state, interruptions } = await run(agent, 'go', { context });
      state.approve(interruptions[0]!);
      await run(agentOf(client, other.model, other.tool), 'go', { context });
      await run(agent, state);
      expect([ranIn(approved)?.length, ranIn(other)]).toEqual([1, []]);
    });
  });
});

test('hooks receive the ids of several approved calls of a shell that are resumed in another process', async () => {
  const ids: unknown[] = [];
  const asks = ({ tool_use_id, tool_input }: Record<string, unknown>) => {
    ids.push([tool_use_id, (tool_input as { commands: string[] }).commands[0]]);
    return { decision: 'ask', reason: 'sure?' } as never;
  };
  await withFunctions({ BeforeTool: [asks] }, async ({ client, hooks }) => {
    const call = (callId: string) => ({
      type: 'shell_call' as const,
      callId,
      status: 'completed' as const,
      action: { commands: [callId] },
    });
    const { tool, actions } = shellScene();
    const options = { approvals: 'framework' } as const;
    const first = await run(agentOf(client, scripted([call('s1'), call('s2')]), tool, options), 'go');
    const stored = first.state.toString();
    const agent = agentOf(createHookClient(hooks), scripted([assistantMessage('done')]), tool, options);
    const state = await RunState.fromString(agent, stored);
    for (const item of state.getInterruptions()) state.approve(item);
    ids.length = 0;
    await run(agent, state as typeof first.state);
    expect([actions, ids]).toEqual([
      [{ commands: ['s1'] }, { commands: ['s2'] }],
      [
        ['s1', 's1'],
        ['s2', 's2'],
      ],
    ]);
  });
});

test('an approval of a restored call of a shell does not answer a question about other commands of the program', async () => {
  await withFunctions({ BeforeTool: [() => ({ decision: 'ask', reason: 'sure?' }) as never] }, async ({ client, hooks }) => {
    const { tool, model, actions } = shellScene();
    const options = { approvals: 'framework' } as const;
    const stored = (await run(agentOf(client, model, tool, options), 'go')).state.toString();
    const agent = agentOf(createHookClient(hooks), scripted(), tool, options);
    const state = await RunState.fromString(agent, stored);
    for (const item of state.getInterruptions()) state.approve(item);
    const [shell] = (await agent.getAllTools(state._context)) as ShellTool[];
    await shell?.shell?.run({ commands: ['other'] });
    expect(actions).toEqual([]);
  });
});
