import { isPlainObject } from '@tenterhook/runtime/json';
import { mcpToolOf, mcpToolsIn } from '../shared/tools/mcp-tool.js';
import type { GeminiHost } from './options.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Every name that a matcher may have for a tool, the told one first. Tools of a host have the names that it gives them, or says that Gemini CLI
 * has for them; those of an MCP server are `mcp_server_tool` here, whatever the host calls them. All are tried: a guard that knows one must fire.
 */
export function namesOfTool(hostName: string, mcpContext: unknown, host: GeminiHost): readonly [string, ...string[]] {
  const readings = isPlainObject(mcpContext) ? [] : mcpToolsIn(hostName).map(nameOf);
  const tool = mcpToolOf(hostName, mcpContext);
  const told = tool === undefined ? [] : [nameOf(tool)];
  const named = isNamed(hostName, mcpContext, host) ? host.tools.namesOf(hostName) : [];
  return [...new Set([...named, ...told, hostName, ...readings])] as [string, ...string[]];
}

/** The same of the tool that an event is about; undefined where it names none. */
export function namesInInput(
  { tool_name: name, mcp_context: context }: Fields,
  host: GeminiHost,
): readonly [string, ...string[]] | undefined {
  return typeof name === 'string' ? namesOfTool(name, context, host) : undefined;
}

/** Whether the host has said what Gemini CLI calls this tool. One of a server is the server's, whatever its name is. */
export function isNamed(hostName: string, mcpContext: unknown, { namedTools }: GeminiHost): boolean {
  const server = isPlainObject(mcpContext) ? mcpContext['server_name'] : undefined;
  return namedTools.includes(hostName) && (typeof server !== 'string' || server === '');
}

function nameOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `mcp_${server}_${tool}`;
}
