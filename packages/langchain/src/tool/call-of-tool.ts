import type { HookClient, ReviewedToolCall } from '@tenterhook/agent';
import { type CallLedger, createCallLedger, type KnownCall } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { KnownCalls } from '../known-calls.js';
import { AIMessage, type ToolRequest } from '../langchain-library.js';

/** The tasks of suspended threads. The run that goes on with a task is another one, and the task has the same id in it. */
const tasksByClient = new WeakMap<HookClient, CallLedger>();

/** The calls that the user has approved, by the objects of the calls: two calls of an answer may have the same id, tool and arguments. */
const approvedByClient = new WeakMap<HookClient, WeakMap<object, ReviewedToolCall>>();

/** One call of a tool, from its first attempt to its result, also if its run is suspended in between. */
export class CallOfTool {
  readonly #client: HookClient;
  readonly #request: Pick<ToolRequest, 'toolCall' | 'state' | 'runtime'>;
  readonly #known: KnownCall | undefined;

  constructor(client: HookClient, request: Pick<ToolRequest, 'toolCall' | 'state' | 'runtime'>) {
    const { toolCall, runtime } = request;
    this.#client = client;
    this.#request = request;
    this.#known = toolCall.id === undefined ? undefined : KnownCalls.find(client, runtime)?.get(toolCall.id);
  }

  /** What is known about the call since the model has made it. */
  get known(): KnownCall | undefined {
    return this.#known ?? this.#saved;
  }

  /** Keeps what is known, so that it counts if the tool or a hook suspends the run. */
  open(): void {
    const { toolSelection, additions } = this.#known ?? {};
    if (toolSelection !== undefined || additions !== undefined) this.#save(omitUndefined({ toolSelection, additions }));
  }

  /** The call as the user has approved it. */
  get approved(): ReviewedToolCall | undefined {
    return approvedByClient.get(this.#client)?.get(this.#request.toolCall) ?? this.#saved?.reviewed;
  }

  approve(reviewed: ReviewedToolCall): void {
    const approved = approvedByClient.get(this.#client) ?? new WeakMap<object, ReviewedToolCall>();
    approvedByClient.set(this.#client, approved);
    approved.set(this.#request.toolCall, reviewed);
    this.#save({ reviewed });
  }

  /** The key of the task, with the place of the call in it. Undefined without a thread, because such a run cannot be suspended. */
  get #task(): string | undefined {
    const { toolCall, state, runtime } = this.#request;
    const { thread_id: thread, checkpoint_ns: task } = runtime.configurable ?? {};
    if (thread === undefined || typeof task !== 'string') return undefined;
    return JSON.stringify([thread, task, toolCall.id, placeIn(state, toolCall)]);
  }

  get #saved(): KnownCall | undefined {
    const tasks = tasksByClient.get(this.#client);
    const task = tasks === undefined ? undefined : this.#task;
    return task === undefined ? undefined : tasks?.get(task);
  }

  #save(known: KnownCall): void {
    const task = this.#task;
    if (task === undefined) return;
    const tasks = tasksByClient.get(this.#client) ?? createCallLedger();
    tasksByClient.set(this.#client, tasks);
    tasks.note(task, known);
  }
}

/** Returns the place of a call among the calls of its answer. In version 1 of agents, all of them are one task. */
function placeIn(state: unknown, toolCall: object): number {
  const { messages } = (state ?? {}) as { readonly messages?: unknown };
  const answer = Array.isArray(messages) ? messages.findLast((message) => AIMessage.isInstance(message)) : undefined;
  return (answer as AIMessage | undefined)?.tool_calls?.indexOf(toolCall as never) ?? -1;
}
