import { type ClientSource, tellMessage } from '@tenterhook/agent/internal';
import { describeOption } from '@tenterhook/runtime/text';
import type { AnyAgent, AnyHandoff, RunContext } from '../agents-sdk.js';
import { hookModel } from '../model/hook-model.js';
import { type HookAgentOptions, type Hooked, toHooked } from '../options.js';
import { keyOfTools } from '../run-keys.js';
import { hookTool } from '../tools/hook-tool.js';
import { ToolCopies, type ToolHost } from '../tools/tool-host.js';
import { keepStops } from './keep-stops.js';
import { findMcpServers } from './mcp-servers.js';

/** What the parts of a hooked agent share. The options are replaced if the agent is hooked again. */
class AgentHost implements ToolHost {
  hooked: Hooked;
  copies = new ToolCopies();
  readonly servers = new WeakMap<object, string>();
  readonly hookedRuns = new WeakSet<RunContext>();
  readonly #agent: AnyAgent;
  /** The agent of which this one is a clone, and the description of the sandbox that it had then. */
  #clone: { readonly original: AnyAgent; readonly manifest: unknown } | undefined;
  readonly #named = new Set<string>();

  constructor(hooked: Hooked, agent: AnyAgent) {
    this.hooked = hooked;
    this.#agent = agent;
  }

  /**
   * For the run of an agent with a sandbox, the SDK makes a clone, and then describes the sandbox in it. The calls of such a clone are those of
   * the original. A clone of the app is an agent of its own.
   */
  get approver(): AnyAgent {
    const { original, manifest } = this.#clone ?? {};
    return original === undefined || manifestOf(this.#agent) === manifest ? this.#agent : hosts.get(original)!.approver;
  }

  isCloneOf(original: AnyAgent): void {
    this.#clone = { original, manifest: manifestOf(this.#agent) };
  }

  tellUngated(toolName: string): void {
    if (this.#named.has(toolName)) return;
    this.#named.add(toolName);
    const text = `Hooks cannot gate the tool ${toolName}, because it does not run in this process, or the SDK runs it without a function.`;
    tellMessage(this.hooked.options.onMessage, { text, audience: 'user', eventName: 'BeforeTool' });
  }
}

const hosts = new WeakMap<AnyAgent, AgentHost>();

function manifestOf(agent: AnyAgent): unknown {
  return (agent as { readonly runtimeManifest?: unknown }).runtimeManifest;
}

/**
 * Makes an agent ask the hooks, and all agents that it can hand off to: before and after each tool that runs in this process, and around
 * the model if `agent.model` is an object. Returns the same agent. It is changed in place, because handoffs, stored runs and `asTool()`
 * refer to the agent itself, so a copy would leave a way past the hooks. Agents that are tools (`asTool()`) are hooked separately.
 *
 * Throws a TypeError for wrong use, and if the agent is hooked with another client. An agent that serves several sessions gets a function
 * that returns the client of the present session.
 */
export function hookAgent<A extends AnyAgent>(client: ClientSource, agent: A, options?: HookAgentOptions): A {
  const hooked = toHooked('hookAgent', client, options);
  if (typeof agent?.getAllTools !== 'function') {
    throw new TypeError(`hookAgent: the second argument must be an Agent of "@openai/agents", and is ${describeOption(agent)}.`);
  }
  hookAll(hooked, agent, options !== undefined);
  return agent;
}

/**
 * Hooks an agent and all agents that it can hand off to. An agent that is reached again ends the search. Returns the client and the options
 * of the first agent.
 */
export function hookAll(hooked: Hooked, agent: AnyAgent, replacesOptions: boolean): Hooked {
  const waiting = [agent];
  const reached = new Set<AnyAgent>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    hookOne(hooked, next, replacesOptions);
    for (const entry of next.handoffs) waiting.push('onInvokeHandoff' in entry ? hookHandoff(hooked, entry) : entry);
  }
  return hosts.get(agent)!.hooked;
}

const hookedHandoffs = new WeakSet<AnyHandoff>();

/** Hooks what a handoff leads to when it is carried out, which may be another agent than the one that it names. Returns the latter. */
function hookHandoff(hooked: Hooked, handoff: AnyHandoff): AnyAgent {
  if (!hookedHandoffs.has(handoff)) {
    hookedHandoffs.add(handoff);
    const { onInvokeHandoff } = handoff;
    handoff.onInvokeHandoff = async (...args) => {
      const next = await onInvokeHandoff.apply(handoff, args);
      hookAll(hooked, next, false);
      return next;
    };
    if (typeof handoff.inputFilter === 'function') handoff.inputFilter = keepStops(hooked, handoff.inputFilter);
  }
  return handoff.agent;
}

function hookOne(hooked: Hooked, agent: AnyAgent, replacesOptions: boolean): void {
  const known = hosts.get(agent);
  if (known === undefined) {
    override(agent, hooked);
  } else {
    if (known.hooked.source !== hooked.source) throw new TypeError(otherClient(hooked, agent));
    if (replacesOptions) {
      known.hooked = hooked;
      known.copies = new ToolCopies();
    }
  }
  const { hooked: current } = hosts.get(agent)!;
  if (typeof agent.model === 'object' && agent.model !== null) agent.model = hookModel(current, agent.model);
}

/** Overrides the methods by which the SDK reaches tools and other agents. They are not enumerable, because `clone()` copies what is. */
function override(agent: AnyAgent, hooked: Hooked): void {
  const host = new AgentHost(hooked, agent);
  hosts.set(agent, host);
  const { getAllTools, getMcpTools, getEnabledHandoffs, clone } = agent;
  const methods: Partial<AnyAgent> = {
    async getAllTools(...args) {
      const tools = await getAllTools.apply(agent, args);
      const [runContext] = args;
      const owner = { host, runContext, key: keyOfTools(tools, runContext) };
      return Promise.all(tools.map((tool) => hookTool(owner, tool)));
    },
    async getMcpTools(...args) {
      const tools = await getMcpTools.apply(agent, args);
      await findMcpServers(host, agent, tools, args[0]);
      return tools;
    },
    async getEnabledHandoffs(...args) {
      const handoffs = await getEnabledHandoffs.apply(agent, args);
      // Handoffs may have been added since the agent was hooked.
      for (const handoff of handoffs) hookAll(host.hooked, hookHandoff(host.hooked, handoff), false);
      return handoffs;
    },
    // The SDK runs a clone of an agent with a sandbox.
    clone(config) {
      const copy = clone.call(agent, config);
      hookAll(host.hooked, copy, false);
      hosts.get(copy)!.isCloneOf(agent);
      return copy;
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(agent, name, { value, enumerable: false, configurable: true, writable: true });
  }
}

function otherClient({ caller }: Hooked, agent: AnyAgent): string {
  return `${caller}: the agent "${agent.name}" is hooked with another client. If it serves several sessions, pass a function that returns the client of the present session, and the same function each time.`;
}
