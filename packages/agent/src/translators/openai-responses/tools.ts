import type { HookToolConfig } from '@tenterhook/protocol';
import { type Fields, fieldsOf, listOf, withFields } from '../fields.js';
import { filterItems, isAllowed, resolveToolConfig, type ToolLimits, toToolConfig } from '../tool-config.js';

const shownModes: ReadonlyMap<unknown, NonNullable<HookToolConfig['mode']>> = new Map([
  ['none', 'NONE'],
  ['auto', 'AUTO'],
  ['required', 'ANY'],
]);

export function showResponsesToolConfig({ tool_choice }: Fields): HookToolConfig | undefined {
  if (typeof tool_choice === 'string') return toToolConfig(shownModes.get(tool_choice));
  const { type, mode, tools } = fieldsOf(tool_choice);
  if (type === 'allowed_tools') return toToolConfig(shownModes.get(mode), listOf(tools).flatMap(nameOf));
  const names = nameOf(tool_choice);
  return names.length === 0 ? undefined : toToolConfig('ANY', names);
}

export function responsesToolNames({ tools }: Fields): string[] {
  return listOf(tools).flatMap(nameOf);
}

/**
 * Removes functions and custom tools that the hooks do not allow. Tools without a name in this API (a namespace, tools of the service) stay
 * if the mode permits it. The calls of a namespace are checked against the selection before they run. If no tool is left, the fields that
 * choose among tools are removed too.
 */
export function withResponsesToolConfig<Request extends object>(request: Request, wanted: HookToolConfig): Request {
  const fields = fieldsOf(request);
  const limits = resolveToolConfig(showResponsesToolConfig(fields), wanted);
  if (limits === undefined) return request;
  const tools = limits.mode === 'NONE' ? [] : filterItems(listOf(fields['tools']), (tool) => isLeft(tool, limits));
  const isLeftOver = tools.length > 0;
  return withFields(request, {
    tools: isLeftOver ? tools : undefined,
    tool_choice: isLeftOver ? toolChoice(fields['tool_choice'], tools, limits) : undefined,
    parallel_tool_calls: isLeftOver ? fields['parallel_tool_calls'] : undefined,
  });
}

function isLeft(tool: unknown, limits: ToolLimits): boolean {
  return nameOf(tool).every((name) => isAllowed(limits, name));
}

function toolChoice(current: unknown, tools: readonly unknown[], limits: ToolLimits): unknown {
  const { type } = fieldsOf(current);
  if (type === 'allowed_tools') return allowedTools(fieldsOf(current), tools, limits);
  if (limits.mode === 'ANY' && tools.some((tool) => nameOf(tool).length > 0)) return 'required';
  if (current === undefined || current === null) return current;
  // The choice of a tool of the service stays, because hooks do not limit these tools.
  return typeof current === 'object' && nameOf(current).length === 0 ? current : 'auto';
}

/**
 * Returns the list of allowed tools without those that the hooks do not allow, and with those that a hook added. The list stays, because a
 * mode in its place would enable tools of the service that the agent left out.
 */
function allowedTools(current: Fields, tools: readonly unknown[], limits: ToolLimits): unknown {
  const others = listOf(current['tools']).filter((tool) => nameOf(tool).length === 0);
  const named = tools.flatMap((tool) => nameOf(tool).map((name) => ({ type: fieldsOf(tool)['type'], name })));
  const allowed = [...named, ...others];
  if (allowed.length === 0) return 'none';
  return withFields(current, { mode: limits.mode === 'ANY' ? 'required' : 'auto', tools: allowed });
}

/** Returns a list with the name of a function or a custom tool. The list is empty for every other tool. */
function nameOf(tool: unknown): string[] {
  const { type, name } = fieldsOf(tool);
  return (type === 'function' || type === 'custom') && typeof name === 'string' ? [name] : [];
}
