import type { Invocation } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { type McpToolName, mcpToolOf, mcpToolsIn } from './mcp-tool.js';
import type { ToolTranslation } from './tool-translation.js';

type Fields = Readonly<Record<string, unknown>>;

/** A call of a host's tool, with the names that the hooks of a dialect use. */
export interface ToolCall {
  /** The name of the tool that hooks receive. */
  readonly name: string;
  /**
   * Every name of the tool that a matcher or a rule may use. The first is `name`. All names are compared, so that a guard with any
   * of these names runs.
   */
  readonly names: readonly string[];
  readonly input: Fields;
  /** Two arguments of the host's call that have the same meaning in the dialect, but different values. */
  readonly rivals?: readonly [string, string];
}

/**
 * Returns the names of a tool for matchers. The host may pass server and tool of an MCP tool as one text. If this text can be split in
 * several ways, the result has a name for each. `formatMcpName` returns the dialect's name of such a tool.
 */
export function namesOfTool(
  hostName: string,
  mcpContext: unknown,
  tools: ToolTranslation,
  formatMcpName: FormatMcpName = mcpNameOfServer,
): readonly string[] {
  const own = tools.namesOf(hostName);
  // The host's mapping decides first, even for a name that looks like a tool of a server.
  if (own[0] !== hostName && !hasServer(mcpContext)) return own;
  const mcp = mcpToolOf(hostName, mcpContext);
  if (mcp !== undefined) return [formatMcpName(mcp)];
  const readings = mcpToolsIn(hostName).map(formatMcpName);
  return hostName.startsWith('mcp_') && readings.length > 0 ? readings : [...new Set([...own, ...readings])];
}

/** Returns the names of an event's tool for matchers, or undefined if the event has no tool. */
export function namesInInput(
  { tool_name: hostName, mcp_context: context }: Fields,
  tools: ToolTranslation,
  formatMcpName?: FormatMcpName,
): readonly string[] | undefined {
  return typeof hostName === 'string' ? namesOfTool(hostName, context, tools, formatMcpName) : undefined;
}

/**
 * Converts one tool call of an event, or returns undefined if there is no tool. `cwd` is the working directory of the event. `adapt`
 * changes the translated arguments of a host's own tool.
 */
export function toToolCall(
  { tool_name: hostName, tool_input: given, mcp_context: context }: Fields,
  cwd: unknown,
  tools: ToolTranslation,
  adapt: (input: Fields, hostName: string, name: string) => Fields = (input) => input,
  formatMcpName?: FormatMcpName,
): ToolCall | undefined {
  if (typeof hostName !== 'string') return undefined;
  const names = namesOfTool(hostName, context, tools, formatMcpName);
  const input = toArguments(given);
  const name = names[0] as string;
  if (!isOwnTool(hostName, context, tools)) return { name, names, input };
  const rivals = tools.rivals(hostName, input);
  const translated = tools.toDialect(hostName, input, toText(cwd));
  return { name, names, input: adapt(translated, hostName, name), ...(rivals === undefined ? {} : { rivals }) };
}

/** The call of a host's own tool: its name, its arguments, and the working directory. */
export interface OwnCall {
  readonly hostName: string;
  readonly original: Fields;
  readonly cwd: string;
}

/** Returns the call of an event if its tool belongs to the host. Arguments of an MCP server's tools cannot be translated. */
export function ownCallOf(event: Fields, tools: ToolTranslation): OwnCall | undefined {
  const { tool_name: hostName, tool_input: given, mcp_context: context, cwd } = event;
  if (typeof hostName !== 'string' || !isOwnTool(hostName, context, tools)) return undefined;
  return { hostName, original: toArguments(given), cwd: toText(cwd) };
}

/** Converts the tool call of a captured event into a call of the host. */
export function withHostCall(input: Fields, toHostCall: ToolTranslation['toHostCall']): Fields {
  const { tool_name: name, tool_input: given } = input;
  if (typeof name !== 'string') return input;
  const call = toHostCall(name, toArguments(given));
  return { ...input, tool_name: call.name, ...(isPlainObject(given) ? { tool_input: call.input } : {}) };
}

/** Returns the refusal of a call whose arguments have two meanings: a hook could check one, and the tool could read the other. */
export function refusedCall(call: ToolCall | undefined): Extract<Invocation, { kind: 'refused' }> | undefined {
  if (call?.rivals === undefined) return undefined;
  const [one, other] = call.rivals.map((key) => JSON.stringify(key));
  const reason = `${one} and ${other} are two names of one argument, and have different values. The tool may read either. Pass only one of them.`;
  return { kind: 'refused', reason };
}

export function toArguments(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}

/** Returns the MCP tools that an event's tool may be. Returns an empty list for a tool of the host itself. */
export function mcpToolsOfCall({ tool_name: hostName, mcp_context: context }: Fields, tools: ToolTranslation): readonly McpToolName[] {
  if (typeof hostName !== 'string') return [];
  if (tools.namesOf(hostName)[0] !== hostName && !hasServer(context)) return [];
  const mcp = mcpToolOf(hostName, context);
  if (mcp !== undefined) return [mcp];
  return hostName.startsWith('mcp_') ? mcpToolsIn(hostName) : [];
}

/** Tests whether the tool belongs to the host. */
function isOwnTool(hostName: string, mcpContext: unknown, tools: ToolTranslation): boolean {
  if (hasServer(mcpContext)) return false;
  return tools.namesOf(hostName)[0] !== hostName || mcpToolOf(hostName, mcpContext) === undefined;
}

function hasServer(mcpContext: unknown): boolean {
  return isPlainObject(mcpContext) && typeof mcpContext['server_name'] === 'string' && mcpContext['server_name'] !== '';
}

type FormatMcpName = (name: McpToolName) => string;

/**
 * Returns `mcp__server__tool`, without characters that tool names must not have. Names of MCP servers and of their tools may contain such
 * characters.
 */
function mcpNameOfServer({ server, tool }: McpToolName): string {
  return `mcp__${server}__${tool}`.replace(/[^\w-]/g, '_');
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
