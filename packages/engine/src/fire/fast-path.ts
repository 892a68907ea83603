import type { MessageBus } from '@tenterhook/bus';
import {
  type AggregatedHookResult,
  eventEntry,
  type HookEvent,
  type HookEventName,
  type HookInput,
  type McpContext,
} from '@tenterhook/protocol';
import * as z from 'zod';
import { idleAnswer } from '../aggregator/idle-answer.js';
import type { HookPlanner } from '../planner/planner.js';
import type { HookSet } from '../registry/hook-set.js';
import { noHooks } from './no-hooks.js';

/** What is needed of a system to know that an event has nothing to do. */
export interface IdleContext {
  readonly bus: MessageBus;
  readonly planner: HookPlanner;
  readonly currentSet: () => HookSet;
  /** Whether events are written to a log: then those without a hook to run are, too. */
  readonly isLogging: () => boolean;
  /** Whether a source of hooks wants to see events of this name, also those that no hook is for. */
  readonly isObserved: (eventName: HookEventName) => boolean;
  readonly projectDir: string;
}

/**
 * Answers at once, without a promise, an object or a message of its own, what no hook would run for (seed 001 §7.1):
 * - an event without hooks gets one constant;
 * - an event whose hooks all stay out for this subject (matchers that do not match, hooks that are disabled, untrusted or invalid) gets the
 *   result that the bus would have brought, outcomes and all: one promise for each set of hooks, event and subject.
 *
 * Everything else is undefined, and a request on the bus: a hook may run, a dialect reads more of the event than its subject, the
 * subject is none that the event can have, the system is disposed, nobody answers on the bus, or an event with hooks is watched. A
 * recorder that sees what ran must see what did not (design §4.3).
 *
 * Nothing but the subject is looked at, `signal` and `timeoutMs` included: there is nothing to cancel, and the answer is there before
 * time could run out. What is wrong elsewhere in the input is for hooks that would see it. Never throws.
 */
export class IdleEvents {
  readonly #context: IdleContext;
  #responders = 0;
  #isStopped = false;

  constructor(context: IdleContext) {
    this.#context = context;
  }

  answerTo(eventName: HookEventName, subject: string, mcpContext?: McpContext): Promise<AggregatedHookResult> | undefined {
    if (this.#isStopped) return undefined;
    const set = this.#context.currentSet();
    if (set.hooks[eventName].length === 0) return this.#context.isObserved(eventName) ? undefined : noHooks;
    if (typeof subject !== 'string' || this.#isWatched() || this.#context.isObserved(eventName)) return undefined;
    try {
      return this.#answerOfSet(set, eventName, subject, mcpContext);
    } catch {
      // What fails here, an input that no event can have for one, fails again on the bus, where the request is answered for it.
      return undefined;
    }
  }

  /** The same for an input as it is sent, which may be anything. */
  answerToInput(eventName: HookEventName, input: Readonly<Record<string, unknown>>): Promise<AggregatedHookResult> | undefined {
    const field = eventEntry(eventName).matcherField;
    let subject: unknown = '';
    let mcpContext: unknown;
    try {
      if (field !== undefined) subject = input[field];
      mcpContext = input['mcp_context'];
    } catch {
      // A getter that throws, or no input at all: no subject.
      subject = undefined;
    }
    return this.answerTo(eventName, subject as string, mcpContext as McpContext | undefined);
  }

  /** Called for each responder of ours on the bus, which is not somebody who watches; the returned function takes it back. */
  addResponder(): () => void {
    let isCounted = true;
    this.#responders += 1;
    return () => {
      if (isCounted) this.#responders -= 1;
      isCounted = false;
    };
  }

  /** From now on every event is a request, which says that the system is gone: "nothing matched" would be no longer true. */
  stop(): void {
    this.#isStopped = true;
  }

  #answerOfSet(set: HookSet, eventName: HookEventName, subject: string, mcpContext: McpContext | undefined) {
    if (mcpContext !== undefined && typeof mcpContext.server_name !== 'string') return undefined;
    const plans = this.#context.planner.plansOf(set, eventName);
    const key = plans.keyOf(subject, mcpContext);
    if (key === undefined) return undefined;
    const known = plans.known(key);
    if (known === undefined && !isSubject(eventName, subject)) return undefined;
    const plan = known ?? plans.planAnew(this.#eventOf(eventName, subject, mcpContext), key);
    return plan.stages.length === 0 ? idleAnswer(plan).promise : undefined;
  }

  /** Somebody else answers on the bus, nobody does, or somebody listens. Reads counters, and makes nothing. */
  #isWatched(): boolean {
    const { bus, isLogging } = this.#context;
    return (
      this.#responders === 0 ||
      bus.listenerCount('HOOK_EXECUTION_REQUEST') !== this.#responders ||
      // Also from another process: whoever wants to see everything subscribes to the requests.
      bus.isSubscribed('HOOK_EXECUTION_REQUEST') ||
      bus.listenerCount('HOOK_EXECUTION_PROGRESS') > 0 ||
      bus.listenerCount('HOOK_EXECUTION_RESPONSE') > 0 ||
      isLogging()
    );
  }

  /** As much of the event as a dialect reads that has a key for it; only the first event of a subject is made. */
  #eventOf(eventName: HookEventName, subject: string, mcpContext: McpContext | undefined): HookEvent {
    const field = eventEntry(eventName).matcherField;
    const input = {
      hook_event_name: eventName,
      ...(field === undefined ? {} : { [field]: subject }),
      ...(mcpContext === undefined ? {} : { mcp_context: mcpContext }),
    };
    return { eventName, input: input as unknown as HookInput, projectDir: this.#context.projectDir };
  }
}

/** A misspelt `source` or `trigger` is an invalid input that somebody has to be told of, and not one that nothing matches. */
function isSubject(eventName: HookEventName, subject: string): boolean {
  const { input, matcherField } = eventEntry(eventName);
  const schema = matcherField === undefined ? undefined : input.shape[matcherField];
  return schema === undefined || z.safeParse(schema, subject).success;
}
