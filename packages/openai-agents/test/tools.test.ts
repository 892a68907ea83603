import { RunContext, run } from '@openai/agents';
import { HookEngine } from '@tenterhook/handlers';
import type { CreateHooksOptions } from 'tenterhook';
import { withClient, withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { specific, withFunctions } from '../../../test/support/function-hooks.js';
import {
  assistantMessage,
  callingModel,
  functionCall,
  hookedAgent,
  recordingTool,
  results,
  resultsRead,
  runHooked,
  scripted,
} from './scene.js';

const readA = ['read', { path: 'a' }, 'c1'] as const;
const deny = (tool: string) => `grep -q '"tool_name":"${tool}"' && { echo "no ${tool}" >&2; exit 2; }; true`;

describe('O1: a deny', () => {
  test('the denied call does not run, the model reads the reason, and the call beside it runs', async () => {
    await withCommands({ BeforeTool: [deny('write')] }, async ({ client }) => {
      const [read, write] = [recordingTool('read'), recordingTool('write')];
      const model = callingModel(readA, ['write', { path: 'b' }, 'c2']);
      const result = await runHooked(client, model, [read.tool, write.tool]);
      expect(result.finalOutput).toBe('done');
      expect([read.inputs, write.inputs]).toEqual([[{ path: 'a' }], []]);
      expect(resultsRead(model)).toEqual({ c1: 'text of read', c2: 'no write' });
    });
  });

  test('a tool with an output schema has no form for a refusal but its error', async () => {
    await withCommands({ BeforeTool: [deny('read')] }, async ({ client }) => {
      const strict = recordingTool(
        'read',
        { a: 1 },
        { outputSchema: { type: 'object', properties: {}, required: [], additionalProperties: true } },
      );
      await expect(runHooked(client, callingModel(readA), [strict.tool])).rejects.toThrow('no read');
      expect(strict.inputs).toEqual([]);
    });
  });
});

describe('O2: a rewrite', () => {
  const rewrites = (tool_input: object) => says({ hookSpecificOutput: { tool_input } });

  test('the tool receives the input as hooks rewrote it', async () => {
    await withCommands({ BeforeTool: [rewrites({ path: 'b' })] }, async ({ client }) => {
      const read = recordingTool('read');
      await runHooked(client, callingModel(readA), [read.tool]);
      expect(read.inputs).toEqual([{ path: 'b' }]);
    });
  });

  test.each([
    [{ path: 4 }, 'path: must be string'],
    [{ path: 'b', mode: 'x' }, 'mode: is not a field of the tool'],
  ])('%j does not match the schema: the reason names the hook', async (input, problem) => {
    await withCommands({ BeforeTool: [{ name: 'rewriter', command: rewrites(input) }] }, async ({ client }) => {
      const read = recordingTool('read');
      const model = callingModel(readA);
      await runHooked(client, model, [read.tool]);
      expect(read.inputs).toEqual([]);
      expect(resultsRead(model)['c1']).toMatch(/^The input as rewritten by hook ".*rewriter.*" does not match/);
      expect(resultsRead(model)['c1']).toContain(problem);
    });
  });

  test('an input of the model that does not match is answered by the SDK, as without hooks', async () => {
    await withCommands({ BeforeTool: ['true'] }, async ({ client }) => {
      const read = recordingTool('read');
      const steps = () => callingModel(['read', { path: 4 }, 'c1']);
      const [model, plain] = [steps(), steps()];
      await runHooked(client, model, [read.tool]);
      await withCommands({}, ({ client: idle }) => runHooked(idle, plain, [read.tool]));
      expect(resultsRead(model)).toEqual(resultsRead(plain));
      expect(read.inputs).toEqual([]);
    });
  });
});

describe('O3: redaction', () => {
  test.each([
    ['a text', 'the key is opensesame'],
    ['an object', { key: 'opensesame' }],
    ['parts', [{ type: 'text', text: 'the key is opensesame' }]],
  ])('%s that a hook replaced is in no item, no history, no state and no request', async (_, secret) => {
    const redacts = () => ({ hookSpecificOutput: { hookEventName: 'AfterTool', updatedToolOutput: 'the key is ***' } });
    await withFunctions({ AfterTool: [redacts as never] }, async ({ client }) => {
      const read = recordingTool('read', secret);
      const model = callingModel(readA);
      const result = await runHooked(client, model, [read.tool]);
      expect(read.inputs).toHaveLength(1);
      const everywhere = [result.newItems, result.history, result.state, model.calls.map(({ request }) => ({ ...request, signal: null }))];
      expect(JSON.stringify(everywhere)).not.toContain('opensesame');
      expect(resultsRead(model)).toEqual({ c1: 'the key is ***' });
    });
  });

  const claude = says({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'the key is ***' } });
  const gemini = says({ decision: 'deny', reason: 'the key is ***' });
  const engine = new HookEngine();
  engine.register({ id: 'redacts', event_type: 'post_tool_use' });
  engine.register_handler('redacts', { handle: () => ({ action: 'Continue', modified: { output: 'the key is ***' } }) });

  test.each<[string, CreateHooksOptions]>([
    [
      'of Claude Code’s format',
      { dialect: 'claude-code', settings: { hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: claude }] }] } } },
    ],
    [
      'of Gemini CLI’s format',
      { dialect: 'gemini-cli', settings: { hooks: { AfterTool: [{ hooks: [{ type: 'command', command: gemini }] }] } } },
    ],
    ['that is a handler', { settings: {}, handlers: [engine] }],
  ])('a hook %s', async (_, options) => {
    await withClient(options, async ({ client }) => {
      const read = recordingTool('read', 'the key is opensesame');
      const model = callingModel(readA);
      const result = await runHooked(client, model, [read.tool]);
      expect(resultsRead(model)['c1']).toMatch(/^the key is \*\*\*/);
      expect(JSON.stringify([result.state, result.newItems, result.history])).not.toContain('opensesame');
    });
  });

  test('the text of an error that the tool throws', async () => {
    const redacts = () => ({ hookSpecificOutput: { hookEventName: 'AfterTool', updatedToolOutput: 'no key' } });
    await withFunctions({ AfterTool: [redacts as never] }, async ({ client }) => {
      const failing = recordingTool('read', new Error('the key is opensesame'), { errorFunction: null });
      const error = await runHooked(client, callingModel(readA), [failing.tool]).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain('no key');
      expect(JSON.stringify([error, String(error), String((error as { error?: unknown }).error)])).not.toContain('opensesame');
    });
  });
});

