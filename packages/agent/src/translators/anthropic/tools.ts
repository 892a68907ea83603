import type { HookToolConfig } from '@tenterhook/protocol';
import { type Fields, fieldsOf, listOf, withFields } from '../fields.js';
import { filterItems, isAllowed, resolveToolConfig, type ToolLimits, toToolConfig } from '../tool-config.js';
import { hasBlock } from './messages.js';

const shownModes: ReadonlyMap<unknown, NonNullable<HookToolConfig['mode']>> = new Map([
  ['auto', 'AUTO'],
  ['any', 'ANY'],
  ['tool', 'ANY'],
  ['none', 'NONE'],
]);

/** Types of tools that the service runs itself. They have names, but no agent loop executes them. */
const serverTools = /^(?:web_search|web_fetch|code_execution|tool_search_tool)_/;

export function showAnthropicToolConfig({ tool_choice }: Fields): HookToolConfig | undefined {
  const { type, name } = fieldsOf(tool_choice);
  return toToolConfig(shownModes.get(type), type === 'tool' ? [String(name)] : undefined);
}

export function anthropicToolNames({ tools }: Fields): string[] {
  return listOf(tools).flatMap(nameOf);
}

/**
 * Removes tools that the hooks do not allow. If no tool is left, the list and the choice are removed too. But the API refuses a history
 * with calls or results if there is no list of tools. In this case the list stays, and the choice forbids every call.
 */
export function withAnthropicToolConfig<Request extends object>(request: Request, wanted: HookToolConfig): Request {
  const fields = fieldsOf(request);
  const limits = resolveToolConfig(showAnthropicToolConfig(fields), wanted);
  if (limits === undefined) return request;
  const tools = limits.mode === 'NONE' ? [] : filterItems(listOf(fields['tools']), (tool) => isLeft(tool, limits));
  if (tools.length > 0) return withFields(request, { tools, tool_choice: toolChoice(fields, tools, limits) });
  return hasToolHistory(fields) && listOf(fields['tools']).length > 0
    ? withFields(request, { tool_choice: { type: 'none' } })
    : withFields(request, { tools: undefined, tool_choice: undefined });
}

function isLeft(tool: unknown, limits: ToolLimits): boolean {
  return nameOf(tool).every((name) => isAllowed(limits, name));
}

/** Returns the `tool_choice` to write. The API refuses to force a call while thinking is on. In that case the model may choose (`auto`). */
function toolChoice({ tool_choice, thinking }: Fields, tools: readonly unknown[], { mode }: ToolLimits): unknown {
  const { type, disable_parallel_tool_use } = fieldsOf(tool_choice);
  const isThinking = !['undefined', 'disabled'].includes(String(fieldsOf(thinking)['type']));
  const wanted = mode === 'ANY' && !isThinking && tools.some((tool) => nameOf(tool).length > 0) ? 'any' : 'auto';
  if (wanted === type || (wanted === 'auto' && tool_choice === undefined)) return tool_choice;
  return { type: wanted, ...(disable_parallel_tool_use === undefined ? {} : { disable_parallel_tool_use }) };
}

function hasToolHistory({ messages }: Fields): boolean {
  return listOf(messages).some((message) => hasBlock(fieldsOf(message), 'tool_use') || hasBlock(fieldsOf(message), 'tool_result'));
}

/**
 * Returns a list with the name of a tool. The list is empty for a set of tools (a computer, a browser), whose names are unknown here. The
 * set is not filtered: its calls are checked against the selection before they run.
 */
function nameOf(tool: unknown): string[] {
  const { name, type } = fieldsOf(tool);
  return typeof name === 'string' && !serverTools.test(String(type)) ? [name] : [];
}
