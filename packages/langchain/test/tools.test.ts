import { type AIMessage, ToolMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import type { HookOutput } from '@tenterhook/protocol';
import { createAgent, createMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { deny, specific, withFunctions } from '../../../test/support/function-hooks.js';
import type { AdapterMessage } from '../../agent/src/adapters/adapter-messages.js';
import { agentOf, call, recordingTools, requestOf, resultOf, scripted, textsOf } from './scene.js';

const both = [call('write_file', { path: '/etc/passwd' }, 'c1'), call('read_file', { path: 'a' }, 'c2')];
const deniesWrites = {
  command: `grep -q '"write_file"' && { echo 'not in /etc' >&2; exit 2; }; true`,
};

test('L1 of two parallel calls one is denied, and the other runs', async () => {
  await withCommands({ BeforeTool: [deniesWrites] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const model = scripted(both, 'done');
    const result = await agentOf(client, model, { tools }).run('go');
    expect(ran).toEqual(['read_file {"path":"a"}']);
    expect(resultOf(result, 'c1')).toMatchObject({ status: 'error', content: 'not in /etc', name: 'write_file' });
    expect(requestOf(model, 1).slice(-2)).toEqual(['tool: not in /etc', 'tool: content of a']);
    expect(textsOf(result).at(-1)).toBe('ai: done');
  });
});

test('L2 a tool receives the input that a hook rewrote; the history has the input of the model', async () => {
  await withCommands({ BeforeTool: [says({ hookSpecificOutput: { tool_input: { path: 'b' } } })] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const result = await agentOf(client, scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), { tools }).run('go');
    expect(ran).toEqual(['read_file {"path":"b"}']);
    expect(resultOf(result, 'c1').content).toBe('content of b');
    expect((result.messages[1] as AIMessage).tool_calls).toMatchObject([{ args: { path: 'a' } }]);
  });
});

const jsonSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

test.each([
  ['zod', z.object({ path: z.string() }), /The input as rewritten by hook "[^"]+" does not match the tool's schema: path/],
  ['a JSON Schema', jsonSchema, /The input was rewritten by hook "[^"]+"\. Error invoking tool 'read_file'/],
])('L2 a rewritten input that does not match %s names the hook, and the tool does not run', async (_kind, schema, message) => {
  await withCommands({ BeforeTool: [says({ hookSpecificOutput: { tool_input: { path: 7 } } })] }, async ({ client }) => {
    const ran: unknown[] = [];
    const read = tool((args: unknown) => ran.push(args), { name: 'read_file', description: 'reads', schema } as never);
    const result = await agentOf(client, scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), { tools: [read] }).run('go');
    expect(ran).toEqual([]);
    expect(resultOf(result, 'c1')).toMatchObject({ status: 'error', content: expect.stringMatching(message) });
  });
});

const redacts = (output: unknown) => ({ AfterTool: [() => specific({ updatedToolOutput: output }) as HookOutput] });

test.each([
  ['text', 'redacted', 'redacted'],
  ['fields', { llmContent: 'redacted' }, 'redacted'],
  ['JSON', { llmContent: { kept: 1 } }, '{"kept":1}'],
])(
  'L3 what a hook replaced by %s is nowhere: not in the state, in no stream, not in the next request; the artifact is gone',
  async (_, output, content) => {
    await withFunctions(redacts(output), async ({ client }) => {
      const { tools } = recordingTools({ show: () => ['the key is K-1', { secret: 'K-1' }] });
      const start = { messages: [{ role: 'user', content: 'go' }] };
      const model = () => scripted([call('show', {}, 'c1')], 'done');
      const first = model();
      const result = await agentOf(client, first, { tools }).run('go');
      expect(resultOf(result, 'c1').content).toBe(content);
      expect(resultOf(result, 'c1').artifact).toBeUndefined();
      expect(JSON.stringify([result, first.calls.map(({ messages }) => messages)])).not.toContain('K-1');
      for (const streamMode of ['messages', 'updates', 'values'] as const) {
        const chunks: unknown[] = [];
        for await (const chunk of await agentOf(client, model(), { tools }).agent.stream(start, { streamMode })) chunks.push(chunk);
        expect(JSON.stringify(chunks)).toContain(JSON.stringify(content).slice(1, -1));
        expect(JSON.stringify(chunks)).not.toContain('K-1');
      }
    });
  },
);

