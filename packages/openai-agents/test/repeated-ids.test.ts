import { Agent, RunContext, run, tool } from '@openai/agents';
import { z } from 'zod';
import { specific, withFunctions } from '../../../test/support/function-hooks.js';
import { hookAgent } from '../src/index.js';
import { assistantMessage, functionCall, hookedAgent, recordingTool, resultsRead, scripted } from './scene.js';

type Input = Record<string, unknown>;
const pathOf = ({ tool_input }: Input) => (tool_input as { path?: string } | undefined)?.path;
const call = (name: string, path: string, callId = 'call_0') => functionCall(name, { path }, { callId });

/** A tool in which another run of the same client takes place. */
const gateTool = (execute: () => Promise<unknown>, value: unknown = 'ok') =>
  tool({
    name: 'gate',
    description: 'gate',
    parameters: z.object({ path: z.string() }),
    async execute() {
      await execute();
      return value as string;
    },
  });

// A model may number the calls of each answer from 0.
describe.each(['one answer', 'a stream'] as const)('two runs of one client whose calls have the same ids: %s', (kind) => {
  const runAgent = async (agent: ReturnType<typeof hookedAgent>, prompt: string) => {
    if (kind === 'one answer') return String((await run(agent, prompt)).finalOutput);
    const result = await run(agent, prompt, { stream: true });
    for await (const _ of result) void _;
    await result.completed;
    return String(result.finalOutput);
  };

  test('each has its own selection', async () => {
    const selects = (input: Input) =>
      JSON.stringify(input).includes('only read') ? specific({ toolConfig: { mode: 'ANY', allowedFunctionNames: ['read'] } }) : {};
    await withFunctions({ BeforeToolSelection: [selects as never] }, async ({ client }) => {
      const other = recordingTool('write');
      const second = hookedAgent(client, scripted([call('write', 'b')], [assistantMessage('done')]), [other.tool]);
      // The call is made, and has not run, when the other run comes in between.
      const needsApproval = async (_context: unknown) => {
        await runAgent(second, 'anything');
        return false;
      };
      const write = recordingTool('write', 'text', { needsApproval });
      await runAgent(hookedAgent(client, scripted([call('write', 'a')], [assistantMessage('done')]), [write.tool]), 'only read');
      expect([write.inputs, other.inputs]).toEqual([[], [{ path: 'b' }]]);
    });
  });

  test('each has its own stop and its own texts', async () => {
    const stops = (input: Input) => (pathOf(input) === 'stop' ? { continue: false, stopReason: 'enough' } : {});
    const adds = (input: Input) => specific({ additionalContext: `about ${pathOf(input)}` });
    await withFunctions({ BeforeTool: [stops as never], AfterTool: [adds as never] }, async ({ client }) => {
      const model = () => scripted([call('read', 'b')], [assistantMessage('second')]);
      // A value that is not a text keeps its type, so its texts are written into each request.
      const read = () => recordingTool('read', { value: 1 }).tool;
      const second = model();
      let text = '';
      const gate = gateTool(async () => {
        text = await runAgent(hookedAgent(client, second, [read()]), 'go');
      });
      const stopped = hookedAgent(client, scripted([call('read', 'stop'), call('gate', 'g', 'call_1')]), [read(), gate]);
      expect([await runAgent(stopped, 'go'), text]).toEqual(['enough', 'second']);
      expect(String(resultsRead(second)['call_0'])).toContain('about b');

      const third = scripted([call('read', 'c'), call('gate', 'g', 'call_1')], [assistantMessage('third')]);
      const fourth = model();
      const inner = gateTool(() => runAgent(hookedAgent(client, fourth, [read()]), 'go'));
      await runAgent(hookedAgent(client, third, [read(), inner]), 'go');
      const texts = [third, fourth].map((each) => JSON.stringify(each.lastCall?.request.input));
      expect(texts.map((each) => ['about b', 'about c'].map((part) => each.includes(part)))).toEqual([
        [false, true],
        [true, false],
      ]);
    });
  });

  test('each has its own decision of `needsApproval`', async () => {
    let count = 0;
    const deniesSecond = (input: Input) => {
      if (pathOf(input) !== 'a') return {};
      count += 1;
      return count === 1 ? {} : { decision: 'deny', reason: 'only once' };
    };
    await withFunctions({ BeforeTool: [deniesSecond as never] }, async ({ client }) => {
      const [first, second] = [recordingTool('read'), recordingTool('read')];
      const script = () => scripted([call('read', 'a'), call('gate', 'g', 'call_1')], [assistantMessage('done')]);
      const gate = (between: () => Promise<unknown>) =>
        recordingTool('gate', 'ok', {
          needsApproval: async () => {
            await between();
            return false;
          },
        }).tool;
      const options = { approvals: 'framework' } as const;
      const other = hookedAgent(client, script(), [second.tool, gate(async () => {})], options);
      const agent = hookedAgent(client, script(), [first.tool, gate(() => runAgent(other, 'go'))], options);
      await runAgent(agent, 'go');
      expect([first.inputs, second.inputs]).toEqual([[{ path: 'a' }], []]);
    });
  });
});

