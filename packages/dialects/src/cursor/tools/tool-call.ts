import { oncePerInput } from '../../shared/per-input.js';
import { withFileLines, withoutFileLines } from '../../shared/tools/file-lines.js';
import type { McpToolName } from '../../shared/tools/mcp-tool.js';
import { mcpToolsOfCall, namesInInput as namesOf, ownCallOf, toToolCall } from '../../shared/tools/tool-call.js';
import type { ToolKind } from '../../shared/tools/tool-table.js';
import type { CallKind } from '../input/event-table.js';
import type { CursorHost } from '../options.js';

type Fields = Readonly<Record<string, unknown>>;

const formatMcpName = ({ tool }: McpToolName) => `MCP:${tool}`;

/** Returns the names of an event's tool for matchers, or undefined if the event has no tool. Hooks with the same input share one result. */
export const namesInInput = oncePerInput((input, { tools }: CursorHost) => namesOf(input, tools, formatMcpName));

/** Returns the tool call of an event, or undefined if the event has no tool. Hooks with the same input share one result. */
export const callOfInput = oncePerInput((input, { tools, home }: CursorHost) => {
  const cwd = typeof input['cwd'] === 'string' ? input['cwd'] : '';
  const adapt = (translated: Fields, hostName: string) =>
    tools.kindOf(hostName) === 'read-many' ? withFileLines(translated, cwd, home) : translated;
  return toToolCall(input, cwd, tools, adapt, formatMcpName);
});

/** Converts arguments that a hook wrote into arguments of the host's tool. */
export function toHostInput(returned: Fields, event: Fields, { tools, home }: CursorHost): Fields {
  const call = ownCallOf(event, tools);
  if (call === undefined) return returned;
  const { hostName, original, cwd } = call;
  const own = tools.kindOf(hostName) === 'read-many' ? withoutFileLines(returned, original, cwd, home) : returned;
  return tools.toHost(hostName, own, original, cwd);
}

const kinds: Readonly<Partial<Record<ToolKind, CallKind>>> = {
  shell: 'shell',
  read: 'read',
  'read-many': 'read',
  write: 'change',
  edit: 'change',
};

/** Tests whether a call is of a kind for which Cursor has events. Returns undefined if the event has no tool. */
export function isOfKind(kind: CallKind, input: Fields, { tools }: CursorHost): boolean | undefined {
  const { tool_name: hostName } = input;
  if (typeof hostName !== 'string') return undefined;
  const isMcp = mcpToolsOfCall(input, tools).length > 0;
  if (isMcp || kind === 'mcp') return isMcp && kind === 'mcp';
  const own = tools.kindOf(hostName);
  return own !== undefined && kinds[own] === kind;
}

/** Returns the server and the tool of an MCP call. A name that can be split in several ways is split at the first place. */
export function mcpToolOfInput(input: Fields, { tools }: CursorHost): McpToolName | undefined {
  return mcpToolsOfCall(input, tools)[0];
}
