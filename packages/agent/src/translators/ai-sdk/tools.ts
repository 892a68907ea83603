import type { HookToolConfig } from '@tenterhook/protocol';
import { type Fields, fieldsOf, listOf, withFields } from '../fields.js';
import { filterItems, isAllowed, resolveToolConfig, type ToolLimits, toToolConfig } from '../tool-config.js';

const shownModes: ReadonlyMap<unknown, NonNullable<HookToolConfig['mode']>> = new Map([
  ['auto', 'AUTO'],
  ['required', 'ANY'],
  ['tool', 'ANY'],
  ['none', 'NONE'],
]);

export function showAiSdkToolConfig({ toolChoice }: Fields): HookToolConfig | undefined {
  const { type, toolName } = fieldsOf(toolChoice);
  return toToolConfig(shownModes.get(type), type === 'tool' ? [String(toolName)] : undefined);
}

export function aiSdkToolNames({ tools }: Fields): string[] {
  return listOf(tools).flatMap(nameOf);
}

/**
 * Removes tools that the hooks do not allow. If no tool is left, the choice is removed too. Tools of the provider stay if the mode permits
 * it, because the provider may run them itself; if the agent runs one, its call is checked against the selection.
 */
export function withAiSdkToolConfig<Request extends object>(request: Request, wanted: HookToolConfig): Request {
  const fields = fieldsOf(request);
  const limits = resolveToolConfig(showAiSdkToolConfig(fields), wanted);
  if (limits === undefined) return request;
  const tools = limits.mode === 'NONE' ? [] : filterItems(listOf(fields['tools']), (tool) => isLeft(tool, limits));
  return tools.length === 0
    ? withFields(request, { tools: undefined, toolChoice: undefined })
    : withFields(request, { tools, toolChoice: toolChoice(fields, tools, limits) });
}

function isLeft(tool: unknown, limits: ToolLimits): boolean {
  return nameOf(tool).every((name) => isAllowed(limits, name));
}

function toolChoice(fields: Fields, tools: readonly unknown[], { mode }: ToolLimits): unknown {
  const current = fields['toolChoice'];
  const wanted = mode === 'ANY' && tools.some((tool) => nameOf(tool).length > 0) ? 'required' : 'auto';
  const isSame = fieldsOf(current)['type'] === wanted || (wanted === 'auto' && current === undefined);
  return isSame ? current : { type: wanted };
}

/** Returns a list with the name of a function. The list is empty for a tool of the provider. */
function nameOf(tool: unknown): string[] {
  const { type, name } = fieldsOf(tool);
  return type === 'function' && typeof name === 'string' ? [name] : [];
}
