import { withHooks } from '@tenterhook/ai-sdk';
import { deny, withFunctions } from '../../../test/support/function-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { type Generated, outputIn, type Version, withApprovals } from './support/versions.js';

type Client = Parameters<typeof withHooks>[0];
type Hook = (input: Record<string, unknown>) => { decision?: 'ask' | 'allow' | 'deny'; reason?: string };

const framework = { approvals: 'framework' } as const;
const asks: Hook = () => ({ decision: 'ask', reason: 'sure?' });
const question = [{ role: 'user', content: 'Read.' }];

/** Fires like a hook that changes its mind: each answer in turn, and the last one again. */
function inTurn(...hooks: readonly Hook[]) {
  const inputs: Record<string, unknown>[] = [];
  const hook: Hook = (input) => {
    inputs.push(input);
    return hooks[Math.min(inputs.length, hooks.length) - 1]!(input);
  };
  return { hook, inputs };
}

/** A conversation that is stored as JSON between its runs, and continued by new objects. */
function conversation({ generate, model: script, name }: Version, client: Client, tool: object, own: object = {}) {
  const run = async (messages: readonly object[], turns: Parameters<Version['model']>[0], options: object = framework) => {
    const model = script(turns);
    const settings = withHooks(client, { model, tools: { read_file: { ...tool } }, messages, ...own }, options);
    return { model, result: await generate(settings) };
  };
  return {
    run,
    start: async () => {
      const { result } = await run(question, [{ calls: [readCall('c1')] }]);
      return { result, request: requestIn(result), history: JSON.parse(JSON.stringify([...question, ...messagesOf(result)])) as object[] };
    },
    resume: async (history: readonly object[], approvalId: unknown, approved: boolean) => {
      const response = { type: 'tool-approval-response', approvalId, approved };
      return run([...history, { role: 'tool', content: [response] }], [{ text: 'Done.' }]);
    },
    isV7: name === 'v7',
  };
}

function messagesOf(result: Generated): readonly object[] {
  return result.responseMessages ?? result.response.messages;
}

function requestIn(result: Generated): Record<string, unknown> | undefined {
  return result.content.find(({ type }) => type === 'tool-approval-request');
}

