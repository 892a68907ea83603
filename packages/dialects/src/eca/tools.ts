import type { McpContext } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { mcpToolOf } from '../shared/tools/mcp-tool.js';
import type { ToolInput, ToolTable } from '../shared/tools/tool-table.js';
import type { ToolTranslation } from '../shared/tools/tool-translation.js';

/**
 * ECA's tools (decision 56). `directory_tree` is the nearest that ECA has to a listing. Only files and command lines have keys of ECA's own; all
 * other arguments keep the keys of the host.
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

/** How the tools of the host look to ECA's hooks. */
export interface ToolHost {
  /** The server of the host's own tools. */
  readonly server: string;
  readonly tools: ToolTranslation;
}

/** A tool of the host as ECA's hooks see it. */
export interface EcaTool {
  readonly server: string;
  readonly name: string;
  /** As the host calls it. */
  readonly hostName: string;
  /** The names that a matcher is tested against, `server__name` first: a guard that knows any of them must fire. */
  readonly candidates: readonly string[];
  /** It is the host's own tool, so its arguments may have other keys than ECA's. */
  readonly isHosts: boolean;
}

/** Server and name are those of the MCP context, or ECA's for one of the host's own tools (decision 56). */
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

/** The tool of an event's input; undefined where the input names none. Computed once for all hooks that see the same input. */
export function toolOfInput(input: Readonly<Record<string, unknown>>, host: ToolHost): EcaTool | undefined {
  const known = toolsByInput.get(input);
  if (known?.host === host) return known.tool;
  const { tool_name: name, mcp_context: context } = input;
  const hasServer = isPlainObject(context) && typeof context['server_name'] === 'string';
  const tool = typeof name === 'string' ? ecaToolOf(name, hasServer ? (context as McpContext) : undefined, host) : undefined;
  toolsByInput.set(input, { host, tool });
  return tool;
}

/** The arguments of a call under ECA's keys; a tool of a server has its own. */
export function toEcaKeys(input: Readonly<Record<string, unknown>>, host: ToolHost): ToolInput {
  const tool = toolOfInput(input, host);
  const given = givenTo(input);
  return tool?.isHosts ? host.tools.toDialect(tool.hostName, given, '') : given;
}

/** The arguments that a hook returned, under the keys of the host. */
export function toHostKeys(returned: ToolInput, input: Readonly<Record<string, unknown>>, host: ToolHost): ToolInput {
  const tool = toolOfInput(input, host);
  return tool?.isHosts ? host.tools.toHost(tool.hostName, returned, givenTo(input), '') : returned;
}

/** Two keys of the host that could both be one argument of ECA's, with different values. */
export function rivalsIn(input: Readonly<Record<string, unknown>>, host: ToolHost): readonly [string, string] | undefined {
  const tool = toolOfInput(input, host);
  return tool?.isHosts ? host.tools.rivals(tool.hostName, givenTo(input)) : undefined;
}

function givenTo(input: Readonly<Record<string, unknown>>): ToolInput {
  return (input['tool_input'] ?? {}) as ToolInput;
}

/**
 * Names with a server in them, for a tool whose server the host does not name: a matcher may know it by such a name. The host's own server is
 * excluded: a tool of another server must not pass for a trusted one by its name.
 */
function namesWithServer(hostName: string, own: string): string[] {
  if (!hostName.includes('__')) return [];
  const names = hostName.startsWith('mcp__') ? [hostName, hostName.slice('mcp__'.length)] : [hostName];
  return names.filter((name) => !name.startsWith(`${own}__`));
}
