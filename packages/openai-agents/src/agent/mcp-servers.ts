import { type AnyAgent, getAllMcpTools, type RunContext } from '../agents-sdk.js';
import { clientOf, type Hooked } from '../options.js';
import { hasServers } from '../tools/approved-servers.js';

interface McpHost {
  readonly hooked: Hooked;
  readonly servers: WeakMap<object, string>;
}

/**
 * Notes the MCP server of each tool that the SDK made. The SDK keeps it to itself, so if an agent has several servers, each is asked for the
 * names of its tools. The app can avoid this with `cacheToolsList` of the servers, or with the option `mcpServerOf`.
 */
export async function findMcpServers(
  { hooked, servers }: McpHost,
  agent: AnyAgent,
  tools: readonly { readonly name: string }[],
  runContext: RunContext,
): Promise<void> {
  if (tools.length === 0 || hooked.options.mcpServerOf !== undefined) return;
  const client = clientOf(hooked);
  const [only, ...others] = agent.mcpServers;
  if (only === undefined) return;
  if (others.length > 0 && !client.has('BeforeTool') && !client.has('AfterTool') && !hasServers(runContext)) return;
  const names = others.length === 0 ? undefined : await namesByServer(agent, runContext);
  for (const tool of tools) {
    const server = names === undefined ? only.name : names.get(tool.name);
    if (server !== undefined) servers.set(tool, server);
  }
}

async function namesByServer(agent: AnyAgent, runContext: RunContext): Promise<Map<string, string>> {
  const includeServerInToolNames = agent.mcpConfig.includeServerInToolNames === true;
  const lists = await Promise.all(
    agent.mcpServers.map(async (server) => {
      const tools = await getAllMcpTools({ mcpServers: [server], runContext, agent, includeServerInToolNames });
      return tools.map(({ name }) => [name, server.name] as const);
    }),
  );
  return new Map(lists.flat());
}
