import { Agent, Runner, RunState, type RunToolApprovalItem, run, toolNamespace, toolSearchTool } from '@openai/agents';
import { type AgentScene, firedEvents, withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { hookAgent } from '../src/index.js';
import { assistantMessage, callingModel, functionCall, hookedAgent, recordingTool, results, resultsRead, scripted } from './scene.js';

const readA = ['read', { path: 'a' }, 'c1'] as const;
const asks = says({ decision: 'ask', reason: 'sure?' });
const denies = says({ decision: 'deny', reason: 'too late' });
/** Asks, and once the file exists, runs another command. */
const asksUntil = (file: string, then: string) => `if [ -e ${file} ]; then ${then}; else ${asks}; fi`;

const names = (result: { interruptions?: readonly { name?: string | undefined }[] }) => result.interruptions?.map(({ name }) => name) ?? [];
const approveAll = <State extends { approve(item: RunToolApprovalItem): void }>(result: {
  readonly interruptions: readonly RunToolApprovalItem[];
  readonly state: State;
}): State => {
  for (const item of result.interruptions) result.state.approve(item);
  return result.state;
};

describe('O10: a hook asks', () => {
  test('and no user can answer: the call is denied', async () => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const [read, model] = [recordingTool('read'), callingModel(readA)];
      await run(hookedAgent(client, model, [read.tool]), 'go');
      expect(read.inputs).toEqual([]);
      expect(resultsRead(model)).toEqual({ c1: 'It needs confirmation, but no user could be asked. sure?' });
    });
  });

  test.each([
    ['allow', [{ path: 'a' }]],
    ['deny', []],
  ] as const)('and `ask` answers %s', async (answer, inputs) => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const [read, model] = [recordingTool('read'), callingModel(readA)];
      const questions: object[] = [];
      const ask = (question: object) => {
        questions.push(question);
        return answer;
      };
      const result = await run(hookedAgent(client, model, [read.tool], { ask, approvals: 'framework' }), 'go');
      expect([names(result), read.inputs]).toEqual([[], inputs]);
      expect(questions).toMatchObject([{ subject: 'read', input: { path: 'a' }, reason: 'sure?' }]);
    });
  });

  test('with approvals of the framework: the run is interrupted, and goes on after the approval; BeforeTool is fired again', async () => {
    await withCommands({ BeforeTool: [asks], Notification: ['cat > notified.json'] }, async (scene) => {
      const [read, model] = [recordingTool('read'), callingModel(readA)];
      const agent = hookedAgent(scene.client, model, [read.tool], { approvals: 'framework' });
      const first = await run(agent, 'go');
      expect([names(first), read.inputs, model.calls.length]).toEqual([['read'], [], 1]);
      expect(JSON.parse(scene.read('notified.json') ?? '{}')).toMatchObject({
        notification_type: 'ToolPermission',
        message: 'sure?',
        details: { tool_name: 'read', tool_input: { path: 'a' }, tool_use_id: 'c1' },
      });
      const second = await run(agent, approveAll(first));
      expect([names(second), read.inputs, second.finalOutput]).toEqual([[], [{ path: 'a' }], 'done']);
      expect(firedEvents(scene).filter((name) => name !== 'PermissionRequest')).toEqual(['BeforeTool', 'Notification', 'BeforeTool']);
    });
  });

  test('a rejection is the SDK’s, and the tool does not run', async () => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const [read, model] = [recordingTool('read'), callingModel(readA)];
      const agent = hookedAgent(client, model, [read.tool], { approvals: 'framework' });
      const first = await run(agent, 'go');
      first.state.reject(first.interruptions[0]!, { message: 'not now' });
      await run(agent, first.state);
      expect([read.inputs, resultsRead(model)]).toEqual([[], { c1: 'not now' }]);
    });
  });

  test('calls beside the interrupted one run, and each call is asked about once', async () => {
    await withCommands({ BeforeTool: [`grep -q '"path":"a"' && { ${asks}; }; true`] }, async ({ client }) => {
      const [read, model] = [recordingTool('read'), callingModel(readA, ['read', { path: 'b' }, 'c2'])];
      const agent = hookedAgent(client, model, [read.tool], { approvals: 'framework' });
      const first = await run(agent, 'go');
      expect([names(first), read.inputs]).toEqual([['read'], [{ path: 'b' }]]);
      await run(agent, approveAll(first));
      expect(resultsRead(model)).toEqual({ c1: 'text of read', c2: 'text of read' });
      expect(read.inputs).toEqual([{ path: 'b' }, { path: 'a' }]);
    });
  });
});

