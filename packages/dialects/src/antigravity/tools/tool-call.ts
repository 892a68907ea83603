import { isPlainObject } from '@tenterhook/runtime/json';
import { oncePerInput } from '../../shared/per-input.js';
import { withFileLines, withoutFileLines } from '../../shared/tools/file-lines.js';
import {
  mcpToolsOfCall,
  namesInInput as namesOf,
  ownCallOf,
  type ToolCall,
  toArguments,
  toToolCall,
} from '../../shared/tools/tool-call.js';
import type { AntigravityHost } from '../options.js';
import { mcpTool } from './tool-table.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the names of an event's tool for matchers, or undefined if the event has no tool. A tool of an MCP server has the name of the tool
 * that calls it, and its own name as in other agents, so that a guard with either name runs. Hooks with the same input share one result.
 */
export const namesInInput = oncePerInput((input, { tools }: AntigravityHost) => {
  const names = namesOf(input, tools);
  const isMcp = mcpToolsOfCall(input, tools).length > 0 || names?.some((name) => name.startsWith('mcp__')) === true;
  return names !== undefined && isMcp ? [mcpTool, ...names] : names;
});

/** Returns the tool call of an event, or undefined if the event has no tool. Hooks with the same input share one result. */
export const callOfInput = oncePerInput((input, host: AntigravityHost): ToolCall | undefined => {
  const { tools, home } = host;
  const names = namesInInput(input, host);
  const [mcp] = mcpToolsOfCall(input, tools);
  if (mcp !== undefined && names !== undefined)
    return { name: mcpTool, names, input: { ServerName: mcp.server, ToolName: mcp.tool, Arguments: toArguments(input['tool_input']) } };
  const cwd = typeof input['cwd'] === 'string' ? input['cwd'] : '';
  const adapt = (translated: Fields, hostName: string) =>
    tools.kindOf(hostName) === 'read-many' ? renamed(withFileLines(translated, cwd, home), sharedFileKey, ownFileKey) : translated;
  return toToolCall(input, cwd, tools, adapt);
});

/**
 * Converts arguments that a hook wrote into arguments of the host's tool. Returns undefined if they are a call of another tool, which a hook
 * cannot make here.
 */
export function toHostInput(written: Fields, event: Fields, { tools, home }: AntigravityHost): Fields | undefined {
  const [mcp] = mcpToolsOfCall(event, tools);
  if (mcp !== undefined) {
    const { ServerName: server = mcp.server, ToolName: tool = mcp.tool, Arguments: given } = written;
    return server === mcp.server && tool === mcp.tool && isPlainObject(given) ? given : undefined;
  }
  const call = ownCallOf(event, tools);
  if (call === undefined) return written;
  const { hostName, original, cwd } = call;
  const isMany = tools.kindOf(hostName) === 'read-many';
  const own = isMany ? withoutFileLines(renamed(written, ownFileKey, sharedFileKey), original, cwd, home) : written;
  return tools.toHost(hostName, own, original, cwd);
}

/** The key of a file that is read, and the key for it that all formats share. */
const ownFileKey = 'AbsolutePath';
const sharedFileKey = 'file_path';

function renamed(fields: Fields, from: string, to: string): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key === from ? to : key, value]));
}
