import { toMcpContext } from '@tenterhook/agent/internal';
import type { McpContext } from '@tenterhook/protocol';
import type { Tool } from '../agents-sdk.js';
import type { Hooked } from '../options.js';

/** What the hooked tools of one agent need. */
export interface ToolHost {
  readonly hooked: Hooked;
  /** The hooked tools, by the tools of the app. */
  readonly copies: WeakMap<object, Tool>;
  /** The names of the MCP servers of the agent, by the tools that the SDK made of them. */
  readonly servers: WeakMap<object, string>;
  /** Tells the app once that hooks cannot gate a tool. */
  tellUngated(toolName: string): void;
}

/** Returns the MCP server of a tool: what the app says, or else the server of the agent. */
export function mcpContextOf(host: ToolHost, tool: Tool): McpContext | undefined {
  const server = host.servers.get(tool);
  return toMcpContext(host.hooked.options.mcpServerOf, tool.name) ?? (server === undefined ? undefined : { server_name: server });
}