test('the SDK runs one of two equal calls', async () => {
  await withFunctions({ BeforeTool: [() => ({})] }, async ({ client }) => {
    const read = recordingTool('read');
    const model = scripted([call('read', 'a'), call('read', 'a')], [assistantMessage('done')]);
    await run(hookedAgent(client, model, [read.tool], { approvals: 'framework' }), 'go');
    expect(read.inputs).toEqual([{ path: 'a' }]);
  });
});

test('a later run of a conversation reads the texts of its own earlier run', async () => {
  const adds = (input: Input) => specific({ additionalContext: `about ${pathOf(input)}` });
  await withFunctions({ AfterTool: [adds as never] }, async ({ client }) => {
    const read = () => recordingTool('read', { value: 1 }).tool;
    const agent = (path: string) => hookedAgent(client, scripted([call('read', path)], [assistantMessage(path)]), [read()]);
    const first = await Promise.all(['a', 'b'].map((path) => run(agent(path), 'go')));
    const texts = await Promise.all(
      first.map(async ({ history }) => {
        const model = scripted([assistantMessage('done')]);
        const stored = JSON.parse(JSON.stringify(history)) as typeof history;
        await run(hookedAgent(client, model, [read()]), [...stored, { role: 'user', content: 'And now?' }]);
        return JSON.stringify(model.lastCall?.request.input);
      }),
    );
    expect(texts.map((each) => ['about a', 'about b'].map((part) => each.includes(part)))).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe('two runs with one context whose calls have the same id', () => {
  test('a deny of one call is not lost if the other is allowed meanwhile', async () => {
    // Both calls are reviewed before either runs.
    let open = () => {};
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    let count = 0;
    const denies = async ({ tool_name }: Input) => {
      count += 1;
      if (count === 2) open();
      await both;
      return tool_name === 'delete' ? { decision: 'deny', reason: 'never' } : {};
    };
    await withFunctions({ BeforeTool: [denies as never] }, async ({ client }) => {
      const tools = ['read', 'delete'].map((name) => recordingTool(name));
      const context = new RunContext({});
      const models = await Promise.all(
        tools.map(async ({ tool: made }) => {
          const model = scripted([call(made.name, made.name)], [assistantMessage('done')]);
          await run(hookedAgent(client, model, [made], { approvals: 'framework' }), 'go', { context });
          return model;
        }),
      );
      expect(tools.map(({ inputs }) => inputs)).toEqual([[{ path: 'read' }], []]);
      expect(models.map(resultsRead)).toEqual([{ call_0: 'text of read' }, { call_0: 'never' }]);
    });
  });

  test('a question about one call is not an approval of the other', async () => {
    await withFunctions({ BeforeTool: [() => ({ decision: 'ask', reason: 'sure?' }) as never] }, async ({ client }) => {
      const context = new RunContext({});
      const script = () => scripted([call('read', 'a')], [assistantMessage('done')]);
      const asking = recordingTool('read', 'text', { needsApproval: true });
      // The other run is interrupted between the model and the tool.
      const needsApproval = async (_context: unknown) => {
        const { interruptions } = await run(hookedAgent(client, script(), [asking.tool]), 'go', { context });
        expect(interruptions).toHaveLength(1);
        return false;
      };
      const read = recordingTool('read', 'text', { needsApproval });
      const model = script();
      await run(hookAgent(client, new Agent({ name: 'Bob', model, tools: [read.tool] })), 'go', { context });
      expect([read.inputs, asking.inputs]).toEqual([[], []]);
      expect(resultsRead(model)).toEqual({ call_0: expect.stringContaining('no user could be asked') });
    });
  });

  test.each([1, 2])('of two equal calls, of which one is denied, none runs: call %i', async (denied) => {
    let open = () => {};
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    let count = 0;
    const deniesOne = async () => {
      count += 1;
      const isDenied = count === denied;
      if (count === 2) open();
      await both;
      return isDenied ? { decision: 'deny', reason: 'never' } : {};
    };
    await withFunctions({ BeforeTool: [deniesOne as never] }, async ({ client }) => {
      const read = recordingTool('read');
      const context = new RunContext({});
      const models = await Promise.all(
        [1, 2].map(async () => {
          const model = scripted([call('read', 'a')], [assistantMessage('done')]);
          await run(hookedAgent(client, model, [read.tool], { approvals: 'framework' }), 'go', { context });
          return model;
        }),
      );
      expect([read.inputs, count]).toEqual([[], 2]);
      expect(models.map(resultsRead)).toEqual([{ call_0: 'never' }, { call_0: 'never' }]);
    });
  });

  test('a question about one of two equal calls is not one about the other, which is permitted', async () => {
    let count = 0;
    const asksOnce = () => {
      count += 1;
      return count === 1 ? { decision: 'ask', reason: 'sure?' } : {};
    };
    await withFunctions({ BeforeTool: [asksOnce as never] }, async ({ client }) => {
      const read = recordingTool('read');
      const context = new RunContext({});
      for (const _ of [1, 2]) {
        const model = scripted([call('read', 'a')], [assistantMessage('done')]);
        await run(hookedAgent(client, model, [read.tool], { approvals: 'framework' }), 'go', { context });
      }
      expect(read.inputs).toEqual([{ path: 'a' }]);
    });
  });

  test('an approval of an equal call of each of two agents counts for both', async () => {
    await withFunctions({ BeforeTool: [() => ({ decision: 'ask', reason: 'sure?' }) as never] }, async ({ client }) => {
      const read = recordingTool('read');
      const context = new RunContext({});
      for (const _ of [1, 2]) {
        const agent = hookedAgent(client, scripted([call('read', 'a')], [assistantMessage('done')]), [read.tool], {
          approvals: 'framework',
        });
        const { state, interruptions } = await run(agent, 'go', { context });
        state.approve(interruptions[0]!);
        await run(agent, state);
      }
      expect(read.inputs).toEqual([{ path: 'a' }, { path: 'a' }]);
    });
  });

  test('a stop of one conversation is not lost if the other makes a call with its id', async () => {
    const stops = (input: Input) => (pathOf(input) === 'stop' ? { continue: false, stopReason: 'enough' } : {});
    await withFunctions({ BeforeTool: [stops as never] }, async ({ client }) => {
      const context = new RunContext({});
      const other = hookedAgent(client, scripted([call('read', 'b')], [assistantMessage('second')]), [recordingTool('read').tool]);
      let text = '';
      const gate = gateTool(async () => {
        text = String((await run(other, 'go', { context })).finalOutput);
      });
      const model = scripted([call('read', 'stop'), call('gate', 'g', 'call_1')], [assistantMessage('unwanted')]);
      const { finalOutput } = await run(hookedAgent(client, model, [recordingTool('read').tool, gate]), 'go', { context });
      expect([finalOutput, text]).toEqual(['enough', 'second']);
    });
  });

  test('an approval of a call of one agent does not answer a question about an equal call of another', async () => {
    await withFunctions({ BeforeTool: [() => ({ decision: 'ask', reason: 'sure?' }) as never] }, async ({ client }) => {
      const context = new RunContext({});
      const script = () => scripted([call('read', 'a')], [assistantMessage('done')]);
      const asking = recordingTool('read', 'text', { needsApproval: true });
      const agent = hookedAgent(client, script(), [asking.tool]);
      const { state, interruptions } = await run(agent, 'go', { context });
      state.approve(interruptions[0]!);
      const read = recordingTool('read', 'text', { needsApproval: async (_context: unknown) => false });
      const model = script();
      await run(hookAgent(client, new Agent({ name: 'Bob', model, tools: [read.tool] })), 'go', { context });
      expect(resultsRead(model)).toEqual({ call_0: expect.stringContaining('no user could be asked') });
      await run(agent, state);
      expect([read.inputs, asking.inputs]).toEqual([[], [{ path: 'a' }]]);
    });
  });

  test('an approval of a call does not answer the question about an equal call of a later run', async () => {
    await withFunctions({ BeforeTool: [() => ({ decision: 'ask', reason: 'sure?' }) as never] }, async ({ client }) => {
      const context = new RunContext({});
      const read = recordingTool('read');
      const model = scripted([call('read', 'a')], [assistantMessage('done')], [call('read', 'a')], [assistantMessage('done')]);
      const agent = hookedAgent(client, model, [read.tool], { approvals: 'framework' });
      const { state, interruptions } = await run(agent, 'go', { context });
      state.approve(interruptions[0]!);
      await run(agent, state);
      await run(agent, 'go', { context });
      expect(read.inputs).toEqual([{ path: 'a' }]);
      expect(resultsRead(model)).toEqual({ call_0: expect.stringContaining('no user could be asked') });
    });
  });
});

test('a tool that failed after an approval may run again with it', async () => {
  await withFunctions({ BeforeTool: [() => ({ decision: 'ask', reason: 'sure?' }) as never] }, async ({ client }) => {
    let count = 0;
    const execute = async () => {
      count += 1;
      if (count === 1) throw new Error('not now');
      return 'text';
    };
    const read = recordingTool('read', 'text', { execute, errorFunction: null });
    const model = scripted([call('read', 'a')], [assistantMessage('done')]);
    const agent = hookedAgent(client, model, [read.tool], { approvals: 'framework' });
    const { state, interruptions } = await run(agent, 'go');
    state.approve(interruptions[0]!);
    await expect(run(agent, state)).rejects.toThrow('not now');
    await run(agent, state);
    expect([count, resultsRead(model)]).toEqual([2, { call_0: 'text' }]);
  });
});
