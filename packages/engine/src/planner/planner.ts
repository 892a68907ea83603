import {
  type Dialect,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookInput,
  type McpContext,
  matcherSubject,
  type Plan,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import type { HookSet } from '../registry/registry.js';
import { planEvent } from './plan-event.js';

/** The most entries of each list of one event; beyond it the oldest goes. Tool names are few, notification types may not be. */
const maxPlans = 1024;

/** Plans events, and remembers the plans of each set of hooks: they belong to one set and are collected with it. */
export class HookPlanner {
  readonly #plans = new WeakMap<HookSet, Map<HookEventName, EventPlans>>();

  plan(set: HookSet, event: HookEvent): Plan {
    return this.#plansOf(set, event.eventName).plan(event);
  }

  /**
   * The plan of every event with this subject (`''` for an event without one), before any such event exists. Undefined if the plan
   * depends on more than the subject and the MCP server, or if no valid event has this subject.
   */
  planOfSubject(set: HookSet, eventName: HookEventName, subject: string, mcpContext: McpContext | undefined): Plan | undefined {
    return this.#plansOf(set, eventName).planOfSubject(subject, mcpContext);
  }

  #plansOf(set: HookSet, eventName: HookEventName): EventPlans {
    let ofSet = this.#plans.get(set);
    if (ofSet === undefined) {
      ofSet = new Map();
      this.#plans.set(set, ofSet);
    }
    let plans = ofSet.get(eventName);
    if (plans === undefined) {
      plans = new EventPlans(eventName, set.hooks[eventName], set.dialects);
      ofSet.set(eventName, plans);
    }
    return plans;
  }
}

/** A plan, or `reads-more`: the selections read more of the event than a plan is remembered by, so it is planned each time. */
type Remembered = Plan | 'reads-more';

/** What is known of a subject: a plan for every event with it, or only that the plan depends on the MCP context as well. */
type OfSubject = Remembered | 'reads-context';

/**
 * The plans of one event in one set of hooks. A plan is remembered by the parts of the event that its selections read, which the first event
 * of each subject shows: selecting is pure, so events that agree in the parts that were read have one plan. With this, 1000 hooks that do not
 * match cost one lookup.
 */
class EventPlans {
  readonly #eventName: HookEventName;
  readonly #hooks: readonly HookDefinition[];
  readonly #dialects: readonly Dialect[];
  /** Of all subjects, where no selection reads it: no hook has a matcher, or none may run. */
  #ofAll: Plan | undefined;
  readonly #bySubject = new Map<string, OfSubject>();
  /** By subject alone, of events without an MCP context: most tools are the agent's own, and their lookup builds no key. */
  readonly #withoutContext = new Map<string, Remembered>();
  readonly #byContext = new Map<string, Remembered>();

  constructor(eventName: HookEventName, hooks: readonly HookDefinition[], dialects: readonly Dialect[]) {
    this.#eventName = eventName;
    this.#hooks = hooks;
    this.#dialects = dialects;
  }

