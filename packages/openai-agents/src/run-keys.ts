import type { ModelRequest, RunContext, Tool } from './agents-sdk.js';
import type { ToolOwner } from './tools/tool-host.js';

/**
 * The agents and the contexts of runs, by objects in the tools of the run. A context is the key of its run. The SDK passes it to tools and to
 * approvals, and not to the model. But a request to the model refers to the parameters of each function and to the environment of each shell,
 * and the SDK asks the agent for its tools in each turn, with the context. So each run gets tools with such objects of its own.
 */
const owners = new WeakMap<object, ToolOwner>();

/** Returns the part of a tool that a request to the model refers to. */
function sharedPart(tool: { readonly type: string; readonly parameters?: unknown; readonly environment?: unknown }): object | undefined {
  const part = tool.type === 'function' ? tool.parameters : tool.type === 'shell' ? tool.environment : undefined;
  return typeof part === 'object' && part !== null ? part : undefined;
}

/** Returns the key for tools that do not receive the context. Undefined if the requests with these tools do not show their run. */
export function keyOfTools(tools: readonly Tool[], runContext: RunContext | undefined): RunContext | undefined {
  return tools.some((tool) => sharedPart(tool) !== undefined) ? runContext : undefined;
}

/** Returns the fields by which a request to the model shows its run. */
export function keyFields(owner: ToolOwner, tool: Tool): object {
  const part = sharedPart(tool);
  if (part === undefined || owner.runContext === undefined) return {};
  const copy = { ...part };
  owners.set(copy, owner);
  return tool.type === 'function' ? { parameters: copy } : { environment: copy };
}

/** Returns the key of the run that a request belongs to. Undefined if the request has no function and no shell of a hooked agent. */
export function keyOfRequest(request: ModelRequest): RunContext | undefined {
  return ownerOf(request)?.runContext;
}

/** Notes that the model of the agent is hooked in this run. The tools of the agent need it, also if the request has no hooks. */
export function noteHookedModel(request: ModelRequest): void {
  const { host, runContext } = ownerOf(request) ?? {};
  if (runContext !== undefined) host?.hookedRuns.add(runContext);
}

function ownerOf({ tools }: ModelRequest): ToolOwner | undefined {
  // Programs that call a model themselves may leave the tools out.
  for (const tool of tools ?? []) {
    const part = sharedPart(tool);
    const owner = part === undefined ? undefined : owners.get(part);
    if (owner !== undefined) return owner;
  }
  return undefined;
}
