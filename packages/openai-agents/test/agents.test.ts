import { Agent, handoff, type MCPServer, RunState, run, toolSearchTool } from '@openai/agents';
import { createHookClient } from '@tenterhook/agent';
import { withCommands } from '../../../test/support/agent.js';
import { hookAgent, hookedModelProvider, runWithHooks } from '../src/index.js';
import { assistantMessage, callingModel, functionCall, recordingTool, resultsRead, scripted } from './scene.js';

const denies = `echo "no" >&2; exit 2`;

describe('O13: handoffs', () => {
  test('the tools of the second agent are hooked, and a handoff is not a tool', async () => {
    await withCommands({ BeforeTool: [`cat >> fired.json; ${denies}`] }, async ({ client, read: file }) => {
      const read = recordingTool('read');
      const second = new Agent({ name: 'Bob', model: callingModel(['read', { path: 'a' }, 'c2']), tools: [read.tool] });
      const first = new Agent({
        name: 'Ada',
        model: scripted([functionCall('transfer_to_Bob', {}, { callId: 'c1' })]),
        handoffs: [second],
      });
      const result = await run(hookAgent(client, first), 'go');
      expect([result.lastAgent?.name, read.inputs]).toEqual(['Bob', []]);
      expect(resultsRead(second.model as never)).toMatchObject({ c2: 'no' });
      expect(file('fired.json')).not.toContain('transfer_to_Bob');
    });
  });

  test('a cycle of handoffs ends, also through a handoff object, and one that is added later is hooked too', async () => {
    await withCommands({ BeforeTool: [denies] }, async ({ client }) => {
      const read = recordingTool('read');
      const [first, second] = [new Agent({ name: 'Ada' }), new Agent({ name: 'Bob' })];
      first.handoffs = [handoff(second)];
      second.handoffs = [first];
      hookAgent(client, first);
      const later = new Agent({ name: 'Eve', model: callingModel(['read', { path: 'a' }, 'c2']), tools: [read.tool] });
      first.handoffs.push(later);
      first.model = scripted([functionCall('transfer_to_Eve', {}, { callId: 'c1' })]);
      await run(first, 'go');
      expect([read.inputs, resultsRead(later.model as never)]).toEqual([[], expect.objectContaining({ c2: 'no' })]);
    });
  });
});

test('a handoff that leads to another agent than it names', async () => {
  await withCommands({ BeforeTool: [denies] }, async ({ client }) => {
    const read = recordingTool('read');
    const actual = new Agent({ name: 'Eve', model: callingModel(['read', { path: 'a' }, 'c2']), tools: [read.tool] });
    const surprising = handoff(new Agent({ name: 'Bob' }));
    surprising.onInvokeHandoff = async () => actual as never;
    const model = scripted([functionCall('transfer_to_Bob', {}, { callId: 'c1' })]);
    await run(hookAgent(client, new Agent({ name: 'Ada', model, handoffs: [surprising] })), 'go');
    expect([read.inputs, resultsRead(actual.model as never)]).toEqual([[], expect.objectContaining({ c2: 'no' })]);
  });
});

test('a clone of a hooked agent is hooked', async () => {
  await withCommands({ BeforeTool: [denies] }, async ({ client }) => {
    const read = recordingTool('read');
    const model = callingModel(['read', { path: 'a' }, 'c1']);
    const copy = hookAgent(client, new Agent({ name: 'Ada', model, tools: [read.tool] })).clone({ name: 'Bob' });
    await run(copy, 'go');
    expect([read.inputs, resultsRead(model)]).toEqual([[], { c1: 'no' }]);
  });
});

