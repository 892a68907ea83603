import type { MessageBus } from '@tenterhook/bus';
import { type AggregatedHookResult, eventEntry, type HookEventName, type McpContext } from '@tenterhook/protocol';
import { freezeDeeply } from '@tenterhook/runtime/json';
import { aggregateIdle } from '../aggregator/aggregate.js';
import type { HookPlanner } from '../planner/planner.js';
import type { HookSet } from '../registry/registry.js';

/** The answer to an event without hooks. All such events share one promise, so that nothing is allocated. */
const noHooks: Promise<AggregatedHookResult> = Promise.resolve(
  freezeDeeply({
    success: true,
    verdict: { kind: 'none' as const, stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [],
    totalDuration: 0,
  }),
);

/** The part of a system that the fast path uses. */
export interface FastPathContext {
  readonly bus: MessageBus;
  readonly planner: HookPlanner;
  readonly currentSet: () => HookSet;
  /** Whether events are logged. If so, events without a hook to run must be logged too. */
  readonly isLogging: () => boolean;
  /** Whether a source observes events of this name, including events without hooks. */
  readonly isObserved: (eventName: HookEventName) => boolean;
}

/**
 * Answers events for which no hook would run, without a message on the bus. After the first event with the same subject (for example the
 * same tool name), no object is allocated:
 * - An event without hooks gets a constant.
 * - An event whose hooks are all skipped gets the result that the bus would return. Hooks are skipped if their matcher does not match, or
 *   if they are disabled, untrusted or invalid. There is one promise per set of hooks, event and subject.
 *
 * Returns undefined if the event must be sent over the bus:
 * - A hook may run, or the plan depends on more than the subject.
 * - The subject is not valid for the event.
 * - The system is disposed, or the bus has no responder.
 * - The event has hooks, and the bus has a listener, such as a recorder. Listeners must also see events that no hook matches.
 *
 * Only the subject is read. The rest of the input is not validated, because no hook receives it. `signal` and `timeoutMs` are ignored,
 * because there is nothing to cancel. Never throws.
 */
export class FastPath {
  readonly #context: FastPathContext;
  #responders = 0;
  #isStopped = false;

  constructor(context: FastPathContext) {
    this.#context = context;
  }

  answerTo(eventName: HookEventName, subject: string, mcpContext?: McpContext): Promise<AggregatedHookResult> | undefined {
    if (this.#isStopped) return undefined;
    const set = this.#context.currentSet();
    if (set.hooks[eventName].length === 0) return this.#withoutHooks(eventName);
    if (typeof subject !== 'string' || this.#isWatched() || this.#context.isObserved(eventName)) return undefined;
    try {
      // An invalid context is not answered here, so that the service reports it.
      if (mcpContext !== undefined && typeof mcpContext.server_name !== 'string') return undefined;
      const plan = this.#context.planner.planOfSubject(set, eventName, subject, mcpContext);
      return plan?.stages.length === 0 ? aggregateIdle(plan).promise : undefined;
    } catch {
      // The input cannot be read, e.g. because a getter throws. It is sent to the bus, which reports the error.
      return undefined;
    }
  }

  /**
   * Answers an event after reading its subject from the input. Name and input may be any values. Returns undefined for an unknown event.
   */
  answerToInput(eventName: string, input: Readonly<Record<string, unknown>>): Promise<AggregatedHookResult> | undefined {
    if (this.#isStopped) return undefined;
    // Each set of hooks has an array for each known event, even an empty one. A lookup in the catalogue would take longer than all the
    // rest of this method. For a name such as `constructor` the value is not an array.
    const hooks: unknown = this.#context.currentSet().hooks[eventName as HookEventName];
    if (!Array.isArray(hooks)) return undefined;
    return hooks.length === 0 ? this.#withoutHooks(eventName as HookEventName) : this.#answerToSubjectIn(eventName as HookEventName, input);
  }

  #withoutHooks(eventName: HookEventName): Promise<AggregatedHookResult> | undefined {
    return this.#context.isObserved(eventName) ? undefined : noHooks;
  }

  #answerToSubjectIn(eventName: HookEventName, input: Readonly<Record<string, unknown>>): Promise<AggregatedHookResult> | undefined {
    const field = eventEntry(eventName).matcherField;
    let subject: unknown = '';
    let mcpContext: unknown;
    try {
      if (field !== undefined) subject = input[field];
      mcpContext = input['mcp_context'];
    } catch {
      // A getter threw, or the input is not an object, so there is no subject.
      subject = undefined;
    }
    return this.answerTo(eventName, subject as string, mcpContext as McpContext | undefined);
  }

  /**
   * Adds a responder of this system to the count, so that the responder is not mistaken for a listener from outside. Returns a function
   * that removes it from the count.
   */
  addResponder(): () => void {
    let isCounted = true;
    this.#responders += 1;
    return () => {
      if (isCounted) this.#responders -= 1;
      isCounted = false;
    };
  }

  /** From now on no event is answered here. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Whether the system is disposed. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Whether the bus has a listener or a responder of another system, or no responder at all. Reads counters and allocates nothing. */
  #isWatched(): boolean {
    const { bus, isLogging } = this.#context;
    return (
      this.#responders === 0 ||
      bus.listenerCount('HOOK_EXECUTION_REQUEST') !== this.#responders ||
      // This also covers subscribers in other processes, such as a recorder of requests.
      bus.isSubscribed('HOOK_EXECUTION_REQUEST') ||
      bus.listenerCount('HOOK_EXECUTION_PROGRESS') > 0 ||
      bus.listenerCount('HOOK_EXECUTION_RESPONSE') > 0 ||
      isLogging()
    );
  }
}
