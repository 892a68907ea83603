import { isPlainObject } from '@tenterhook/runtime/json';

/** A tool of an MCP server. */
export interface McpTool {
  readonly server: string;
  readonly tool: string;
}

/** Beyond this no product has a name of a tool, and each further letter would be one more reading. */
const maxName = 256;

/**
 * The tool of an MCP server that a host means; undefined for a tool of its own. `mcpContext` is that of the event and decides: its `tool_name`,
 * else the host's name without the server that hosts put before it. Without one, `mcp__server__tool` is split, and no other name: a host may well
 * call a tool of its own `a__b`.
 */
export function mcpToolOf(hostName: string, mcpContext: unknown): McpTool | undefined {
  const { server_name: server, tool_name: tool }: Readonly<Record<string, unknown>> = isPlainObject(mcpContext) ? mcpContext : {};
  if (!isText(server)) return hostName.startsWith('mcp__') ? mcpToolsIn(hostName)[0] : undefined;
  if (isText(tool)) return { server, tool };
  const prefix = [`mcp__${server}__`, `mcp_${server}_`, `${server}__`].find(
    (start) => hostName.startsWith(start) && hostName.length > start.length,
  );
  return { server, tool: prefix === undefined ? hostName : hostName.slice(prefix.length) };
}

/**
 * Everything that a name without a context can mean: `mcp_a_b_c` is `b_c` of `a` or `c` of `a_b`. For matchers, where a guard that knows either must
 * fire; empty where the name has no server in it.
 */
export function mcpToolsIn(hostName: string): readonly McpTool[] {
  if (hostName.length > maxName) return [];
  if (hostName.startsWith('mcp__')) return splitAt('__', hostName.slice('mcp__'.length));
  return hostName.startsWith('mcp_') ? splitAt('_', hostName.slice('mcp_'.length)) : splitAt('__', hostName);
}

function splitAt(separator: string, name: string): McpTool[] {
  const readings: McpTool[] = [];
  for (let at = name.indexOf(separator, 1); at > 0 && at + separator.length < name.length; at = name.indexOf(separator, at + 1)) {
    readings.push({ server: name.slice(0, at), tool: name.slice(at + separator.length) });
  }
  return readings;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
