import { Agent, type AgentInputItem, type Model, type ModelRequest, Runner, run, type StreamEvent, Usage } from '@openai/agents';
import { HookEngine, HookResponse } from '@tenterhook/handlers';
import { z } from 'zod';
import { withClient, withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { type HookAgentOptions, hookAgent, hookedModelProvider, runWithHooks } from '../src/index.js';
import { assistantMessage, callingModel, functionCall, hookedAgent, recordingTool, resultsRead, runHooked, scripted } from './scene.js';

const readA = ['read', { path: 'a' }, 'c1'] as const;
const request = (llm_request: object) => says({ hookSpecificOutput: { llm_request } });
const response = (llm_response: object) => says({ hookSpecificOutput: { llm_response } });

/** A conversation with reasoning and a call, as the user of the next run continues it. */
const history: AgentInputItem[] = [
  { role: 'system', content: 'use metres' },
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'what is this?' },
      { type: 'input_image', image: 'https://a.test/a.png' },
    ],
  },
  { type: 'reasoning', id: 'rs1', content: [] },
  { type: 'function_call', callId: 'c0', name: 'read', arguments: '{"path":"a"}' },
  { type: 'function_call_result', callId: 'c0', name: 'read', status: 'completed', output: { type: 'text', text: 'text of a' } },
  { type: 'reasoning', id: 'rs2', content: [] },
  assistantMessage('It is a cat.'),
  { role: 'user', content: 'and now?' },
];

describe('O5: BeforeModel', () => {
  const answering = () => scripted([assistantMessage('done')]);

  test('hooks see texts; a changed text, the system text and the temperature change nothing else', async () => {
    const changes = `node -e "
      const r = JSON.parse(require('fs').readFileSync(0)).llm_request;
      require('fs').writeFileSync('seen.json', JSON.stringify(r));
      r.messages[0].content += ', and kind'; r.messages[3].content = 'It is a dog.';
      console.log(JSON.stringify({ hookSpecificOutput: { llm_request: { messages: r.messages, config: { temperature: 0.5 } } } }));"`;
    await withCommands({ BeforeModel: [changes] }, async ({ client, read }) => {
      const model = answering();
      const agent = new Agent({ name: 'Ada', instructions: 'be brief', model, modelSettings: { topP: 0.9 } });
      await run(hookAgent(client, agent), history);
      expect(JSON.parse(read('seen.json') ?? '{}')).toMatchObject({
        messages: [
          { role: 'system', content: 'be brief' },
          { role: 'system', content: 'use metres' },
          { role: 'user', content: 'what is this?' },
          { role: 'model', content: 'It is a cat.' },
          { role: 'user', content: 'and now?' },
        ],
        config: { topP: 0.9 },
      });
      const sent = model.firstCall?.request as ModelRequest;
      expect(sent.systemInstructions).toBe('be brief, and kind');
      expect(sent.modelSettings).toMatchObject({ temperature: 0.5, topP: 0.9 });
      expect(sent.input).toEqual(history.with(6, assistantMessage('It is a dog.')));
    });
  });

  test('a hook gives the answer: the model is not called, and its counts are those of a model', async () => {
    await withCommands({ BeforeModel: [response({ text: 'cached' })] }, async ({ client }) => {
      const model = scripted();
      const result = await runHooked(client, model, []);
      expect([result.finalOutput, model.calls.length]).toEqual(['cached', 0]);
      expect(result.rawResponses[0]?.usage).toBeInstanceOf(Usage);
    });
  });

  test('a deny is the answer', async () => {
    await withCommands({ BeforeModel: [says({ decision: 'deny', reason: 'too dear' })] }, async ({ client }) => {
      const model = scripted();
      expect((await runHooked(client, model, [])).finalOutput).toBe('too dear');
      expect(model.calls).toEqual([]);
    });
  });

  test('a text is not an answer of an agent that answers with JSON, so the reason is an error', async () => {
    await withCommands({ BeforeModel: [says({ decision: 'deny', reason: 'too dear' })] }, async ({ client }) => {
      const agent = new Agent({ name: 'Ada', model: scripted(), outputType: z.object({ a: z.number() }) });
      await expect(run(hookAgent(client, agent), 'go')).rejects.toThrow('too dear');
    });
  });
});

