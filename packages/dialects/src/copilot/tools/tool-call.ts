import { oncePerInput } from '../../shared/per-input.js';
import { withFileLines, withoutFileLines } from '../../shared/tools/file-lines.js';
import type { McpToolName } from '../../shared/tools/mcp-tool.js';
import { mcpToolsOfCall, ownCallOf, type ToolCall, toToolCall } from '../../shared/tools/tool-call.js';
import type { CopilotHost } from '../options.js';
import { claudeNamesOf } from './tool-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** The names of a tool: those of Copilot itself, and those of Claude Code. Hooks receive the first of each. */
export interface ToolNames {
  readonly own: readonly string[];
  readonly claude: readonly string[];
}

/**
 * Returns the names of an event's tool, or undefined if the event has no tool. Hooks with the same input share one result. A tool of an MCP
 * server keeps the name that the host gives it.
 */
export const namesInInput = oncePerInput((input, { tools }: CopilotHost): ToolNames | undefined => {
  const { tool_name: hostName } = input;
  if (typeof hostName !== 'string') return undefined;
  if (mcpToolsOfCall(input, tools).length > 0) return { own: [hostName], claude: [hostName] };
  const all = tools.namesOf(hostName);
  // The host itself says that the tool is PowerShell, so a guard of bash is not meant.
  const own = all[0] === 'powershell' ? all.filter((name) => name !== 'bash') : all;
  return { own, claude: [...new Set(own.flatMap(claudeNamesOf))] };
});

/** Returns the tool call of an event, or undefined if the event has no tool. Hooks with the same input share one result. */
export const callOfInput = oncePerInput((input, host: CopilotHost): ToolCall | undefined => {
  const { tools, home } = host;
  const cwd = typeof input['cwd'] === 'string' ? input['cwd'] : '';
  const adapt = (translated: Fields, hostName: string) =>
    tools.kindOf(hostName) === 'read-many' ? withFileLines(translated, cwd, home) : translated;
  const call = toToolCall(input, cwd, tools, adapt);
  const names = namesInInput(input, host);
  return call === undefined || names === undefined ? undefined : { ...call, name: names.own[0] as string, names: names.own };
});

/** Converts arguments that a hook wrote into arguments of the host's tool. */
export function toHostInput(returned: Fields, event: Fields, { tools, home }: CopilotHost): Fields {
  const call = ownCallOf(event, tools);
  if (call === undefined) return returned;
  const { hostName, original, cwd } = call;
  const own = tools.kindOf(hostName) === 'read-many' ? withoutFileLines(returned, original, cwd, home) : returned;
  return tools.toHost(hostName, own, original, cwd);
}

/** Returns the server and the tool of an MCP call, or undefined for a tool of the host. */
export function mcpToolOfInput(input: Fields, { tools }: CopilotHost): McpToolName | undefined {
  return mcpToolsOfCall(input, tools)[0];
}
