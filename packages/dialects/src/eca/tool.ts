import type { McpContext } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { mcpToolOf } from '../shared/tools/mcp-tool.js';
import type { ToolInput } from '../shared/tools/tool-table.js';
import type { EcaHost } from './options.js';

/** A tool of the host as ECA's hooks know it. */
export interface EcaTool {
  readonly server: string;
  readonly name: string;
  /** As the host calls it. */
  readonly hostName: string;
  /** What a matcher is tried against, `server__name` first. Several: a guard that knows either name must fire. */
  readonly candidates: readonly string[];
  /** Of the host's own tools, whose inputs have other keys than ECA's. */
  readonly isHosts: boolean;
}

/** Server and name come from the MCP context, or are ECA's for a tool of the host's own (decision 56). */
export function ecaToolOf(hostName: string, mcpContext: McpContext | undefined, { server: own, tools }: EcaHost): EcaTool {
  const named = mcpContext?.server_name ?? '';
  const isHosts = named === '';
  const server = isHosts ? own : named;
  const name = isHosts ? tools.namesOf(hostName)[0] : (mcpToolOf(hostName, mcpContext)?.tool ?? hostName);
  const others = isHosts ? namesWithServer(hostName, own) : [];
  const candidates = [...new Set([`${server}__${name}`, `${server}__${hostName}`, ...others])];
  return { server, name, hostName, candidates, isHosts };
}

const made = new WeakMap<object, { readonly host: EcaHost; readonly tool: EcaTool | undefined }>();

/** The tool and its server as an event has them; undefined where it names no tool. Made once for all hooks that see the same input. */
export function toolOfInput(input: Readonly<Record<string, unknown>>, host: EcaHost): EcaTool | undefined {
  const known = made.get(input);
  if (known?.host === host) return known.tool;
  const { tool_name: name, mcp_context: context } = input;
  const hasServer = isPlainObject(context) && typeof context['server_name'] === 'string';
  const tool = typeof name === 'string' ? ecaToolOf(name, hasServer ? (context as McpContext) : undefined, host) : undefined;
  made.set(input, { host, tool });
  return tool;
}

/** The arguments of a call under ECA's keys; a tool of a server has its own. */
export function toEcaKeys(input: Readonly<Record<string, unknown>>, host: EcaHost): ToolInput {
  const tool = toolOfInput(input, host);
  const given = givenTo(input);
  return tool?.isHosts ? host.tools.toDialect(tool.hostName, given, '') : given;
}

/** What a hook returned, under the keys that the host gave the arguments of the event. */
export function toHostKeys(returned: ToolInput, input: Readonly<Record<string, unknown>>, host: EcaHost): ToolInput {
  const tool = toolOfInput(input, host);
  return tool?.isHosts ? host.tools.toHost(tool.hostName, returned, givenTo(input), '') : returned;
}

/** Two arguments of the host that could both be one of ECA's, and differ. */
export function rivalsIn(input: Readonly<Record<string, unknown>>, host: EcaHost): readonly [string, string] | undefined {
  const tool = toolOfInput(input, host);
  return tool?.isHosts ? host.tools.rivals(tool.hostName, givenTo(input)) : undefined;
}

function givenTo(input: Readonly<Record<string, unknown>>): ToolInput {
  return (input['tool_input'] ?? {}) as ToolInput;
}

/**
 * A name that has the server in it is one that a matcher may know, where the host does not say whose the tool is. Not the host's own server: a
 * tool of another one must not pass for a trusted one by its name.
 */
function namesWithServer(hostName: string, own: string): string[] {
  if (!hostName.includes('__')) return [];
  const names = hostName.startsWith('mcp__') ? [hostName, hostName.slice('mcp__'.length)] : [hostName];
  return names.filter((name) => !name.startsWith(`${own}__`));
}
