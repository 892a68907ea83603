import { isPlainObject } from '@tenterhook/runtime/json';
import { isText } from '../text.js';

export interface McpToolName {
  readonly server: string;
  readonly tool: string;
}

/**
 * The maximum number of characters of a name that is split into server and tool. Real names are shorter, and each further letter
 * could add another way to split the name.
 */
const maxName = 256;

/**
 * Returns the MCP tool that a host's tool name means. Returns undefined for a tool of the host itself.
 *
 * If `mcpContext` names a server, its `tool_name` is the name of the tool. Without `tool_name`, the name is `hostName` without the
 * prefix for the server. If `mcpContext` names no server, only names of the form `mcp__server__tool` are split: a host's own tool
 * may be named `a__b`.
 */
export function mcpToolOf(hostName: string, mcpContext: unknown): McpToolName | undefined {
  const { server_name: server, tool_name: tool }: Readonly<Record<string, unknown>> = isPlainObject(mcpContext) ? mcpContext : {};
  if (!isText(server)) return hostName.startsWith('mcp__') ? mcpToolsIn(hostName)[0] : undefined;
  if (isText(tool)) return { server, tool };
  const prefix = [`mcp__${server}__`, `mcp_${server}_`, `${server}__`].find(
    (start) => hostName.startsWith(start) && hostName.length > start.length,
  );
  return { server, tool: prefix === undefined ? hostName : hostName.slice(prefix.length) };
}

/**
 * Returns all ways to split a name into server and tool. For example, `mcp_a_b_c` may be the tool `b_c` of the server `a`, or the
 * tool `c` of the server `a_b`. Matchers are compared with both, so that a guard for either tool runs. Returns an empty list if the
 * name contains no server.
 */
export function mcpToolsIn(hostName: string): readonly McpToolName[] {
  if (hostName.length > maxName) return [];
  if (hostName.startsWith('mcp__')) return splitAt('__', hostName.slice('mcp__'.length));
  return hostName.startsWith('mcp_') ? splitAt('_', hostName.slice('mcp_'.length)) : splitAt('__', hostName);
}

function splitAt(separator: string, name: string): McpToolName[] {
  const readings: McpToolName[] = [];
  for (let at = name.indexOf(separator, 1); at > 0 && at + separator.length < name.length; at = name.indexOf(separator, at + 1)) {
    readings.push({ server: name.slice(0, at), tool: name.slice(at + separator.length) });
  }
  return readings;
}