describe('O6: AfterModel', () => {
  test('a text changes, and what the service sent is nowhere', async () => {
    await withCommands({ AfterModel: [response({ text: 'the key is ***' })] }, async ({ client }) => {
      const secret = assistantMessage('the key is opensesame', { providerData: { id: 'm1' } });
      const model = scripted({
        type: 'response',
        response: { usage: new Usage(), output: [secret], providerData: { output: ['the key is opensesame'] } },
      });
      const result = await runHooked(client, model, []);
      expect(result.finalOutput).toBe('the key is ***');
      expect(JSON.stringify([result.state, result.rawResponses, result.history])).not.toContain('opensesame');
    });
  });

  test('a call that a hook takes away does not run', async () => {
    const candidates = [{ content: { role: 'model', parts: ['no call'] } }];
    await withCommands({ AfterModel: [response({ candidates })] }, async ({ client }) => {
      const [read, model] = [recordingTool('read'), callingModel(readA)];
      const result = await runHooked(client, model, [read.tool]);
      expect([result.finalOutput, read.inputs, model.calls.length]).toEqual(['no call', [], 1]);
    });
  });

  test('a message of a hook for everyone is a note that the model reads behind the next result', async () => {
    const notes = `cat >> after.json; echo >> after.json; ${says({ systemMessage: 'be careful' })}`;
    await withCommands({ AfterModel: [notes], BeforeTool: ['true'] }, async ({ client, read: file }) => {
      const model = callingModel(readA);
      await runHooked(client, model, [recordingTool('read').tool]);
      const [first] = (file('after.json') ?? '').split('\n');
      expect(JSON.parse(first ?? '{}')).toMatchObject({ tool_calls: [{ name: 'read', args: { path: 'a' } }] });
      expect(resultsRead(model)).toEqual({ c1: expect.stringMatching(/^text of read\n\n[\s\S]*be careful/) });
    });
  });
});