describe('O4: context and objections', () => {
  const adds = says({ hookSpecificOutput: { additionalContext: 'house rule' } });

  test('the model reads them after the result', async () => {
    await withCommands({ AfterTool: [adds, says({ decision: 'deny', reason: 'too long' })] }, async ({ client }) => {
      const model = callingModel(readA);
      await runHooked(client, model, [recordingTool('read').tool]);
      expect(resultsRead(model)['c1']).toMatch(/^text of read\n\n[\s\S]*house rule[\s\S]*too long/);
    });
  });

  test('a list of parts gets a part', async () => {
    await withCommands({ AfterTool: [adds] }, async ({ client }) => {
      const model = callingModel(readA);
      await runHooked(client, model, [recordingTool('read', [{ type: 'text', text: 'hi' }]).tool]);
      expect(resultsRead(model)['c1']).toMatchObject([{ type: 'input_text', text: 'hi' }, { text: expect.stringContaining('house rule') }]);
    });
  });

  test('an object keeps its type for the app, and the model reads the texts in each later request', async () => {
    await withCommands({ AfterTool: [adds] }, async ({ client }) => {
      const model = scripted(
        [functionCall('read', { path: 'a' }, { callId: 'c1' })],
        [functionCall('read', { path: 'b' }, { callId: 'c2' })],
        [assistantMessage('done')],
      );
      const result = await runHooked(client, model, [recordingTool('read', { n: 1 }).tool]);
      const outputs = result.newItems.flatMap((item) => (item.type === 'tool_call_output_item' ? [item.output] : []));
      expect(outputs).toEqual([{ n: 1 }, { n: 1 }]);
      expect(resultsRead(model)).toEqual({
        c1: expect.stringMatching(/^\{"n":1\}\n\n[\s\S]*house rule/),
        c2: expect.stringMatching(/^\{"n":1\}\n\n[\s\S]*house rule/),
      });
      expect(JSON.stringify(result.history)).not.toContain('house rule');
    });
  });

  test('a message of a hook for everyone is a note for the model, and the app receives all messages', async () => {
    const heard: object[] = [];
    await withCommands({ BeforeTool: [says({ systemMessage: 'be careful' })] }, async ({ client }) => {
      const model = callingModel(readA);
      await runHooked(client, model, [recordingTool('read').tool], {
        onMessage: (message) => {
          heard.push(message);
          throw new Error('is ignored');
        },
      });
      expect(resultsRead(model)['c1']).toContain('be careful');
      expect(heard).toEqual([{ text: 'be careful', audience: 'everyone', eventName: 'BeforeTool' }]);
    });
  });
});

