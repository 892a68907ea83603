import { toMcpContext } from '@tenterhook/agent/internal';
import type { McpContext } from '@tenterhook/protocol';
import type { AnyAgent, RunContext, Tool } from '../agents-sdk.js';
import { knownCall, type OwnedCall } from '../known-calls.js';
import { clientOf, type Hooked } from '../options.js';

/** What the hooked tools of one agent need. */
export interface ToolHost {
  readonly hooked: Hooked;
  /** The agent under which the SDK keeps approvals of its calls. */
  readonly approver: AnyAgent;
  readonly copies: ToolCopies;
  /** The names of the MCP servers of the agent, by the tools that the SDK made of them. */
  readonly servers: WeakMap<object, string>;
  /** The runs in which a hooked model received the tools of the agent. */
  readonly hookedRuns: WeakSet<RunContext>;
  /** Tells the app once that hooks cannot gate a tool. */
  tellUngated(toolName: string): void;
}

/** The hooked tools of an agent, by run and by tool of the app. The SDK compares functions of a tool between two turns of a run. */
export class ToolCopies {
  readonly #byRun = new WeakMap<object, WeakMap<object, Tool>>();

  /** Returns the copies of one run. */
  of(runContext: RunContext | undefined): WeakMap<object, Tool> {
    const run = runContext ?? this;
    const known = this.#byRun.get(run) ?? new WeakMap<object, Tool>();
    this.#byRun.set(run, known);
    return known;
  }
}

/** The run that hooked tools belong to. */
export interface ToolOwner {
  readonly host: ToolHost;
  readonly runContext: RunContext | undefined;
  /** The key of the run, for tools that do not receive the context. */
  readonly key: RunContext | undefined;
}

/** Returns the MCP server of a tool: what the app says, or else the server of the agent. */
export function mcpContextOf(host: ToolHost, tool: Tool): McpContext | undefined {
  const server = host.servers.get(tool);
  return toMcpContext(host.hooked.options.mcpServerOf, tool.name) ?? (server === undefined ? undefined : { server_name: server });
}

/**
 * Whether a hooked model made the call, so that what the call leaves reaches the next model call. A model whose requests do not show their run
 * has entered the call, and each call that a model entered has a signal.
 */
export function isOfHookedModel({ hooked, hookedRuns }: ToolHost, call: OwnedCall): boolean {
  if (call.key !== undefined && hookedRuns.has(call.key)) return true;
  return knownCall(clientOf(hooked), call)?.signal !== undefined;
}
