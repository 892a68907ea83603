import { filterItems, isAllowed, resolveToolConfig, toToolConfig } from '@tenterhook/agent/internal';
import type { HookToolConfig } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { LangChainRequest } from './request.js';

/** Reads `toolChoice` of a request. */
export function showToolChoice(choice: unknown): HookToolConfig | undefined {
  if (typeof choice === 'string') return toToolConfig(({ none: 'NONE', auto: 'AUTO', required: 'ANY' } as const)[choice as 'none']);
  const name = isPlainObject(choice) && isPlainObject(choice['function']) ? choice['function']['name'] : undefined;
  return typeof name === 'string' ? toToolConfig('ANY', [name]) : undefined;
}

/** Returns the name of a tool that the agent carries out. Undefined for a tool of the provider, e.g. a search. */
export function toolNameOf(tool: unknown): string | undefined {
  if (typeof tool !== 'object' || tool === null) return undefined;
  const { invoke, name, function: described } = tool as { invoke?: unknown; name?: unknown; function?: unknown };
  if (typeof invoke === 'function') return typeof name === 'string' ? name : undefined;
  const inner = isPlainObject(described) ? described['name'] : undefined;
  return typeof inner === 'string' ? inner : undefined;
}

/**
 * Removes tools that hooks do not allow. The tools that are left are the same objects, because LangChain refuses others. Tools of the
 * provider stay, unless the mode is `NONE`.
 */
export function withToolConfig<Request extends LangChainRequest>(request: Request, wanted: HookToolConfig): Request {
  const limits = resolveToolConfig(showToolChoice(request.toolChoice), wanted);
  if (limits === undefined) return request;
  const isKept = (tool: unknown) => {
    const name = toolNameOf(tool);
    return name === undefined || isAllowed(limits, name);
  };
  const tools = limits.mode === 'NONE' ? [] : filterItems(request.tools, isKept);
  const { toolChoice: current, ...rest } = request;
  const isAnyLeft = tools.some((tool) => toolNameOf(tool) !== undefined);
  const choice = isAnyLeft && limits.mode === 'ANY' ? 'required' : tools.length > 0 && current !== undefined ? 'auto' : undefined;
  return { ...rest, tools, ...(choice === undefined ? {} : { toolChoice: choice }) } as unknown as Request;
}
