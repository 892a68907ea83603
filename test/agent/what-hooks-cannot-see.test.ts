import {
  acceptPromptWithHooks,
  callModelWithHooks,
  executeToolWithHooks,
  type ToolCall,
  type ToolInput,
  type ToolResult,
} from '@tenterhook/agent';
import { recordingTool, withCommands } from '../support/agent.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';

const refuses = 'echo no >&2; exit 2';
const watches = 'cat > seen.json';

/** Deeper than JSON.stringify can go. */
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
      expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringMatching(/validation_failed|invalid_request/) });
    });
    expect(tool.calls).toEqual([]);
  });

  test('a prompt that is no text', async () => {
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

  test.each(['Ask', 'DENY', '', true])('an approval that is none of the three (%p) is a no', async (approval) => {
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

  test('though whoever is asked changes the question', async () => {
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

  test('and AfterTool is told what the tool got, not what it made of it', async () => {
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
