import { isPlainObject, type McpContext } from '@tenterhook/protocol';
import type { EcaHost } from './options.js';

/** A tool of the host as ECA's hooks know it. */
export interface EcaTool {
  readonly server: string;
  readonly name: string;
  /** What a matcher is tried against, `server__name` first. Several: a guard that knows either name must fire. */
  readonly candidates: readonly string[];
  /** Of the host's own tools, whose inputs have other keys than ECA's. */
  readonly isHosts: boolean;
}

/** Server and name come from the MCP context, or are ECA's for a tool of the host's own (decision 56). */
export function ecaToolOf(toolName: string, mcpContext: McpContext | undefined, { server: own, tools }: EcaHost): EcaTool {
  const named = mcpContext?.server_name ?? '';
  const isHosts = named === '';
  const server = isHosts ? own : named;
  const known = isHosts && Object.hasOwn(tools, toolName) ? (tools[toolName] as string) : undefined;
  const name = known ?? (isHosts ? toolName : nameAtServer(toolName, server, mcpContext));
  const candidates = [...new Set([`${server}__${name}`, `${server}__${toolName}`])];
  return { server, name, candidates, isHosts };
}

/** The tool and its server as an event has them; undefined where it names no tool. */
export function toolOfInput(input: Readonly<Record<string, unknown>>, host: EcaHost): EcaTool | undefined {
  const { tool_name: name, mcp_context: context } = input;
  const hasServer = isPlainObject(context) && typeof context['server_name'] === 'string';
  return typeof name === 'string' ? ecaToolOf(name, hasServer ? (context as McpContext) : undefined, host) : undefined;
}

/** Hosts put the server before the name of the tool, as the model needs it; ECA's hooks get the two apart. */
function nameAtServer(toolName: string, server: string, context: McpContext | undefined): string {
  const told = context?.['tool_name'];
  if (typeof told === 'string' && told !== '') return told;
  const prefix = [`mcp__${server}__`, `mcp_${server}_`, `${server}__`].find(
    (start) => toolName.startsWith(start) && toolName.length > start.length,
  );
  return prefix === undefined ? toolName : toolName.slice(prefix.length);
}