describe('O10: on the way back from an interruption', () => {
  /** Interrupts a run, and resumes it from its JSON with new objects, as another process would. */
  async function resumed(scene: AgentScene, options: { readonly alwaysApprove?: boolean; readonly before?: () => void } = {}) {
    const tools = () => recordingTool('read');
    const [first, second] = [tools(), tools()];
    const model = scripted([assistantMessage('done')]);
    const interrupted = await run(hookedAgent(scene.client, callingModel(readA), [first.tool], { approvals: 'framework' }), 'go');
    const stored = interrupted.state.toString();
    options.before?.();
    // Another client is another session of hooks in memory, as in another process.
    const { createHookClient } = await import('@tenterhook/agent');
    const agent = hookedAgent(createHookClient(scene.hooks), model, [second.tool], { approvals: 'framework' });
    const state = await RunState.fromString(agent, stored);
    for (const item of state.getInterruptions()) state.approve(item, { alwaysApprove: options.alwaysApprove ?? false });
    const result = await run(agent, state);
    return { result, model, inputs: [first.inputs, second.inputs] };
  }

  test.each([{}, { alwaysApprove: true }])('a state from JSON runs after the approval %j', async (options) => {
    await withCommands({ BeforeTool: [asks] }, async (scene) => {
      const { result, model, inputs } = await resumed(scene, options);
      expect([result.finalOutput, inputs]).toEqual(['done', [[], [{ path: 'a' }]]]);
      expect(resultsRead(model)).toEqual({ c1: 'text of read' });
    });
  });

  test('a deny wins over the approval', async () => {
    await withCommands({ BeforeTool: [asksUntil('late', denies)] }, async (scene) => {
      const { writeFileSync } = await import('node:fs');
      const { model, inputs } = await resumed(scene, { before: () => writeFileSync(`${scene.projectDir}/late`, '') });
      expect(inputs).toEqual([[], []]);
      expect(resultsRead(model)).toEqual({ c1: 'too late' });
    });
  });

  test('an approval does not count for another input', async () => {
    const { writeFileSync } = await import('node:fs');
    const rewrites = says({ decision: 'ask', reason: 'sure?', hookSpecificOutput: { tool_input: { path: '/etc' } } });
    await withCommands({ BeforeTool: [asksUntil('late', rewrites)] }, async ({ client, projectDir }) => {
      const [read, model] = [recordingTool('read'), callingModel(readA)];
      const agent = hookedAgent(client, model, [read.tool], { approvals: 'framework' });
      const first = await run(agent, 'go');
      writeFileSync(`${projectDir}/late`, '');
      await run(agent, approveAll(first));
      expect([read.inputs, resultsRead(model)]).toEqual([[], { c1: expect.stringContaining('needs confirmation') }]);
    });
  });

  test.each([{}, { alwaysApprove: true }])('another process runs no input that hooks wrote after the approval %j', async (options) => {
    const { writeFileSync } = await import('node:fs');
    const rewrites = says({ decision: 'ask', reason: 'sure?', hookSpecificOutput: { tool_input: { path: '/etc' } } });
    await withCommands({ BeforeTool: [asksUntil('late', rewrites)] }, async (scene) => {
      const { model, inputs } = await resumed(scene, { ...options, before: () => writeFileSync(`${scene.projectDir}/late`, '') });
      expect(inputs).toEqual([[], []]);
      expect(resultsRead(model)).toEqual({ c1: expect.stringContaining('needs confirmation') });
    });
  });

  test.each(['call', 'tool'] as const)('an approval of a tool that is loaded later counts: of one %s', async (of) => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const read = recordingTool('read', 'text', { deferLoading: true });
      const search = toolSearchTool({
        execution: 'client',
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
        execute: async () => read.tool as never,
      });
      const found = { type: 'tool_search_call' as const, id: 's1', callId: 'c0', execution: 'client' as const, arguments: {} };
      const call = (callId: string) => functionCall('read', { path: callId }, { callId });
      const model = scripted([{ ...found, status: 'completed' }], [call('c1')], [call('c2')], [assistantMessage('done')]);
      const agent = hookedAgent(client, model, [search], { approvals: 'framework' });
      const first = await run(agent, 'go');
      expect([names(first), read.inputs]).toEqual([['read'], []]);
      first.state.approve(first.interruptions[0]!, { alwaysApprove: of === 'tool' });
      const second = await run(agent, first.state);
      const isAll = of === 'tool';
      expect(read.inputs).toEqual(isAll ? [{ path: 'c1' }, { path: 'c2' }] : [{ path: 'c1' }]);
      expect(names(second)).toEqual(isAll ? [] : ['read']);
    });
  });

  test('an approval of all calls of a tool does not count for a tool of the same name in a namespace', async () => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const [read, own] = [
        recordingTool('read', 'text', { needsApproval: true }),
        async (_: unknown, input: { path: string }) => input.path === 'a',
      ];
      const inner = recordingTool('read', 'text of admin', { needsApproval: own });
      const inNamespace = toolNamespace({ name: 'admin', description: 'of the admin', tools: [inner.tool] });
      const callAdmin = (path: string, callId: string) => ({ ...functionCall('read', { path }, { callId }), namespace: 'admin' });
      const model = scripted(
        [functionCall('read', { path: 'a' }, { callId: 'c1' })],
        [callAdmin('b', 'c2')],
        [callAdmin('a', 'c3')],
        [callAdmin('b', 'c4')],
        [assistantMessage('done')],
      );
      const agent = hookedAgent(client, model, [read.tool, ...inNamespace]);
      const first = await run(agent, 'go');
      first.state.approve(first.interruptions[0]!, { alwaysApprove: true });
      const second = await run(agent, first.state);
      expect([read.inputs, inner.inputs, second.interruptions.length]).toEqual([[{ path: 'a' }], [], 1]);
      // The approval of its own calls counts for it.
      second.state.approve(second.interruptions[0]!, { alwaysApprove: true });
      await run(agent, second.state);
      expect(inner.inputs).toEqual([{ path: 'a' }, { path: 'b' }]);
    });
  });

  test.each([
    ['a hooked model', (model: object) => ({ model, runner: new Runner() })],
    [
      'a model that is not hooked',
      (model: object) => ({ model: 'a name', runner: new Runner({ modelProvider: { getModel: () => model as never } }) }),
    ],
  ])('an approval of all calls answers a hook that asks about a later call, and a deny stays: %s', async (_, of) => {
    const hook = `input=$(cat); echo "$input" >> seen.json; echo "$input" | grep -q '"path":"c"' && { ${denies}; exit 0; }; ${asks}`;
    await withCommands({ BeforeTool: [hook] }, async (scene) => {
      const read = recordingTool('read');
      const { model, runner } = of(
        scripted(
          [functionCall('read', { path: 'a' }, { callId: 'c1' })],
          [functionCall('read', { path: 'b' }, { callId: 'c2' }), functionCall('read', { path: 'c' }, { callId: 'c3' })],
          [assistantMessage('done')],
        ),
      );
      const agent = hookAgent(scene.client, new Agent({ name: 'Ada', model: model as never, tools: [read.tool] }), {
        approvals: 'framework',
      });
      const first = await runner.run(agent, 'go');
      first.state.approve(first.interruptions[0]!, { alwaysApprove: true });
      const second = await runner.run(agent, first.state);
      expect(second.finalOutput).toBe('done');
      expect(read.inputs).toEqual([{ path: 'a' }, { path: 'b' }]);
      expect(results(second.history)).toMatchObject({ c2: 'text of read', c3: 'too late' });
      // The first call is asked about twice, because it is interrupted.
      expect(scene.read('seen.json')?.trim().split('\n')).toHaveLength(4);
    });
  });

  test('with `ask`, the user is asked about each later call', async () => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const read = recordingTool('read', 'text of read', { needsApproval: true });
      const model = scripted(
        [functionCall('read', { path: 'a' }, { callId: 'c1' })],
        [functionCall('read', { path: 'b' }, { callId: 'c2' })],
        [assistantMessage('done')],
      );
      const asked: unknown[] = [];
      const ask = ({ input }: { input?: unknown }) => {
        asked.push(input);
        return 'deny' as const;
      };
      const agent = hookedAgent(client, model, [read.tool], { ask });
      const first = await run(agent, 'go');
      first.state.approve(first.interruptions[0]!, { alwaysApprove: true });
      await run(agent, first.state);
      expect([read.inputs, asked]).toEqual([[{ path: 'a' }], [{ path: 'b' }]]);
    });
  });
});

