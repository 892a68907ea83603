import { fieldsOf, filterItems, isAllowed, listOf, resolveToolConfig, toToolConfig, withFields } from '@tenterhook/agent/internal';
import type { HookToolConfig } from '@tenterhook/protocol';
import type { ModelRequest } from '../agents-sdk.js';

type SdkTool = ModelRequest['tools'][number];

const shownModes: ReadonlyMap<string, NonNullable<HookToolConfig['mode']>> = new Map([
  ['none', 'NONE'],
  ['auto', 'AUTO'],
  ['required', 'ANY'],
]);

/** The tools that hooks see and gate, under the names that hooks match. Tools of the service have none. */
export function toolNames({ tools }: ModelRequest): string[] {
  return listOf(tools).flatMap((tool) => nameOf(tool as SdkTool));
}

export function showToolConfig(request: ModelRequest): HookToolConfig | undefined {
  const { toolChoice } = request.modelSettings ?? {};
  if (toolChoice === undefined) return undefined;
  const mode = shownModes.get(toolChoice);
  if (mode !== undefined) return toToolConfig(mode);
  return toolNames(request).includes(toolChoice) ? toToolConfig('ANY', [toolChoice]) : undefined;
}

/** Removes tools that the hooks do not allow. Handoffs are not tools, and tools of the service stay if the mode permits it. */
export function withToolConfig(request: ModelRequest, wanted: HookToolConfig): ModelRequest {
  const limits = resolveToolConfig(showToolConfig(request), wanted);
  if (limits === undefined) return request;
  const all = listOf(request.tools) as readonly SdkTool[];
  const tools = limits.mode === 'NONE' ? [] : filterItems(all, (tool) => nameOf(tool).every((name) => isAllowed(limits, name)));
  const { toolChoice, ...settings } = request.modelSettings ?? {};
  const isForced = limits.mode === 'ANY' && tools.some((tool) => nameOf(tool).length > 0);
  // The choice among no tools is refused by services. Without a choice, the model may still hand off.
  const choice = isForced ? 'required' : toolChoice === undefined || tools.length === 0 ? undefined : 'auto';
  return withFields(request, {
    tools: tools === all ? request.tools : [...tools],
    modelSettings: choice === toolChoice ? request.modelSettings : { ...settings, ...(choice === undefined ? {} : { toolChoice: choice }) },
  });
}

function nameOf(tool: SdkTool): string[] {
  const { type, name } = fieldsOf(tool);
  if (type === 'shell' || type === 'apply_patch' || type === 'computer') return [type];
  return type === 'function' && typeof name === 'string' ? [name] : [];
}