test('an agent that is a tool is gated as a tool, and hooked by one line of its own', async () => {
  await withCommands({ BeforeTool: ['cat >> fired.json'] }, async ({ client, read: file }) => {
    const inner = new Agent({ name: 'Bob', model: callingModel(['read', { path: 'a' }, 'c2']), tools: [recordingTool('read').tool] });
    hookAgent(client, inner);
    const tools = [inner.asTool({ toolName: 'bob', toolDescription: 'asks Bob' })];
    const model = scripted([functionCall('bob', { input: 'read a' }, { callId: 'c1' })], [assistantMessage('done')]);
    await run(hookAgent(client, new Agent({ name: 'Ada', model, tools })), 'go');
    expect([...(file('fired.json') ?? '').matchAll(/"tool_name":"(\w+)"/g)].map(([, name]) => name)).toEqual(['bob', 'read']);
  });
});

test.each(['in memory', 'as JSON'])(
  'an interruption inside an agent that is a tool reaches the outer run, and goes on: %s',
  async (stored) => {
    const asks = `grep -q '"tool_name":"read"' && echo '{"decision":"ask","reason":"sure?"}'; true`;
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const read = recordingTool('read');
      const inner = new Agent({ name: 'Bob', model: callingModel(['read', { path: 'a' }, 'c2']), tools: [read.tool] });
      hookAgent(client, inner, { approvals: 'framework' });
      const tools = [inner.asTool({ toolName: 'bob', toolDescription: 'asks Bob' })];
      const model = scripted([functionCall('bob', { input: 'read a' }, { callId: 'c1' })], [assistantMessage('all done')]);
      const outer = hookAgent(client, new Agent({ name: 'Ada', model, tools }), { approvals: 'framework' });
      const first = await run(outer, 'go');
      expect([first.interruptions.map(({ name }) => name), read.inputs]).toEqual([['read'], []]);
      const state = stored === 'in memory' ? first.state : await RunState.fromString(outer, first.state.toString());
      for (const item of state.getInterruptions()) state.approve(item);
      const second = await run(outer, state as typeof first.state);
      expect([second.finalOutput, read.inputs]).toEqual(['all done', [{ path: 'a' }]]);
    });
  },
);

describe('O14: tools of MCP servers', () => {
  const server = (name: string, ...tools: string[]): MCPServer => ({
    name,
    cacheToolsList: false,
    connect: async () => {},
    close: async () => {},
    invalidateToolsCache: async () => {},
    listTools: async () =>
      tools.map((tool) => ({
        name: tool,
        description: tool,
        inputSchema: { type: 'object' as const, properties: {}, required: [], additionalProperties: false },
      })),
    callTool: async () => [{ type: 'text', text: `from ${name}` }] as never,
  });

  test.each([
    ['one server', [server('files', 'list')], 'files'],
    ['several servers', [server('other', 'stat'), server('files', 'list')], 'files'],
  ])('hooks read the name of the server: %s', async (_, mcpServers, expected) => {
    await withCommands({ BeforeTool: ['cat > before.json'] }, async ({ client, read }) => {
      const model = callingModel(['list', {}, 'c1']);
      await run(hookAgent(client, new Agent({ name: 'Ada', model, mcpServers })), 'go');
      expect(JSON.parse(read('before.json') ?? '{}')).toMatchObject({ tool_name: 'list', mcp_context: { server_name: expected } });
      expect(JSON.stringify(resultsRead(model))).toContain('from files');
    });
  });

  test('the app can say it, also of a function', async () => {
    await withCommands({ BeforeTool: [`cat > before.json; ${denies}`] }, async ({ client, read }) => {
      const model = callingModel(['read', { path: 'a' }, 'c1']);
      const agent = new Agent({ name: 'Ada', model, tools: [recordingTool('read').tool] });
      await run(hookAgent(client, agent, { mcpServerOf: (name) => (name === 'read' ? 'files' : undefined) }), 'go');
      expect(JSON.parse(read('before.json') ?? '{}')).toMatchObject({ mcp_context: { server_name: 'files' } });
      expect(resultsRead(model)).toEqual({ c1: 'no' });
    });
  });
});

