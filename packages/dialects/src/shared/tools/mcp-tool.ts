import { isPlainObject } from '@tenterhook/runtime/json';
import { isText } from '../text.js';

/** A tool of an MCP server. */
export interface McpToolName {
  readonly server: string;
  readonly tool: string;
}

/** The maximum length of a name that is split. No product has longer names, and each additional letter could add another way to split. */
const maxName = 256;

/**
 * Returns the MCP tool that a host's tool name means; undefined for a tool of the host itself. If the event has an `mcpContext`, the tool
 * is its `tool_name` or, if that is missing, the host's name without the prefix of the server. Without a context, only `mcp__server__tool`
 * is split, because a host's own tool may be named `a__b`.
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
 * Returns all ways to split a name into server and tool, for matchers. `mcp_a_b_c` may be the tool `b_c` of the server `a`, or the tool `c`
 * of the server `a_b`. A guard for any of them must run. Empty if the name contains no server.
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