test('L3 hooks of Claude Code and of Gemini CLI redact too', async () => {
  const claude = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'gone' } };
  const gemini = { decision: 'deny', reason: 'gone' };
  const { createHooks, claudeCode, geminiCli } = await import('tenterhook');
  const { createHookClient } = await import('@tenterhook/agent');
  for (const [dialect, event, output] of [
    [claudeCode(), 'PostToolUse', claude],
    [geminiCli(), 'AfterTool', gemini],
  ] as const) {
    const hook = { type: 'command', command: `echo '${JSON.stringify(output)}'` };
    await using hooks = await createHooks({ dialects: [dialect], settings: { hooks: { [event]: [{ matcher: '.*', hooks: [hook] }] } } });
    const { tools } = recordingTools();
    const result = await agentOf(createHookClient(hooks), scripted([call('read_file', { path: 'K-1' }, 'c1')], 'done'), { tools }).run(
      'go',
    );
    expect([dialect.name, resultOf(result, 'c1').content]).toEqual([dialect.name, 'gone']);
  }
});

test('L4 context of hooks and the objection of AfterTool follow a text, and a list of parts; the artifact stays', async () => {
  const context = { hookSpecificOutput: { additionalContext: 'be careful' } };
  await withFunctions(
    { BeforeTool: [() => context], AfterTool: [() => ({ ...deny('too long'), systemMessage: 'noted' })] },
    async ({ client }) => {
      const parts = [{ type: 'text', text: 'part' }];
      const { tools } = recordingTools({ show: (() => [parts, { id: 7 }]) as never });
      const model = scripted([call('read_file', { path: 'a' }, 'c1'), call('show', {}, 'c2')], 'done');
      const received: AdapterMessage[] = [];
      const result = await agentOf(client, model, { tools, options: { onMessage: (message) => received.push(message) } }).run('go');
      const texts = '<hook_context>\nbe careful\n</hook_context>\ntoo long';
      const note = '<hook_context>\nnoted\n</hook_context>';
      expect(resultOf(result, 'c1').content).toBe(`content of a\n\n${texts}\n\n${note}`);
      expect(resultOf(result, 'c2').content).toEqual([...parts, { type: 'text', text: texts }, { type: 'text', text: note }]);
      expect(resultOf(result, 'c2').artifact).toEqual({ id: 7 });
      expect(received).toContainEqual({ text: 'noted', audience: 'everyone', eventName: 'AfterTool' });
      // The model reads it in each later request, because it is a part of the history.
      expect(requestOf(model, 1).at(-2)).toContain('too long');
    },
  );
});

/** The fields of a message apart from the id, which differs in each run. */
const fieldsOf = (message: ToolMessage) => ({ ...message.toDict().data, id: undefined });

class Unlikely extends RangeError {}

const failures: readonly [string, () => unknown][] = [
  [
    'an error',
    () => {
      throw new Unlikely('boom');
    },
  ],
  [
    'a text',
    () => {
      throw 'boom';
    },
  ],
];

test.each(failures)('L10 %s that a tool throws is the message of an agent without the middleware', async (_kind, fails) => {
  const run = async (middleware: readonly ReturnType<typeof createMiddleware>[]) => {
    const { tools } = recordingTools({ read_file: fails });
    const agent = createAgent({ model: scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), tools, middleware });
    return resultOf(await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }), 'c1');
  };
  const { hooksMiddleware } = await import('../src/index.js');
  const expected = await run([]);
  expect(expected.content).toContain('boom\n Please fix your mistakes.');
  for (const hooks of [{}, { BeforeTool: [() => ({})] }, { AfterTool: [() => ({})] }]) {
    await withFunctions(hooks, async ({ client }) => {
      expect(fieldsOf(await run([hooksMiddleware(client)]))).toEqual(fieldsOf(expected));
    });
  }
});

test('L10 arguments that do not match the schema likewise', async () => {
  const run = async (middleware: readonly ReturnType<typeof createMiddleware>[]) => {
    const { tools, ran } = recordingTools();
    const agent = createAgent({ model: scripted([call('read_file', { path: 7 }, 'c1')], 'done'), tools, middleware });
    const result = resultOf(await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }), 'c1');
    expect(ran).toEqual([]);
    // The message has the stack of the error.
    return { ...fieldsOf(result), content: String(result.content).split('\n')[0] };
  };
  const { hooksMiddleware } = await import('../src/index.js');
  const expected = await run([]);
  expect(expected.content).toMatch(/^Error invoking tool 'read_file'/);
  for (const hooks of [{}, { BeforeTool: [() => ({})] }, { AfterTool: [() => ({})] }]) {
    await withFunctions(hooks, async ({ client }) => expect(await run([hooksMiddleware(client)])).toEqual(expected));
  }
});

