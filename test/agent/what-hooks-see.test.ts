import {
  acceptPromptWithHooks,
  callModelWithHooks,
  createHookClient,
  executeToolWithHooks,
  type HookClientOptions,
  startSessionWithHooks,
  type ToolCall,
  type ToolInput,
  type ToolResult,
} from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import { createHooks, type Hooks } from 'tenterhook';
import { recordingTool, withCommands } from '../support/agent.js';
import { settingsOf } from '../support/fire-hooks.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';
import { testRedaction } from './redaction.js';

describe('fields of the client', () => {
  const call = { name: 'run_shell', input: { command: 'ls' } };
  const seen = (read: (file: string) => string | undefined) => JSON.parse(read('seen.json') ?? '{}');

  test('fields of a client are in every event next to its own, which win', async () => {
    const fields = { agent: 'plan', tool_name: 'another', source: 'resume' };
    await withCommands(
      { BeforeTool: ['cat > seen.json'], SessionStart: ['cat > seen.json'] },
      async ({ client, read }) => {
        await executeToolWithHooks(client, { ...call, ...recordingTool() });
        expect(seen(read)).toMatchObject({ agent: 'plan', tool_name: 'run_shell', tool_input: { command: 'ls' } });
        await startSessionWithHooks(client, 'startup');
        expect(seen(read)).toMatchObject({ agent: 'plan', source: 'startup' });
        const cleared = { source: 'clear', agent: undefined } as const;
        await client.fire('SessionStart', cleared);
        expect(seen(read)).toMatchObject({ agent: 'plan', source: 'clear' });
      },
      { fields },
    );
  });

  test('a function is asked at each event, and a field of the system is not overridden', async () => {
    let agent = 'plan';
    await withCommands(
      { BeforeTool: ['cat > seen.json'] },
      async ({ client, read }) => {
        await executeToolWithHooks(client, { ...call, ...recordingTool() });
        expect(seen(read)).toMatchObject({ agent: 'plan', session_id: 's1', hook_event_name: 'BeforeTool' });
        agent = 'code';
        await executeToolWithHooks(client, { ...call, ...recordingTool() });
        expect(seen(read)).toMatchObject({ agent: 'code' });
      },
      { fields: () => ({ agent, session_id: 'mine', hook_event_name: 'X' }) },
    );
  });

  test('several chats are a client each over one system, each with its session and its tools', async () => {
    const hooks: Hooks = await createHooks({ settings: settingsOf('BeforeTool', ['cat']) });
    const [one, two] = ['chat-1', 'chat-2'].map((session_id) => createHookClient(hooks, { fields: { session_id } }));
    if (one === undefined || two === undefined) throw new Error('there are two');
    const shown = async (client: typeof one, name: string) => {
      const { before } = await executeToolWithHooks(client, { ...call, name, ...recordingTool() });
      const { session_id, recent_tools } = JSON.parse(before?.outcomes[0]?.stdout ?? '{}');
      return [session_id, recent_tools];
    };
    expect(await shown(one, 'a')).toEqual(['chat-1', []]);
    expect(await shown(two, 'b')).toEqual(['chat-2', []]);
    expect(await shown(one, 'c')).toEqual(['chat-1', ['a']]);
    await hooks.dispose();
  });

  test.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('no mode');
      },
    ],
    ['gives no object', () => 'plan' as never],
    ['gives a list', () => [] as never],
    ['gives a promise', () => Promise.resolve({}) as never],
    ['gives what is not JSON', () => ({ agent: 5n }) as never],
  ])('a function that %s does not open a guard: the tool does not run, whatever onUnavailable says', async (_, fields) => {
    const tool = recordingTool();
    await withCommands(
      { BeforeTool: ['exit 2'] },
      async ({ client }) => {
        const outcome = await executeToolWithHooks(client, { ...call, ...tool });
        expect(outcome).toMatchObject({ status: 'blocked', before: { success: false } });
      },
      { fields, onUnavailable: 'allow' },
    );
    expect(tool.calls).toEqual([]);
  });

  test('over a bus alone they are sent along', async () => {
    const bus = new MessageBus();
    const inputs: unknown[] = [];
    bus.respond('HOOK_EXECUTION_REQUEST', ({ input }) => {
      inputs.push(input);
      return { success: false, error: { code: 'internal_error', message: 'not today' } };
    });
    await createHookClient(bus, { fields: { agent: 'plan' } }).fire('HostStart', {});
    expect(inputs).toEqual([{ agent: 'plan' }]);
    await bus.close();
  });

  test('an invalid input stays invalid, and is refused', async () => {
    await withCommands(
      { HostStart: ['true'] },
      async ({ client }) => {
        for (const input of [null, [], 'x']) {
          const { success, errors } = await client.fire('HostStart', input as never);
          expect([success, errors[0]?.code]).toEqual([false, 'invalid_request']);
        }
      },
      { fields: { agent: 'plan' } },
    );
  });

  test.each([{ fields: 'plan' }, { fields: null }, { fields: [] }, { fields: 7 }])('the options %j are refused', async (options) => {
    const bus = new MessageBus();
    const expected = /createHookClient: fields must be an object, or a function that returns one, and is /;
    expect(() => createHookClient(bus, options as unknown as HookClientOptions)).toThrow(expected);
    expect(() => createHookClient(bus, { field: {} } as HookClientOptions)).toThrow(
      'its options are onUnavailable, local, hedge, timeoutMs, fields, onWake',
    );
    await bus.close();
  });
});

