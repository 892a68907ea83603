/** A tool of an MCP server, as the agent fires it: `name` is the event's `tool_name`, `server` its `mcp_context.server_name`. */
export interface McpTool {
  readonly name: string;
  readonly server: string;
}

/**
 * A tool that the agent has: its own by name, an MCP server's with its server. A name such as `server__tool` or `mcp__server__tool` may be
 * either, because agents fire MCP tools under such names, with and without the server beside them.
 */
export type AgentTool = string | McpTool;

/** Every way in which the tool may be fired, the one that was written first. */
export function firedAs(tool: AgentTool): readonly { readonly name: string; readonly server?: string }[] {
  if (typeof tool === 'string') return [{ name: tool }, ...partsOf(tool)];
  return [tool, ...partsOf(tool.name).filter(({ server }) => server === tool.server)];
}

export function wholeName(tool: AgentTool): string {
  return typeof tool === 'string' ? tool : `${tool.server}__${tool.name}`;
}

/** What a matcher may call it: dialects that do not know servers see the name alone. */
export function spellingsOf(tool: AgentTool): readonly string[] {
  return typeof tool === 'string' ? [tool] : [wholeName(tool), tool.name];
}

/** Split at every `__`, because servers and tools may have one in their own names: a warning too few does less harm than a false one. */
function partsOf(name: string): McpTool[] {
  const whole = /^mcp__.+?__./s.test(name) ? name.slice('mcp__'.length) : name;
  return [...whole.matchAll(/__/g)]
    .map(({ index }) => ({ server: whole.slice(0, index), name: whole.slice(index + 2) }))
    .filter((part) => part.server !== '' && part.name !== '');
}