test('L10 hooks of AfterTool receive the error, and may extend or replace its message', async () => {
  const seen: unknown[] = [];
  const outputs = [() => ({ hookSpecificOutput: { additionalContext: 'try b' } }), () => specific({ updatedToolOutput: 'failed' })];
  for (const [place, output] of outputs.entries()) {
    const hook = (input: Record<string, unknown>) => {
      seen.push(input['tool_response']);
      return output() as HookOutput;
    };
    await withFunctions({ AfterTool: [hook] }, async ({ client }) => {
      const { tools } = recordingTools({ read_file: failures[0]![1] });
      const result = await agentOf(client, scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), { tools }).run('go');
      const extended = 'RangeError: boom\n Please fix your mistakes.\n\n<hook_context>\ntry b\n</hook_context>';
      expect(resultOf(result, 'c1')).toMatchObject({ status: 'error', content: [extended, 'failed'][place] });
    });
  }
  expect(seen).toMatchObject([{ error: { message: 'boom' } }, { error: { message: 'boom' } }]);
});

test('L16 a Command is shown as JSON and returned as it is; what hooks say goes into its tool messages', async () => {
  const seen: unknown[] = [];
  const commands: Command[] = [];
  const createTool = () =>
    recordingTools({
      show: ((_args: unknown, { toolCallId }: { toolCallId: string }) => {
        const message = new ToolMessage({ content: 'key K-1', tool_call_id: toolCallId, artifact: 'K-1', name: 'show' });
        const command = new Command({ update: { messages: [message], note: 'kept' } });
        commands.push(command);
        return command;
      }) as never,
    }).tools.map((each) => Object.assign(each, { responseFormat: 'content' }));
  const run = (hooks: Parameters<typeof withFunctions>[0]) =>
    withFunctions(hooks, async ({ client }) => {
      const returned: unknown[] = [];
      const watch = createMiddleware({
        name: 'watch',
        wrapToolCall: async (request, handler) => {
          const answer = await handler(request);
          returned.push(answer);
          return answer;
        },
      });
      const { hooksMiddleware } = await import('../src/index.js');
      const model = scripted([call('show', {}, 'c1')], 'done');
      const agent = createAgent({ model, tools: createTool(), middleware: [watch, hooksMiddleware(client)] });
      const result = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] });
      return { message: resultOf(result, 'c1'), returned: returned[0] };
    });
  const watched = await run({
    AfterTool: [
      (input) => {
        seen.push(input['tool_response']);
        return {};
      },
    ],
  });
  expect(JSON.stringify(seen)).toContain('key K-1');
  expect(watched.returned).toBe(commands[0]);
  const added = await run({ AfterTool: [() => ({ hookSpecificOutput: { additionalContext: 'more' } })] });
  expect(added.message.content).toBe('key K-1\n\n<hook_context>\nmore\n</hook_context>');
  expect((added.returned as Command).update).toMatchObject({ note: 'kept' });
  const redacted = await run(redacts('redacted'));
  expect(redacted.message).toMatchObject({ content: 'redacted' });
  expect(redacted.message.artifact).toBeUndefined();
});

test('L16 the run ends with the result of a returnDirect tool, also if a hook added context, and not if it was denied', async () => {
  for (const [output, last] of [
    [{ hookSpecificOutput: { additionalContext: 'more' } }, 'tool: content of a\n\n<hook_context>\nmore\n</hook_context>'],
    [deny('no'), 'ai: done'],
  ] as const) {
    await withFunctions({ BeforeTool: [() => output as HookOutput] }, async ({ client }) => {
      const tools = recordingTools().tools.map((each) => Object.assign(each, { returnDirect: each.name === 'read_file' }));
      const result = await agentOf(client, scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), { tools }).run('go');
      expect(textsOf(result).at(-1)).toBe(last);
    });
  }
});

test('a tool of an MCP server is shown with its server', async () => {
  const seen: unknown[] = [];
  const hook = (input: Record<string, unknown>) => {
    seen.push([input['tool_name'], input['mcp_context'], input['tool_use_id']]);
    return {};
  };
  await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
    const { tools } = recordingTools();
    const mcpServerOf = (name: string) => (name === 'read_file' ? 'files' : undefined);
    await agentOf(client, scripted(both, 'done'), { tools, options: { mcpServerOf } }).run('go');
  });
  expect(seen).toEqual([
    ['write_file', undefined, 'c1'],
    ['read_file', { server_name: 'files' }, 'c2'],
  ]);
});
