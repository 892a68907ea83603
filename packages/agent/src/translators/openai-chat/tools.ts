import type { HookToolConfig } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { type Fields, fieldsOf, listOf, withFields } from '../fields.js';
import { filterItems, isAllowed, resolveToolConfig, type ToolLimits, toToolConfig } from '../tool-config.js';

const shownModes: ReadonlyMap<unknown, NonNullable<HookToolConfig['mode']>> = new Map([
  ['none', 'NONE'],
  ['auto', 'AUTO'],
  ['required', 'ANY'],
]);

/** Reads `tool_choice`, or `function_call`, which older requests have. */
export function showOpenAiToolConfig({ tool_choice, function_call }: Fields): HookToolConfig | undefined {
  const choice = tool_choice ?? function_call;
  if (typeof choice === 'string') return toToolConfig(shownModes.get(choice));
  const { allowed_tools } = fieldsOf(choice);
  if (isPlainObject(allowed_tools))
    return toToolConfig(shownModes.get(allowed_tools['mode']), listOf(allowed_tools['tools']).flatMap(nameOf));
  const names = nameOf(choice);
  return names.length === 0 ? undefined : toToolConfig('ANY', names);
}

export function openAiToolNames({ tools, functions }: Fields): string[] {
  return [...listOf(tools), ...listOf(functions)].flatMap(nameOf);
}

/**
 * Removes tools that the hooks do not allow. If no tool is left, the fields that choose among tools are removed too, because the API
 * refuses them without tools. Unlike Anthropic's API, OpenAI's API accepts calls in the history without a list of tools.
 */
export function withOpenAiToolConfig<Request extends object>(request: Request, wanted: HookToolConfig): Request {
  const fields = fieldsOf(request);
  const limits = resolveToolConfig(showOpenAiToolConfig(fields), wanted);
  if (limits === undefined) return request;
  const tools = filterTools(fields['tools'], limits);
  const functions = filterTools(fields['functions'], limits);
  return withFields(request, {
    tools,
    functions,
    tool_choice: tools && toolChoice(fields['tool_choice'], tools, limits),
    function_call: functions && functionCall(fields['function_call'], functions, limits),
    parallel_tool_calls: tools && fields['parallel_tool_calls'],
  });
}

function filterTools(tools: unknown, limits: ToolLimits): readonly unknown[] | undefined {
  if (limits.mode === 'NONE') return undefined;
  const kept = filterItems(listOf(tools), (tool) => nameOf(tool).every((name) => isAllowed(limits, name)));
  return kept.length === 0 ? undefined : kept;
}

function toolChoice(current: unknown, tools: readonly unknown[], { mode }: ToolLimits): unknown {
  if (mode === 'ANY' && tools.some((tool) => nameOf(tool).length > 0)) return 'required';
  return current === undefined || current === null ? current : 'auto';
}

/** Returns the older field `function_call`. It can only force a call of one named function. */
function functionCall(current: unknown, functions: readonly unknown[], { mode }: ToolLimits): unknown {
  const names = functions.flatMap(nameOf);
  if (mode === 'ANY' && names.length === 1) return { name: names[0] };
  return current === undefined || current === null ? current : 'auto';
}

/**
 * Returns the name of a tool. Functions and custom tools have their name in a field that is named after their type. Functions of the older
 * format have it directly.
 */
function nameOf(tool: unknown): string[] {
  const { name, function: aFunction, custom } = fieldsOf(tool);
  const names = [name, fieldsOf(aFunction)['name'], fieldsOf(custom)['name']];
  return names.filter((each): each is string => typeof each === 'string').slice(0, 1);
}