  plan(event: HookEvent): Plan {
    const subject = eventEntry(this.#eventName).matcherField === undefined ? '' : matcherSubject(event.eventName, event.input);
    // Whatever is there in place of a text, there is no key for it.
    if (subject === undefined) return planEvent(this.#hooks, this.#dialects, event);
    const context = (event.input as Readonly<Record<string, unknown>>)['mcp_context'];
    const known = this.#find(subject, context) ?? this.#learn(event, subject, context);
    return known === 'reads-more' ? planEvent(this.#hooks, this.#dialects, event) : known;
  }

  planOfSubject(subject: string, context: McpContext | undefined): Plan | undefined {
    let known = this.#find(subject, context);
    if (known === undefined) {
      if (!this.#isValidSubject(subject)) return undefined;
      known = this.#learn(this.#eventOf(subject, context), subject, context);
    }
    return known === 'reads-more' ? undefined : known;
  }

  #find(subject: string, context: unknown): Remembered | undefined {
    if (this.#ofAll !== undefined) return this.#ofAll;
    const known = this.#bySubject.get(subject);
    if (known !== 'reads-context') return known;
    if (context === undefined) return this.#withoutContext.get(subject);
    const key = contextKey(subject, context);
    return key === undefined ? 'reads-more' : this.#byContext.get(key);
  }

  /** Plans the event while its reads are recorded. If they are too many, the plan is discarded: it may be that of an incomplete event. */
  #learn(event: HookEvent, subject: string, context: unknown): Remembered {
    const { event: recorded, reads } = recordReads(event);
    const plan = planEvent(this.#hooks, this.#dialects, recorded);
    const remembered = reads.more ? 'reads-more' : plan;
    if (!reads.context) {
      if (!reads.subject && !reads.more) this.#ofAll = plan;
      else this.#remember(this.#bySubject, subject, remembered);
      return remembered;
    }
    this.#remember<string, OfSubject>(this.#bySubject, subject, 'reads-context');
    const key = context === undefined ? undefined : contextKey(subject, context);
    if (context === undefined) this.#remember(this.#withoutContext, subject, remembered);
    else if (key !== undefined) this.#remember(this.#byContext, key, remembered);
    return context !== undefined && key === undefined ? 'reads-more' : remembered;
  }

  #remember<Key, Value>(plans: Map<Key, Value>, key: Key, value: Value): void {
    if (plans.size >= maxPlans && !plans.has(key)) plans.delete(plans.keys().next().value as Key);
    plans.set(key, value);
  }

  /** A misspelt `source` or `trigger` is an invalid input that must be reported, not one that no hook matches. */
  #isValidSubject(subject: string): boolean {
    const { input, matcherField } = eventEntry(this.#eventName);
    const schema = matcherField === undefined ? undefined : input.shape[matcherField];
    return schema === undefined || z.safeParse(schema, subject).success;
  }

  /** An event of this subject, incomplete: a plan that needs more of it is not used. */
  #eventOf(subject: string, mcpContext: McpContext | undefined): HookEvent {
    const { matcherField } = eventEntry(this.#eventName);
    const input = {
      hook_event_name: this.#eventName,
      ...(matcherField === undefined ? {} : { [matcherField]: subject }),
      ...(mcpContext === undefined ? {} : { mcp_context: mcpContext }),
    };
    return { eventName: this.#eventName, input: input as unknown as HookInput, projectDir: '' };
  }
}

/** Subject and context in one text; lengths keep two lists of parts from having one text. Undefined for a context that is invalid. */
function contextKey(subject: string, context: unknown): string | undefined {
  if (!isPlainObject(context)) return undefined;
  const { server_name: server, tool_name: tool } = context;
  if (typeof server !== 'string' || (tool !== undefined && typeof tool !== 'string')) return undefined;
  return `${subject.length}:${subject}${server.length}:${server}${tool === undefined ? '' : `:${tool}`}`;
}

type Fields = Readonly<Record<string, unknown>>;

/** What was read of an event beyond its name. */
export interface Reads {
  /** The field that matchers look at. */
  subject: boolean;
  /** The MCP context: its server, and the name of the tool there. */
  context: boolean;
  /** Anything else. */
  more: boolean;
}

/** The event, and a record of what is read of it from now on. A reader sees the same values as in the event itself. */
export function recordReads(event: HookEvent): { readonly event: HookEvent; readonly reads: Reads } {
  const reads: Reads = { subject: false, context: false, more: false };
  const readMore = () => {
    reads.more = true;
  };
  const { matcherField } = eventEntry(event.eventName);
  const given = (event.input as Fields)['mcp_context'];
  const context = isPlainObject(given) ? recordedFields(given, (key) => key === 'server_name' || key === 'tool_name', readMore) : given;
  // A copy: the proxy of a frozen input could not return the proxy of the context.
  const input = recordedFields(
    { ...event.input, mcp_context: context },
    (key) => {
      if (key === 'mcp_context') reads.context = true;
      if (key === matcherField) reads.subject = true;
      return key === 'mcp_context' || key === 'hook_event_name' || key === matcherField;
    },
    readMore,
  );
  const recorded: HookEvent = {
    ...event,
    input: input as HookEvent['input'],
    get projectDir() {
      readMore();
      return event.projectDir;
    },
  };
  return { event: recorded, reads };
}

/** A proxy that reports every read, except the plain read of a field for which `isKnown` is true. */
function recordedFields(fields: Fields, isKnown: (key: PropertyKey) => boolean, readMore: () => void): Fields {
  return new Proxy(fields, {
    get(target, key) {
      if (!isKnown(key)) readMore();
      return Reflect.get(target, key);
    },
    has(target, key) {
      readMore();
      return Reflect.has(target, key);
    },
    ownKeys(target) {
      readMore();
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor(target, key) {
      readMore();
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}
