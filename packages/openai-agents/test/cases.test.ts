import { run, Usage } from '@openai/agents';
import { testAdapter } from '../../../test/adapters/cases.js';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { hookAgent } from '../src/index.js';
import { assistantMessage, callingModel, functionCall, hookedAgent, recordingTool, resultsRead, runHooked, scripted } from './scene.js';

const readA = ['read', { path: 'a' }, 'c1'] as const;
const writeB = ['write', { path: 'b' }, 'c2'] as const;

/** One run of an agent with the tools `read` and `write`, which calls both. */
async function runBoth(client: Parameters<typeof runHooked>[0], options?: Parameters<typeof runHooked>[3]) {
  const [read, write, model] = [recordingTool('read', 'the key is opensesame'), recordingTool('write'), callingModel(readA, writeB)];
  const result = await runHooked(client, model, [read.tool, write.tool], options);
  return { result, model, read: read.inputs, write: write.inputs, ids: resultsRead(model) };
}

testAdapter('@tenterhook/openai-agents', {
  deny: () =>
    withCommands({ BeforeTool: [`grep -q '"tool_name":"write"' && { echo "no" >&2; exit 2; }; true`] }, async ({ client }) => {
      const { read, write, ids, result } = await runBoth(client);
      expect([read, write, ids, result.finalOutput]).toEqual([[{ path: 'a' }], [], { c1: 'the key is opensesame', c2: 'no' }, 'done']);
    }),
  rewrite: async () => {
    for (const [path, expected] of [
      ['z', [{ path: 'z' }]],
      [7, []],
    ] as const) {
      const command = says({ hookSpecificOutput: { tool_input: { path } } });
      await withCommands({ BeforeTool: [{ name: 'rewriter', command }] }, async ({ client }) => {
        const { read, ids } = await runBoth(client);
        expect(read).toEqual(expected);
        if (expected.length === 0) expect(ids['c1']).toContain('rewriter');
      });
    }
  },
  redact: async () => {
    const updatedToolOutput = 'the key is ***';
    await withFunctions(
      { AfterTool: [() => ({ hookSpecificOutput: { hookEventName: 'AfterTool', updatedToolOutput } }) as never] },
      async ({ client }) => {
        const { result, model, ids } = await runBoth(client);
        expect(ids['c1']).toBe(updatedToolOutput);
        const requests = model.calls.map(({ request }) => request.input);
        expect(JSON.stringify([result.newItems, result.history, result.state, requests])).not.toContain('opensesame');
      },
    );
  },
  context: () =>
    withCommands({ AfterTool: [says({ hookSpecificOutput: { additionalContext: 'house rule' } })] }, async ({ client }) => {
      const object = { n: 1 };
      const model = callingModel(readA);
      const result = await runHooked(client, model, [recordingTool('read', object).tool]);
      expect(resultsRead(model)['c1']).toMatch(/^\{"n":1\}\n\n[\s\S]*house rule/);
      expect(result.newItems.find((item) => item.type === 'tool_call_output_item')).toMatchObject({ output: object });
    }),
  stop: () =>
    withCommands({ BeforeTool: [says({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
      const { result, model, read } = await runBothOnce(client);
      expect([result.finalOutput, model.calls.length, read]).toEqual(['enough', 1, []]);
    }),
  ask: async () => {
    for (const [ask, expected] of [
      [undefined, []],
      [() => 'deny' as const, []],
      [() => 'yes' as never, []],
      [() => 'allow' as const, [{ path: 'a' }]],
    ] as const) {
      await withCommands({ BeforeTool: [says({ decision: 'ask', reason: 'sure?' })] }, async ({ client }) => {
        expect((await runBoth(client, { ask })).read).toEqual(expected);
      });
    }
  },
  abort: async () => {
    const controller = new AbortController();
    const hook = (_input: unknown, signal: AbortSignal) =>
      new Promise<object>((end) => {
        signal.addEventListener('abort', () => end({}));
        controller.abort();
      });
    await withFunctions({ BeforeTool: [hook as never] }, async ({ client }) => {
      const read = recordingTool('read');
      const running = run(hookedAgent(client, callingModel(readA), [read.tool]), 'go', { signal: controller.signal });
      await expect(running).rejects.toMatchObject({ name: 'AbortError' });
      expect(read.inputs).toEqual([]);
    });
  },
  error: () =>
    withCommands({ AfterTool: ['cat > after.json'] }, async ({ client, read: file }) => {
      const failure = new RangeError('disk full');
      const failing = recordingTool('read', failure, { errorFunction: null });
      // The SDK wraps what a tool throws in an error of its own, with or without hooks.
      await expect(runHooked(client, callingModel(readA), [failing.tool])).rejects.toHaveProperty('error', failure);
      expect(file('after.json')).toContain('disk full');
    }),
  selection: () =>
    withCommands(
      { BeforeToolSelection: [says({ hookSpecificOutput: { toolConfig: { allowedFunctionNames: ['read'] } } })] },
      async (scene) => {
        const { model, write, ids } = await runBoth(scene.client);
        expect(model.firstCall?.request.tools.map(({ name }) => name)).toEqual(['read']);
        expect([write, ids['c2']]).toEqual([[], expect.stringContaining('allows only read')]);
      },
    ),
  idle: () =>
    withCommands({}, async ({ client, progress }) => {
      const answer = Promise.resolve({ usage: new Usage(), output: [assistantMessage('done')] });
      const requests: unknown[] = [];
      const own = {
        getResponse: (request: unknown) => {
          requests.push(request);
          return answer;
        },
        getStreamedResponse: () => ({}) as never,
      };
      const agent = hookAgent(client, hookedAgent(client, scripted(), []).clone({ model: own }));
      const request = { input: 'hi' };
      expect((agent.model as unknown as typeof own).getResponse(request)).toBe(answer);
      expect(requests[0]).toBe(request);
      await runBoth(client);
      expect(progress).toEqual([]);
    }),
});

/** The same with one call only. */
async function runBothOnce(client: Parameters<typeof runHooked>[0]) {
  const [read, model] = [
    recordingTool('read'),
    scripted([functionCall('read', { path: 'a' }, { callId: 'c1' })], [assistantMessage('done')]),
  ];
  const result = await runHooked(client, model, [read.tool]);
  return { result, model, read: read.inputs };
}