describe.each(withApprovals)('$name', (version) => {
  test('A13: a question suspends the run, and an approval in a new object runs the tool; BeforeTool is fired once a request', async () => {
    const { hook, inputs: fired } = inTurn(asks);
    const notified: unknown[] = [];
    const notify = (input: Record<string, unknown>) => {
      notified.push([input['notification_type'], input['message'], input['details']]);
      return {};
    };
    await withFunctions({ BeforeTool: [hook], Notification: [notify] }, async ({ client }) => {
      const { tool, inputs } = recordedTool('text of a');
      const { start, resume, isV7 } = conversation(version, client, tool);
      const { result, request, history } = await start();
      expect([inputs, fired.length, result.finishReason]).toEqual([[], 1, 'tool-calls']);
      expect(request).toMatchObject({ toolCall: { toolCallId: 'c1', input: { path: 'a.txt' } }, ...(isV7 ? { reason: 'sure?' } : {}) });
      expect(notified).toEqual([
        ['ToolPermission', 'read_file needs confirmation. sure?', { tool_name: 'read_file', tool_input: { path: 'a.txt' } }],
      ]);
      const { model, result: done } = await resume(history, request?.['approvalId'], true);
      expect([inputs, fired.length, notified.length, done.text]).toEqual([[{ path: 'a.txt' }], 2, 1, 'Done.']);
      expect(outputIn(model.requests[0], 'c1')).toMatchObject({ type: 'text', value: 'text of a' });
    });
  });

  test('A13: an approval in another process, which has only the messages, runs the tool', async () => {
    const { tool, inputs } = recordedTool();
    let stored: Awaited<ReturnType<ReturnType<typeof conversation>['start']>> | undefined;
    await withFunctions({ BeforeTool: [asks] }, async ({ client }) => {
      stored = await conversation(version, client, tool).start();
    });
    await withFunctions({ BeforeTool: [asks] }, async ({ client }) => {
      await conversation(version, client, tool).resume(stored!.history, stored!.request?.['approvalId'], true);
      expect(inputs).toEqual([{ path: 'a.txt' }]);
    });
  });

  test('A13: the user denies', async () => {
    await withFunctions({ BeforeTool: [asks] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const { start, resume } = conversation(version, client, tool);
      const { request, history } = await start();
      const { model } = await resume(history, request?.['approvalId'], false);
      expect(inputs).toEqual([]);
      expect(outputIn(model.requests[0], 'c1')).toMatchObject({ type: 'execution-denied' });
    });
  });

  test('A13: a hook that denies when the run continues wins over the approval, and the model reads its reason', async () => {
    const { hook } = inTurn(asks, () => deny('the file has changed') as never);
    await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const { start, resume } = conversation(version, client, tool);
      const { request, history } = await start();
      const { model } = await resume(history, request?.['approvalId'], true);
      expect(inputs).toEqual([]);
      expect(JSON.stringify(outputIn(model.requests[0], 'c1'))).toContain('the file has changed');
    });
  });

  test('A13: an approval does not count for another input', async () => {
    await withFunctions({ BeforeTool: [asks] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const { start, resume } = conversation(version, client, tool);
      const { request, history } = await start();
      const forged = JSON.parse(JSON.stringify(history).replaceAll('a.txt', 'b.txt')) as object[];
      const { model } = await resume(forged, request?.['approvalId'], true);
      expect(inputs).toEqual([]);
      expect(JSON.stringify(outputIn(model.requests[0], 'c1'))).toContain('no user could be asked');
    });
  });

  test('A13: what hooks deny at once is denied without a question', async () => {
    const { hook, inputs: fired } = inTurn(() => deny('private') as never);
    await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const received: object[] = [];
      const onMessage = (message: object) => received.push(message);
      const { run } = conversation(version, client, tool);
      const { model, result } = await run(question, [{ calls: [readCall('c1')] }], { ...framework, onMessage });
      expect([inputs, fired.length, result.text, received]).toEqual([[], 1, 'Done.', []]);
      expect(JSON.stringify(outputIn(model.requests[1], 'c1'))).toContain('private');
    });
  });

  test('A13: a stop in an approval callback ends the run', async () => {
    const stops = () => ({ continue: false, stopReason: 'enough' });
    await withFunctions({ BeforeTool: [stops] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const { run } = conversation(version, client, tool);
      const { model, result } = await run(question, [{ calls: [readCall('c1')] }, { text: 'Unwanted.' }]);
      expect([inputs, result.text, model.requests.length]).toEqual([[], 'enough', 1]);
    });
  });

  test('A13: calls that hooks let pass run at once, and BeforeTool is fired once', async () => {
    const { hook, inputs: fired } = inTurn(() => ({}));
    await withFunctions({ BeforeTool: [hook], AfterTool: [() => ({})] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const { run } = conversation(version, client, tool);
      const { result } = await run(question, [{ calls: [readCall('c1'), readCall('c2')] }]);
      expect([inputs.length, fired.map((input) => input['tool_use_id']), result.text]).toEqual([2, ['c1', 'c2'], 'Done.']);
    });
  });

  describe("A14: the app's own rule", () => {
    const rules: [string, (tool: object) => { tool: object; own?: object }][] = [
      ['needsApproval: true', (tool) => ({ tool: { ...tool, needsApproval: true } })],
      ['needsApproval: a function', (tool) => ({ tool: { ...tool, needsApproval: async () => true } })],
    ];
    if (version.name === 'v7') {
      rules.push(
        ['a map toolApproval', (tool) => ({ tool, own: { toolApproval: { read_file: 'user-approval' } } })],
        ['a function toolApproval', (tool) => ({ tool, own: { toolApproval: () => ({ type: 'user-approval' }) } })],
      );
    }

    test.each(rules)('%s stays if hooks do not decide, and an allow loosens it', async (_, rule) => {
      const seen: unknown[] = [];
      const answers: Hook[] = [() => ({}), () => ({ decision: 'allow' })];
      for (const answer of answers) {
        const hook: Hook = (input) => {
          seen.push(input['approval']);
          return answer(input);
        };
        await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
          const { tool, inputs } = recordedTool();
          const { tool: ruled, own } = rule(tool);
          const { run } = conversation(version, client, ruled, own);
          const { result } = await run(question, [{ calls: [readCall('c1')] }]);
          const isAllowed = answer !== answers[0];
          expect([requestIn(result) === undefined, inputs.length]).toEqual(isAllowed ? [true, 1] : [false, 0]);
        });
      }
      expect(seen).toEqual(['ask', 'ask']);
    });

    test.each(rules)('%s works without hooks as without the adapter', async (_, rule) => {
      await withFunctions({}, async ({ client }) => {
        const { tool, inputs } = recordedTool();
        const { tool: ruled, own } = rule(tool);
        const { start, resume } = conversation(version, client, ruled, own);
        const { request, history } = await start();
        expect(inputs).toEqual([]);
        await resume(history, request?.['approvalId'], true);
        expect(inputs).toEqual([{ path: 'a.txt' }]);
      });
    });

    test.each(rules)('%s: an approval runs the tool although hooks do not decide', async (_, rule) => {
      await withFunctions({ BeforeTool: [() => ({})] }, async ({ client }) => {
        const { tool, inputs } = recordedTool();
        const { tool: ruled, own } = rule(tool);
        const { start, resume } = conversation(version, client, ruled, own);
        const { request, history } = await start();
        await resume(history, request?.['approvalId'], true);
        expect(inputs).toEqual([{ path: 'a.txt' }]);
      });
    });

    if (version.name === 'v7') {
      test.each([
        ['a map', { read_file: { type: 'denied', reason: 'by rule' } }],
        ['a function', () => ({ type: 'denied', reason: 'by rule' })],
      ])('a deny of %s stands, and hooks are not asked', async (_, toolApproval) => {
        const { hook, inputs: fired } = inTurn(() => ({ decision: 'allow' }));
        await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
          const { tool, inputs } = recordedTool();
          const { run } = conversation(version, client, tool, { toolApproval });
          const { model } = await run(question, [{ calls: [readCall('c1')] }]);
          expect([inputs, fired]).toEqual([[], []]);
          expect(outputIn(model.requests[1], 'c1')).toMatchObject({ type: 'execution-denied', reason: 'by rule' });
        });
      });
    }
  });
});

describe.each(withApprovals)('$name', ({ agent: makeAgent, model: script }) => {
  test('settings that prepareCall and withHooks pass again ask the hooks once', async () => {
    const { hook, inputs: fired } = inTurn(() => ({}));
    const after = inTurn(() => ({}));
    await withFunctions({ BeforeTool: [hook], AfterTool: [after.hook], BeforeModel: [() => ({})] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const received: object[] = [];
      const options = { ...framework, onMessage: (message: object) => received.push(message) };
      const model = script([{ calls: [readCall('c1')] }]);
      const tools = { read_file: tool, confirm: { inputSchema: tool.inputSchema } };
      const prepareCall = (args: { tools: object }) => ({ ...args, tools: { ...args.tools, list: tool } });
      const settings = withHooks(client, { model, tools, prepareCall } as never, options);
      const agent = makeAgent(withHooks(client, settings, options));
      for (const prompt of ['Read.', 'Read again.']) await agent.generate({ prompt });
      // Each call of withHooks reports the tool without `execute`, and prepareCall does not report it again.
      expect([inputs.length, fired.length, after.inputs.length, received.length]).toEqual([1, 1, 1, 2]);
    });
  });
});