describe('O7: a stream', () => {
  /** Events of a model that says a text in two pieces, and what the reader of the run had received at each. */
  const pieces = (text: string): StreamEvent[] => [
    { type: 'response_started' },
    { type: 'output_text_delta', delta: text.slice(0, 3) },
    { type: 'output_text_delta', delta: text.slice(3) },
    { type: 'response_done', response: { id: 'r1', usage: new Usage() as never, output: [assistantMessage(text)] } },
  ];
  const streaming = (text: string) => scripted({ type: 'stream', events: pieces(text) });

  async function readStream(agent: Agent<never, never> | Agent) {
    const stream = await run(agent as Agent, 'go', { stream: true });
    const events: StreamEvent[] = [];
    for await (const event of stream) if (event.type === 'raw_model_stream_event') events.push(event.data as StreamEvent);
    await stream.completed;
    const deltas = events.flatMap((event) => (event.type === 'output_text_delta' ? [event.delta] : []));
    return { stream, events, deltas };
  }

  test('is held until the hooks have answered: no delta comes before, and an unchanged answer has the very pieces', async () => {
    const order: string[] = [];
    const hook = () => {
      order.push('hook');
      return {};
    };
    await withFunctions({ AfterModel: [hook as never] }, async ({ client }) => {
      const agent = hookedAgent(client, streaming('the key is opensesame'), []);
      const stream = await run(agent, 'go', { stream: true });
      const deltas: string[] = [];
      for await (const event of stream) {
        if (event.type !== 'raw_model_stream_event' || event.data.type !== 'output_text_delta') continue;
        order.push('delta');
        deltas.push(event.data.delta);
      }
      expect(order).toEqual(['hook', 'delta', 'delta']);
      expect(deltas).toEqual(['the', ' key is opensesame']);
    });
  });

  test('a changed answer is written anew, as one piece', async () => {
    await withCommands({ AfterModel: [response({ text: 'the key is ***' })] }, async ({ client }) => {
      const { stream, events, deltas } = await readStream(hookedAgent(client, streaming('the key is opensesame'), []));
      expect([deltas, stream.finalOutput]).toEqual([['the key is ***'], 'the key is ***']);
      expect(JSON.stringify([events, stream.state])).not.toContain('opensesame');
    });
  });

  test('observe: pieces come at once, the hooks receive the whole answer before its end, and a change has no effect', async () => {
    const order: string[] = [];
    const heard: { text: string }[] = [];
    const hook = ({ llm_response }: { llm_response?: { text?: string } }) => {
      order.push(`hook: ${llm_response?.text}`);
      return { hookSpecificOutput: { hookEventName: 'AfterModel', llm_response: { text: '***' } } };
    };
    await withFunctions({ AfterModel: [hook as never] }, async ({ client }) => {
      const options: HookAgentOptions = { afterModel: 'observe', onMessage: (message) => heard.push(message) };
      const stream = await run(hookedAgent(client, streaming('the key'), [], options), 'go', { stream: true });
      for await (const event of stream) {
        if (event.type === 'raw_model_stream_event') order.push(event.data.type);
      }
      expect(order).toEqual(['response_started', 'output_text_delta', 'output_text_delta', 'hook: the key', 'response_done']);
      expect(stream.finalOutput).toBe('the key');
      expect(heard).toEqual([{ text: expect.stringContaining('no_effect'), audience: 'user', eventName: 'AfterModel' }]);
    });
  });

  test('with hooks before the model only, the pieces pass at once', async () => {
    await withCommands({ BeforeModel: [request({ config: { temperature: 0.5 } })] }, async ({ client }) => {
      const model = streaming('the key');
      const { deltas } = await readStream(hookedAgent(client, model, []));
      expect([deltas, model.lastCall?.request.modelSettings.temperature]).toEqual([['the', ' key'], 0.5]);
    });
  });

  test('an answer of a hook, a deny and a stop are streams too', async () => {
    for (const [hook, text] of [
      [response({ text: 'cached' }), 'cached'],
      [says({ decision: 'deny', reason: 'no' }), 'no'],
      [says({ continue: false, stopReason: 'enough' }), 'enough'],
    ] as const) {
      await withCommands({ BeforeModel: [hook] }, async ({ client }) => {
        const { stream, deltas } = await readStream(hookedAgent(client, scripted(), []));
        expect([deltas, stream.finalOutput]).toEqual([[text], text]);
      });
    }
  });

  test('a failure of the model is thrown on as the same object, and nothing of the answer is shown', async () => {
    const failure = new RangeError('lost');
    const failing = async function* (): AsyncGenerator<StreamEvent> {
      yield* pieces('the key').slice(0, 2);
      throw failure;
    };
    await withCommands({ AfterModel: ['true'] }, async ({ client }) => {
      const agent = hookedAgent(client, scripted({ type: 'stream', events: failing() }), []);
      const stream = await run(agent, 'go', { stream: true });
      const events: string[] = [];
      const read = async () => {
        for await (const event of stream) events.push(event.type);
      };
      await expect(read()).rejects.toBe(failure);
      expect(events).not.toContain('raw_model_stream_event');
    });
  });
});

describe('O8: a tool selection', () => {
  const selects = says({ hookSpecificOutput: { toolConfig: { mode: 'AUTO', allowedFunctionNames: ['read'] } } });

  test('filters the tools that the model is offered, and a call of another tool is refused', async () => {
    await withCommands({ BeforeToolSelection: [selects] }, async ({ client }) => {
      const [read, write] = [recordingTool('read'), recordingTool('write')];
      const model = callingModel(readA, ['write', { path: 'b' }, 'c2']);
      await runHooked(client, model, [read.tool, write.tool]);
      expect(model.firstCall?.request.tools.map(({ name }) => name)).toEqual(['read']);
      expect([read.inputs, write.inputs]).toEqual([[{ path: 'a' }], []]);
      expect(resultsRead(model)).toEqual({ c1: 'text of read', c2: expect.stringContaining('allows only read for this request') });
    });
  });

  test.each([
    [{ mode: 'NONE' }, [], undefined],
    [{ mode: 'ANY', allowedFunctionNames: ['write'] }, ['write'], 'required'],
  ])('%j', async (toolConfig, tools, choice) => {
    await withCommands({ BeforeToolSelection: [says({ hookSpecificOutput: { toolConfig } })] }, async ({ client }) => {
      const model = scripted([assistantMessage('done')]);
      await runHooked(client, model, [recordingTool('read').tool, recordingTool('write').tool]);
      expect(model.firstCall?.request.tools.map(({ name }) => name)).toEqual(tools);
      expect(model.firstCall?.request.modelSettings.toolChoice).toBe(choice);
    });
  });
});

