import { isPlainObject } from '@tenterhook/protocol';
import { mcpToolOf, mcpToolsIn } from '../tools/mcp-tool.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Every name that a matcher may have for a tool, the told one first. Tools of a host have the names that it gives them; those of an MCP server
 * are `mcp_server_tool` here, whatever the host calls them. Both are tried: a guard that knows either must fire.
 */
export function namesOfTool(hostName: string, mcpContext: unknown): readonly [string, ...string[]] {
  const tool = mcpToolOf(hostName, mcpContext);
  const told = tool === undefined ? hostName : nameOf(tool);
  const readings = isPlainObject(mcpContext) ? [] : mcpToolsIn(hostName).map(nameOf);
  return [...new Set([told, hostName, ...readings])] as [string, ...string[]];
}

/** The same of the tool that an event is about; undefined where it names none. */
export function namesInInput({ tool_name: name, mcp_context: context }: Fields): readonly [string, ...string[]] | undefined {
  return typeof name === 'string' ? namesOfTool(name, context) : undefined;
}

function nameOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `mcp_${server}_${tool}`;
}