describe('O10: a tool with needsApproval of its own', () => {
  const approving = (needsApproval: unknown) => recordingTool('read', 'text of read', { needsApproval });
  const policy = async (_: unknown, input: { path: string }) => input.path === 'a';

  test.each([
    ['a fixed answer', true],
    ['a policy', policy],
  ])('interrupts as without hooks: %s', async (_, needsApproval) => {
    await withCommands({ BeforeTool: ['true'] }, async ({ client }) => {
      const [read, model] = [approving(needsApproval), callingModel(readA)];
      const agent = hookedAgent(client, model, [read.tool]);
      const first = await run(agent, 'go');
      expect([names(first), read.inputs]).toEqual([['read'], []]);
      await run(agent, approveAll(first));
      expect([read.inputs, resultsRead(model)]).toEqual([[{ path: 'a' }], { c1: 'text of read' }]);
    });
  });

  test('a hook’s allow loosens it, and a deny needs no user', async () => {
    for (const [hook, result] of [
      [says({ decision: 'allow' }), 'text of read'],
      [denies, 'too late'],
    ] as const) {
      await withCommands({ BeforeTool: [hook] }, async ({ client }) => {
        const [read, model] = [approving(true), callingModel(readA)];
        expect(names(await run(hookedAgent(client, model, [read.tool]), 'go'))).toEqual([]);
        expect(resultsRead(model)).toEqual({ c1: result });
      });
    }
  });

  test('does not run with an input that a hook wrote after the approval', async () => {
    const { writeFileSync } = await import('node:fs');
    const rewrites = says({ hookSpecificOutput: { tool_input: { path: '/etc' } } });
    await withCommands({ BeforeTool: [`if [ -e late ]; then ${rewrites}; fi`] }, async ({ client, projectDir }) => {
      const [read, model] = [approving(true), callingModel(readA)];
      const agent = hookedAgent(client, model, [read.tool]);
      const first = await run(agent, 'go');
      writeFileSync(`${projectDir}/late`, '');
      await run(agent, approveAll(first));
      expect([read.inputs, resultsRead(model)]).toEqual([[], { c1: expect.stringContaining('needs confirmation') }]);
    });
  });

  test('a policy that is false is not a question', async () => {
    await withCommands({ BeforeTool: ['cat >> fired.json'] }, async ({ client, read: file }) => {
      const [read, model] = [approving(policy), callingModel(['read', { path: 'b' }, 'c1'])];
      expect(names(await run(hookedAgent(client, model, [read.tool]), 'go'))).toEqual([]);
      expect([read.inputs, file('fired.json')?.match(/hook_event_name/g)]).toEqual([[{ path: 'b' }], ['hook_event_name']]);
    });
  });

  test('a policy that is false is not an approval, also if the model is not hooked', async () => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const [read, model] = [approving(policy), callingModel(['read', { path: 'b' }, 'c1'])];
      const agent = hookAgent(client, new Agent({ name: 'Ada', model: 'named', tools: [read.tool] }));
      await new Runner({ modelProvider: { getModel: () => model } }).run(agent, 'go');
      expect([read.inputs, resultsRead(model)]).toEqual([[], { c1: expect.stringContaining('no user could be asked') }]);
    });
  });

  test('a call with invalid JSON is answered by the SDK, and needs no approval', async () => {
    await withCommands({ BeforeTool: ['true'] }, async ({ client }) => {
      const model = scripted([functionCall('read', '{"path":', { callId: 'c1' })], [assistantMessage('done')]);
      const result = await run(hookedAgent(client, model, [recordingTool('read').tool]), 'go');
      expect([names(result), resultsRead(model)]).toEqual([[], { c1: expect.stringContaining('parsing tool arguments') }]);
    });
  });
});