describe('wrong use', () => {
  const agent = () => new Agent({ name: 'Ada' });

  test.each([
    ['no client', () => hookAgent(undefined as never, agent()), /first argument must be a client/],
    ['no agent', () => hookAgent(() => undefined as never, {} as never), /must be an Agent of "@openai\/agents"/],
    ['an unknown option', () => hookAgent(() => undefined as never, agent(), { asks: () => 'allow' } as never), /no option "asks".*"ask"/],
    ['a wrong option', () => hookAgent(() => undefined as never, agent(), { afterModel: 'later' as never }), /"afterModel" must be/],
    ['no provider', () => hookedModelProvider(() => undefined as never, {} as never), /must have getModel/],
  ])('%s is a TypeError', (_, call, message) => {
    expect(call).toThrow(expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) }));
  });

  test('a wrong runner is a TypeError', async () => {
    await expect(runWithHooks(() => undefined as never, agent(), 'go', { runner: {} as never })).rejects.toThrow(
      /"runner" must be a Runner/,
    );
  });

  test('an agent that is hooked with another client is a TypeError, because it would serve the wrong session', async () => {
    await withCommands({}, async ({ client, hooks }) => {
      const hooked = hookAgent(client, agent());
      expect(hookAgent(client, hooked)).toBe(hooked);
      expect(() => hookAgent(createHookClient(hooks), hooked)).toThrow(/"Ada" is hooked with another client/);
    });
  });

  test('a function that returns no client is a TypeError of the call', async () => {
    const hooked = hookAgent(() => undefined as never, new Agent({ name: 'Ada', model: scripted() }));
    await expect(run(hooked, 'go')).rejects.toThrow(/It must return a client at once/);
  });

  test('a function decides about the client at each call', async () => {
    await withCommands({ BeforeTool: [denies] }, async ({ client: strict }) => {
      await withCommands({}, async ({ client: free }) => {
        let client = strict;
        const [read, model] = [recordingTool('read'), callingModel(['read', { path: 'a' }, 'c1'])];
        model.enqueue([functionCall('read', { path: 'b' }, { callId: 'c2' })], [assistantMessage('done')]);
        const hooked = hookAgent(() => client, new Agent({ name: 'Ada', model, tools: [read.tool] }));
        await run(hooked, 'go');
        client = free;
        await run(hooked, 'go');
        expect(read.inputs).toEqual([{ path: 'b' }]);
      });
    });
  });
});

test('tools that a search of the app finds are hooked', async () => {
  await withCommands({ BeforeTool: [denies] }, async ({ client }) => {
    const read = recordingTool('read', 'text of read', { deferLoading: true });
    const search = toolSearchTool({
      execution: 'client',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      execute: async () => read.tool as never,
    });
    const found = {
      type: 'tool_search_call' as const,
      id: 's1',
      callId: 'c0',
      execution: 'client' as const,
      arguments: {},
      status: 'completed',
    };
    const model = scripted([found], [functionCall('read', { path: 'a' }, { callId: 'c1' })], [assistantMessage('done')]);
    const result = await run(hookAgent(client, new Agent({ name: 'Ada', model, tools: [search] })), 'go');
    expect([result.finalOutput, read.inputs]).toEqual(['done', []]);
    expect(resultsRead(model)).toMatchObject({ c1: 'no' });
  });
});

test('tools that hooks cannot gate are named once', async () => {
  await withCommands({}, async ({ client }) => {
    const heard: { text: string }[] = [];
    const search = { type: 'hosted_tool' as const, name: 'web_search', providerData: {} };
    const model = scripted([assistantMessage('one')], [assistantMessage('two')]);
    const agent = hookAgent(client, new Agent({ name: 'Ada', model, tools: [search] }), { onMessage: (message) => heard.push(message) });
    await run(agent, 'go');
    await run(agent, 'go');
    expect(heard).toEqual([{ text: expect.stringContaining('web_search'), audience: 'user', eventName: 'BeforeTool' }]);
  });
});