testRedaction(['genai']);

describe('what hooks cannot see', () => {
  const refuses = 'echo no >&2; exit 2';
  const watches = 'cat > seen.json';

  /** An input that is nested too deep for JSON.stringify. */
  function deep(): ToolInput {
    return { command: 'rm -rf /', x: JSON.parse(`${'['.repeat(6000)}${']'.repeat(6000)}`) };
  }

  const cyclic: ToolInput = { command: 'rm' };
  cyclic['self'] = cyclic;

  describe('an input that hooks cannot be shown is not carried out, whatever onUnavailable says', () => {
    test.each<[string, Partial<ToolCall>]>([
      ['a list', { input: ['rm'] as never }],
      ['none', { input: undefined as never }],
      ['a text', { input: 'rm' as never }],
      ['a BigInt', { input: { size: 1n } }],
      ['a circle', { input: cyclic }],
      ['too deep for JSON', { input: deep() }],
      ['a tool without a name', { name: 7 as never }],
      ['an MCP context without a server', { mcpContext: {} as never }],
    ])('a tool call with %s', async (_, odd) => {
      const tool = recordingTool();
      await withCommands({ BeforeTool: [refuses] }, async ({ client }) => {
        const outcome = await executeToolWithHooks(client, { name: 'run_shell', input: { command: 'ls' }, execute: tool.execute, ...odd });
        expect(outcome).toMatchObject({
          status: 'blocked',
          reason: expect.stringMatching(/validation_failed|invalid_request|tool_input.*JSON|deeper than 200/),
        });
      });
      expect(tool.calls).toEqual([]);
    });

    test('a prompt that is not a text', async () => {
      await withCommands({ BeforeAgent: [refuses] }, async ({ client }) => {
        expect(await acceptPromptWithHooks(client, { prompt: [{ text: 'hi' }] as never })).toMatchObject({ status: 'blocked' });
      });
    });

    test('a request that its translator shows wrongly', async () => {
      let called = false;
      const translator = { ...plainTranslator(), toHookRequest: () => ({ messages: 'hi' }) as never };
      await withCommands({ BeforeModel: [watches] }, async ({ client }) => {
        const call = () => {
          called = true;
          return {};
        };
        expect(await callModelWithHooks(client, { request: {}, translator, call })).toMatchObject({ status: 'blocked' });
      });
      expect(called).toBe(false);
    });

    test.each(['Ask', 'DENY', '', true])('an approval other than the three (%p) is a no', async (approval) => {
      const tool = recordingTool();
      await withCommands({}, async ({ client }) => {
        const outcome = await executeToolWithHooks(client, {
          name: 'run_shell',
          input: {},
          execute: tool.execute,
          approval: approval as never,
        });
        expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('approval') });
      });
      expect(tool.calls).toEqual([]);
    });
  });

  describe('what hooks were shown is what runs', () => {
    test('though the caller changes its input meanwhile', async () => {
      const tool = recordingTool();
      const input: ToolInput = { command: 'ls' };
      await withCommands({ BeforeTool: [watches] }, async ({ client, read }) => {
        const running = executeToolWithHooks(client, { name: 'run_shell', input, execute: tool.execute });
        input['command'] = 'rm -rf /';
        await running;
        expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ tool_input: { command: 'ls' } });
      });
      expect(tool.calls).toEqual([{ command: 'ls' }]);
    });

    test('though the asker changes the question', async () => {
      const tool = recordingTool();
      await withCommands({ BeforeTool: [`echo '{"decision":"ask"}'`] }, async ({ client }) => {
        await executeToolWithHooks(client, {
          name: 'run_shell',
          input: { command: 'ls' },
          execute: tool.execute,
          ask: (question) => {
            (question.input as ToolInput)['command'] = 'rm';
            return 'allow';
          },
        });
      });
      expect(tool.calls).toEqual([{ command: 'ls' }]);
    });

    test('and AfterTool receives what the tool got, not what it made of it', async () => {
      const execute = (input: ToolInput): ToolResult => {
        input['command'] = 'changed';
        return { llmContent: 'done' };
      };
      await withCommands({ AfterTool: [watches] }, async ({ client, read }) => {
        await executeToolWithHooks(client, { name: 'run_shell', input: { command: 'ls' }, execute });
        expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ tool_input: { command: 'ls' } });
      });
    });
  });

  describe('a host that throws what has no text, or reads as nothing', () => {
    const odd: [string, () => ToolResult][] = [
      [
        'an object without a prototype',
        () => {
          throw Object.create(null);
        },
      ],
      [
        'a result whose content throws',
        () =>
          Object.defineProperty({} as ToolResult, 'llmContent', {
            enumerable: true,
            get() {
              throw new Error('unreadable');
            },
          }),
      ],
    ];
    test.each(odd)('%s is a failure, and AfterTool hears of it', async (_, execute) => {
      await withCommands({ AfterTool: [watches] }, async ({ client, read }) => {
        const outcome = await executeToolWithHooks(client, { name: 'run_shell', input: {}, execute });
        expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringMatching(/\w/) });
        expect(read('seen.json')).toContain('tool_response');
      });
    });

    test.each([['no'], [[null]], [7]])('a schema whose issues are %p could not be applied', async (issues) => {
      const tool = recordingTool();
      const schema = { '~standard': { validate: () => ({ issues }) as never } };
      await withCommands({}, async ({ client }) => {
        const outcome = await executeToolWithHooks(client, { name: 'run_shell', input: {}, execute: tool.execute, schema });
        expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('could not be applied') });
      });
      expect(tool.calls).toEqual([]);
    });
  });

  test('a tool selection that fails closed leaves no tool', async () => {
    const guard = { name: 'guard', command: 'exit 1', onError: 'block' };
    await withCommands({ BeforeToolSelection: [guard] }, async ({ client }) => {
      const request: PlainRequest = { tools: ['read_file', 'write_file'] };
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), call: () => ({ text: 'hi' }) });
      expect(outcome.toolSelection).toMatchObject({ mode: 'NONE', allowedFunctionNames: [], by: [expect.stringContaining('guard')] });
      const tool = recordingTool();
      const refused = await executeToolWithHooks(client, {
        name: 'read_file',
        input: {},
        execute: tool.execute,
        toolSelection: outcome.toolSelection,
      });
      expect(refused).toMatchObject({ status: 'blocked', reason: expect.stringContaining('guard') });
      expect(tool.calls).toEqual([]);
    });
  });
});