describe('O9: a stop', () => {
  const stops = says({ continue: false, stopReason: 'enough' });

  test.each([
    ['BeforeTool', 1, []],
    ['AfterTool', 1, [{ path: 'a' }]],
    ['BeforeModel', 0, []],
    ['AfterModel', 1, []],
  ] as const)('of %s ends the run without another model call, and the answer is its reason', async (eventName, calls, inputs) => {
    await withCommands({ [eventName]: [stops] }, async ({ client }) => {
      const [read, model] = [recordingTool('read'), callingModel(readA)];
      const result = await runHooked(client, model, [read.tool]);
      expect([result.finalOutput, model.calls.length, read.inputs]).toEqual(['enough', calls, inputs]);
    });
  });

  test('the next run of the conversation is free again', async () => {
    await withCommands({ AfterTool: [`[ -e done ] || { touch done; ${stops}; }`] }, async ({ client }) => {
      const model = callingModel(readA);
      const agent = hookedAgent(client, model, [recordingTool('read').tool]);
      const first = await run(agent, 'go');
      expect(first.finalOutput).toBe('enough');
      const second = await run(agent, [...first.history, { role: 'user', content: 'go on' }]);
      expect([second.finalOutput, model.calls.length]).toEqual(['done', 2]);
    });
  });

  test('if the run ended without another model call, the stop does not reach the next run', async () => {
    await withCommands({ AfterTool: [`[ -e done ] || { touch done; ${stops}; }`] }, async ({ client }) => {
      const model = callingModel(readA);
      const tools = [recordingTool('read').tool];
      const agent = hookAgent(client, new Agent({ name: 'Ada', model, tools, toolUseBehavior: 'stop_on_first_tool' }));
      const first = await run(agent, 'go');
      expect([first.finalOutput, model.calls.length]).toEqual(['text of read', 1]);
      const second = await run(agent, [...first.history, { role: 'user', content: 'go on' }]);
      expect([second.finalOutput, model.calls.length]).toEqual(['done', 2]);
    });
  });

  test('without a hooked model the user is notified that it has no effect', async () => {
    await withCommands({ AfterTool: [stops] }, async ({ client }) => {
      const heard: object[] = [];
      const model = callingModel(readA);
      const agent = new Agent({ name: 'Ada', model: 'named', tools: [recordingTool('read').tool] });
      hookAgent(client, agent, { onMessage: (message) => heard.push(message) });
      const result = await new Runner({ modelProvider: { getModel: () => model } }).run(agent, 'go');
      expect(result.finalOutput).toBe('done');
      expect(heard).toEqual([{ text: expect.stringContaining('no_effect'), audience: 'user', eventName: 'AfterTool' }]);
    });
  });
});

describe('O17: agents that name their model', () => {
  const named = () => new Agent({ name: 'Ada', model: 'm-1', tools: [recordingTool('read').tool] });
  const seesName = 'cat > seen.json';

  test('have model events in a runner with a hooked provider', async () => {
    await withCommands({ BeforeModel: [seesName] }, async ({ client, read }) => {
      const model = scripted([assistantMessage('done')]);
      const runner = new Runner({ modelProvider: hookedModelProvider(client, { getModel: () => model }) });
      await runner.run(named(), 'go');
      expect(JSON.parse(read('seen.json') ?? '{}')).toMatchObject({ llm_request: { model: 'm-1' } });
    });
  });

  test('have them through runWithHooks, with the settings and events of its runner', async () => {
    await withCommands({ BeforeModel: [seesName] }, async ({ client, read }) => {
      const model = callingModel(readA);
      const runner = new Runner({ modelProvider: { getModel: async () => model }, modelSettings: { temperature: 0.3 } });
      const started: string[] = [];
      runner.on('agent_start', (_context, agent) => started.push(agent.name));
      const result = await runWithHooks(client, named(), 'go', { runner });
      expect([result.finalOutput, started]).toEqual(['done', ['Ada']]);
      expect(model.firstCall?.request.modelSettings.temperature).toBe(0.3);
      expect(JSON.parse(read('seen.json') ?? '{}')).toMatchObject({ llm_request: { model: 'm-1', config: { temperature: 0.3 } } });
    });
  });

  test('the model of the runner’s settings is hooked too, and once', async () => {
    await withCommands({ BeforeModel: ['echo x >> fired'] }, async ({ client, read }) => {
      const runner = new Runner({ model: scripted([assistantMessage('done')]) });
      await runWithHooks(client, new Agent({ name: 'Ada' }), 'go', { runner });
      expect(read('fired')).toBe('x\n');
    });
  });
});

