import type { McpContext } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { mcpToolOf } from '../shared/tools/mcp-tool.js';
import type { ToolArguments, ToolTable } from '../shared/tools/tool-table.js';
import type { ToolTranslation } from '../shared/tools/tool-translation.js';

/**
 * ECA's tool names (decision 56). ECA has no tool that lists one folder; `directory_tree` is the nearest. Only arguments for files
 * and command lines have other keys in ECA than in the host.
 */
export const ecaTools: ToolTable = {
  shell: { names: ['shell_command'], keys: { command: ['command'] } },
  read: { names: ['read_file'], keys: { file: ['path'] } },
  write: { names: ['write_file'], keys: { file: ['path'] } },
  edit: { names: ['edit_file'], keys: { file: ['path'] } },
  list: { names: ['directory_tree'], keys: { file: ['path'] } },
  search: { names: ['grep'], keys: { file: ['path'] } },
  subagent: { names: ['spawn_agent'] },
  question: { names: ['ask_user'] },
};

export interface ToolHost {
  /** The server name of the host's own tools. */
  readonly server: string;
  readonly tools: ToolTranslation;
}

/** A tool of the host with the names that ECA's hooks use. */
export interface EcaTool {
  readonly server: string;
  readonly name: string;
  /** The tool's name in the host. */
  readonly hostName: string;
  /** The names that a matcher is compared with. The first is `server__name`. A guard runs if its matcher matches any of them. */
  readonly candidates: readonly string[];
  /** True for the host's own tools. Their arguments may have other keys in ECA. */
  readonly isHosts: boolean;
}

/**
 * Translates a tool's name. The server and the name of an MCP tool come from its MCP context. A tool of the host has the server
 * from the options and ECA's name (decision 56).
 */
export function ecaToolOf(hostName: string, mcpContext: McpContext | undefined, { server: own, tools }: ToolHost): EcaTool {
  const named = mcpContext?.server_name ?? '';
  const isHosts = named === '';
  const server = isHosts ? own : named;
  const name = isHosts ? tools.namesOf(hostName)[0] : (mcpToolOf(hostName, mcpContext)?.tool ?? hostName);
  const others = isHosts ? namesWithServer(hostName, own) : [];
  const candidates = [...new Set([`${server}__${name}`, `${server}__${hostName}`, ...others])];
  return { server, name, hostName, candidates, isHosts };
}

const toolsByInput = new WeakMap<object, { readonly host: ToolHost; readonly tool: EcaTool | undefined }>();

/** Returns the tool of an event, or undefined if the event has no tool. Hooks with the same input share one result. */
export function toolOfInput(input: Readonly<Record<string, unknown>>, host: ToolHost): EcaTool | undefined {
  const known = toolsByInput.get(input);
  if (known?.host === host) return known.tool;
  const { tool_name: name, mcp_context: context } = input;
  const hasServer = isPlainObject(context) && typeof context['server_name'] === 'string';
  const tool = typeof name === 'string' ? ecaToolOf(name, hasServer ? (context as McpContext) : undefined, host) : undefined;
  toolsByInput.set(input, { host, tool });
  return tool;
}

/** Returns the arguments of a call under ECA's keys. Tools of other servers keep their keys. */
export function toEcaKeys(input: Readonly<Record<string, unknown>>, host: ToolHost): ToolArguments {
  const tool = toolOfInput(input, host);
  const given = givenTo(input);
  return tool?.isHosts ? host.tools.toDialect(tool.hostName, given, '') : given;
}

/** Returns the arguments of a call under both the host's keys and ECA's keys, because a matcher may name either. */
export function argumentsOf(input: Readonly<Record<string, unknown>>, host: ToolHost): ToolArguments {
  return { ...givenTo(input), ...toEcaKeys(input, host) };
}

/** Returns the arguments that a hook wrote, under the keys of the host. */
export function toHostKeys(returned: ToolArguments, input: Readonly<Record<string, unknown>>, host: ToolHost): ToolArguments {
  const tool = toolOfInput(input, host);
  return tool?.isHosts ? host.tools.toHost(tool.hostName, returned, givenTo(input), '') : returned;
}

/** Returns two keys of the call that have the same meaning in ECA, but different values. */
export function rivalsIn(input: Readonly<Record<string, unknown>>, host: ToolHost): readonly [string, string] | undefined {
  const tool = toolOfInput(input, host);
  return tool?.isHosts ? host.tools.rivals(tool.hostName, givenTo(input)) : undefined;
}

function givenTo(input: Readonly<Record<string, unknown>>): ToolArguments {
  return (input['tool_input'] ?? {}) as ToolArguments;
}

/**
 * Returns the possible names with a server, for a tool whose server the host does not report. Names with the server of the host's
 * own tools are left out. Otherwise a tool of another server could look like a tool of the host.
 */
function namesWithServer(hostName: string, own: string): string[] {
  if (!hostName.includes('__')) return [];
  const names = hostName.startsWith('mcp__') ? [hostName, hostName.slice('mcp__'.length)] : [hostName];
  return names.filter((name) => !name.startsWith(`${own}__`));
}