describe('O12: a tool that throws', () => {
  test('and has no error function: the same object comes out, and AfterTool receives its text', async () => {
    const failure = new RangeError('disk full');
    await withCommands({ AfterTool: ['cat > after.json'] }, async ({ client, read }) => {
      const failing = recordingTool('read', failure, { errorFunction: null });
      const error = await runHooked(client, callingModel(readA), [failing.tool]).catch((thrown: unknown) => thrown);
      expect((error as { error: unknown }).error).toBe(failure);
      expect(JSON.parse(read('after.json') ?? '{}')).toMatchObject({ tool_response: { llmContent: 'disk full' } });
    });
  });

  test('is answered by its error function, as without hooks, and AfterTool receives this answer', async () => {
    await withCommands({ BeforeTool: ['true'], AfterTool: ['cat > after.json'] }, async ({ client, read }) => {
      const failing = recordingTool('read', new RangeError('disk full'), {
        errorFunction: (_: unknown, error: Error) => `sorry: ${error.message}`,
      });
      const [model, plain] = [callingModel(readA), callingModel(readA)];
      await runHooked(client, model, [failing.tool]);
      await withCommands({}, ({ client: idle }) => runHooked(idle, plain, [failing.tool]));
      expect(resultsRead(model)).toEqual(resultsRead(plain));
      expect(JSON.parse(read('after.json') ?? '{}')).toMatchObject({ tool_response: { llmContent: 'sorry: disk full' } });
    });
  });

  test('and its time limit is enforced around the tool alone, without the time of hooks', async () => {
    await withCommands({ BeforeTool: ['true'] }, async ({ client }) => {
      const endless = recordingTool('read', new Promise(() => {}), { timeoutMs: 20 });
      const model = callingModel(readA);
      const agent = hookedAgent(client, model, [endless.tool]);
      const [hooked] = await agent.getAllTools(new RunContext());
      expect([hooked?.name, hooked]).toEqual(['read', expect.not.objectContaining({ timeoutMs: 20 })]);
      await run(agent, 'go');
      expect(resultsRead(model)['c1']).toContain('timed out');
    });
  });
});

test('a call whose arguments are not an object does not run', async () => {
  await withCommands({ BeforeTool: ['true'] }, async ({ client }) => {
    const inputs: string[] = [];
    const raw = { ...recordingTool('read').tool, invoke: async (_context: unknown, input: string) => String(inputs.push(input)) };
    const model = scripted([functionCall('read', '["a"]', { callId: 'c1' })], [assistantMessage('done')]);
    await run(hookedAgent(client, model, [raw]), 'go');
    expect(inputs).toEqual([]);
    expect(resultsRead(model)).toEqual({ c1: 'read did not run: its input is not a JSON object.' });
  });
});

test('results of a stream are the same', async () => {
  await withCommands({ BeforeTool: [deny('write')] }, async ({ client }) => {
    const model = callingModel(readA, ['write', { path: 'b' }, 'c2']);
    const agent = hookedAgent(client, model, [recordingTool('read').tool, recordingTool('write').tool]);
    const stream = await run(agent, 'go', { stream: true });
    await stream.completed;
    expect(results(stream.history)).toEqual({ c1: 'text of read', c2: 'no write' });
  });
});

describe('a stream that is passed on, because no hooks of model events exist', () => {
  test('ends with a stop, and no message says that it has no effect', async () => {
    await withFunctions({ BeforeTool: [() => ({ continue: false, stopReason: 'enough' }) as never] }, async ({ client }) => {
      const heard: string[] = [];
      const agent = hookedAgent(client, callingModel(readA), [recordingTool('read').tool], { onMessage: ({ text }) => heard.push(text) });
      const stream = await run(agent, 'go', { stream: true });
      await stream.completed;
      expect([stream.finalOutput, heard]).toEqual(['enough', []]);
    });
  });

  test('the app receives the value of a tool, and the model reads context after it, also in a later run', async () => {
    const adds = () => specific({ additionalContext: 'house rule' }) as never;
    await withFunctions({ AfterTool: [adds] }, async ({ client }) => {
      const read = recordingTool('read', { value: 1 }).tool;
      const [model, later] = [callingModel(readA), scripted([assistantMessage('done')])];
      const stream = await run(hookedAgent(client, model, [read]), 'go', { stream: true });
      await stream.completed;
      expect(results(stream.history)).toEqual({ c1: '{"value":1}' });
      const history = JSON.parse(JSON.stringify(stream.history)) as typeof stream.history;
      await run(hookedAgent(client, later, [read]), [...history, { role: 'user', content: 'And now?' }]);
      for (const { lastCall } of [model, later]) expect(JSON.stringify(lastCall?.request.input)).toContain('house rule');
    });
  });
});