describe('O16: without hooks', () => {
  test('the app’s functions receive the very arguments, their results are returned as they are, and nothing is on the bus', async () => {
    await withCommands({}, async ({ client, progress }) => {
      const read = recordingTool('read');
      const agent = hookedAgent(client, callingModel(readA), [read.tool]);
      const original = read.tool.invoke;
      const promise = Promise.resolve({ n: 1 });
      const passed: unknown[] = [];
      read.tool.invoke = ((...args: unknown[]) => {
        passed.push(...args);
        return promise;
      }) as typeof original;
      const [context, details] = [{} as never, {} as never];
      const [hooked] = (await agent.getAllTools(context)) as [typeof read.tool];
      expect(hooked.invoke(context, '{"path":"a"}', details)).toBe(promise);
      expect(passed).toEqual([context, '{"path":"a"}', details]);
      expect([passed[0], passed[2]]).toEqual([context, details]);
      expect(hooked.needsApproval).toBe(read.tool.needsApproval);
      expect((await agent.getAllTools(context))[0]).toBe(hooked);
      await run(agent, 'go');
      expect(progress).toEqual([]);
    });
  });

  test('the model’s own promise and stream are returned', async () => {
    await withCommands({}, async ({ client }) => {
      const [answer, events] = [Promise.resolve({ usage: new Usage(), output: [] }), { [Symbol.asyncIterator]: () => ({}) as never }];
      const own: Model = { getResponse: () => answer, getStreamedResponse: () => events };
      const agent = hookAgent(client, new Agent({ name: 'Ada', model: own }));
      const hooked = agent.model as Model;
      expect(hooked.getResponse({ input: 'hi' } as never)).toBe(answer);
      expect(hooked.getStreamedResponse({ input: 'hi' } as never)).toBe(events);
      expect(Object.keys(hooked)).toEqual(Object.keys(own));
    });
  });

  test('a hook that is added while the model answers counts for its calls', async () => {
    const engine = new HookEngine();
    await withClient({ settings: {}, handlers: [engine] }, async ({ client }) => {
      const read = recordingTool('read');
      const answer = () => {
        engine.register({ id: 'late', event_type: 'pre_tool_use' });
        engine.register_handler('late', { handle: () => HookResponse.block('no') });
        return [functionCall('read', { path: 'a' }, { callId: 'c1' })];
      };
      const model = scripted({ type: 'responder', respond: answer }, [assistantMessage('done')]);
      await runHooked(client, model, [read.tool]);
      expect([read.inputs, resultsRead(model)]).toEqual([[], { c1: 'no' }]);
    });
  });
});

test('O16 an answer that cannot be read rejects the run, and nothing else', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    await withCommands({ BeforeTool: ['true'] }, async ({ client }) => {
      const model = { getResponse: async () => undefined } as unknown as Model;
      await expect(run(hookAgent(client, new Agent({ name: 'Ada', model })), 'go')).rejects.toThrow();
      // Node reports rejections after the microtasks.
      await new Promise((end) => setImmediate(end));
    });
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

test('O9 with `observe`, a stop of AfterModel counts, although the call that the model made has hooks of its own', async () => {
  const stops = says({ continue: false, stopReason: 'enough' });
  await withCommands({ AfterModel: [stops], BeforeTool: ['true'] }, async ({ client }) => {
    const model = callingModel(readA);
    const agent = hookedAgent(client, model, [recordingTool('read').tool], { afterModel: 'observe' });
    const result = await run(agent, 'go', { stream: true });
    await result.completed;
    expect([model.calls.length, result.finalOutput]).toEqual([1, 'enough']);
  });
});
