import { Agent, type MCPServer, RunState, run } from '@openai/agents';
import type { ScriptedModel } from '@openai/agents/testing';
import { createHookClient, type HookClient } from '@tenterhook/agent';
import type { Hooks } from 'tenterhook';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { hookAgent } from '../src/index.js';
import { assistantMessage, functionCall, recordingTool, resultsRead, scripted } from './scene.js';

const asks = () => ({ decision: 'ask', reason: 'sure?' }) as never;

/** An MCP server with a tool `read` that returns the name of the server. */
function server(name: string): MCPServer {
  const inputSchema = {
    type: 'object' as const,
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  };
  return {
    name,
    cacheToolsList: false,
    connect: async () => {},
    close: async () => {},
    invalidateToolsCache: async () => {},
    listTools: async () => [{ name: 'read', description: 'read', inputSchema }],
    callTool: async () => [{ type: 'text', text: `from ${name}` }] as never,
  };
}

/** An MCP server without tools. With it, an agent has several servers. */
const other: MCPServer = { ...server('other'), listTools: async () => [] };
const local = recordingTool('read', 'from the program', { needsApproval: true }).tool;

function agentWith(client: HookClient, tools: object, model = scripted([assistantMessage('done')])) {
  return hookAgent(client, new Agent({ name: 'Ada', model, ...tools }), { approvals: 'framework' });
}

/** Lets the user approve a call of the first tool, resumes the stored run with the second one, and returns what the model reads. */
async function resume(hooks: Hooks, before: object, now: object, { alwaysApprove = false, later = hooks } = {}) {
  const call = functionCall('read', { path: 'a' }, { callId: 'c1' });
  const { state } = await run(agentWith(createHookClient(hooks), before, scripted([call])), 'go');
  const stored = state.toString();
  const model = scripted([assistantMessage('done')]);
  const agent = agentWith(createHookClient(later), now, model);
  const restored = await RunState.fromString(agent, stored);
  for (const item of restored.getInterruptions()) restored.approve(item, { alwaysApprove });
  await run(agent, restored as unknown as typeof state);
  return { stored, result: JSON.stringify(resultsRead(model)['c1']) };
}

const refused = 'read did not run: the user was asked about a tool';

describe.each(['this call', 'all calls'])('an approval of %s, in another process', (of) => {
  const options = { alwaysApprove: of === 'all calls' };

  test.each([
    ['does not count for another MCP server', [server('a')], [server('b')], refused],
    ['does not count for another MCP server, if the agent has several', [server('a'), other], [server('b'), other], refused],
    ['does not count for a server with another URL', [server('sse: https://a.test/x')], [server('sse: https://a.test/y')], refused],
    ['counts for the same server, also if there are more', [server('a')], [other, server('a')], 'from a'],
    [
      'counts for a server whose key is another',
      [server('sse: https://a.test/x?key=1')],
      [server('sse: https://a.test/x?key=2')],
      'from sse',
    ],
  ])('%s', async (_, before, now, expected) => {
    await withFunctions({ BeforeTool: [asks] }, async ({ hooks }) => {
      const { stored, result } = await resume(hooks, { mcpServers: before }, { mcpServers: now }, options);
      expect(result).toContain(expected);
      expect(stored).not.toContain('key=');
    });
  });

  test('does not count for a tool of the program', async () => {
    await withFunctions({ BeforeTool: [asks] }, async ({ hooks }) => {
      const { result } = await resume(hooks, { mcpServers: [server('a')] }, { tools: [local] }, options);
      expect(result).toContain(refused);
    });
  });

  test('does not count for another server, although there are no hooks any more', async () => {
    await withFunctions({ BeforeTool: [asks] }, async ({ hooks }) => {
      await withFunctions({}, async ({ hooks: later }) => {
        const { result } = await resume(
          hooks,
          { mcpServers: [server('a'), other] },
          { mcpServers: [server('b'), other] },
          { ...options, later },
        );
        expect(result).toContain(refused);
      });
    });
  });
});

test('an approval of a call of a tool of the program does not count for one of an MCP server', async () => {
  await withFunctions({ BeforeTool: [() => ({}) as never] }, async ({ hooks }) => {
    const { result } = await resume(hooks, { tools: [local] }, { mcpServers: [server('a')] });
    expect(result).toContain(refused);
  });
});

test.each([
  ['the same server', server('a'), 'from a'],
  ['another server', server('b'), refused],
])('an approval inside an agent that is a tool, in another process, with %s', async (_, now, expected) => {
  const asksAboutRead = ({ tool_name }: Record<string, unknown>) => (tool_name === 'read' ? asks() : {}) as never;
  await withFunctions({ BeforeTool: [asksAboutRead] }, async ({ hooks }) => {
    const agentsWith = (mcpServer: MCPServer, model: ScriptedModel, outerModel: ScriptedModel) => {
      const client = createHookClient(hooks);
      const inner = agentWith(client, { name: 'Bob', mcpServers: [mcpServer] }, model);
      return agentWith(client, { tools: [inner.asTool({ toolName: 'bob', toolDescription: 'asks Bob' })] }, outerModel);
    };
    const calls = [
      scripted([functionCall('read', { path: 'a' }, { callId: 'c2' })]),
      scripted([functionCall('bob', { input: 'read a' }, { callId: 'c1' })]),
    ] as const;
    const { state } = await run(agentsWith(server('a'), ...calls), 'go');
    const model = scripted([assistantMessage('done')]);
    const outer = agentsWith(now, model, scripted([assistantMessage('all done')]));
    const restored = await RunState.fromString(outer, state.toString());
    for (const item of restored.getInterruptions()) restored.approve(item);
    await run(outer, restored as unknown as typeof state);
    expect(JSON.stringify(resultsRead(model)['c2'])).toContain(expected);
  });
});
