import {
  type Dialect,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookInput,
  type McpContext,
  type Plan,
} from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import type { HookSet } from '../registry/registry.js';
import { planEvent } from './plan-event.js';

/**
 * The maximum number of entries in each cache of one event. When a cache is full, the oldest entry is removed. There are few tool names,
 * but there may be many values of other matched fields, such as types of notifications.
 */
const maxPlans = 1024;

/** Plans events, and caches the plans of each set of hooks. The caches are garbage-collected with the set. */
export class HookPlanner {
  readonly #plans = new WeakMap<HookSet, Map<HookEventName, EventPlans>>();

  plan(set: HookSet, event: HookEvent): Plan {
    return this.#plansOf(set, event.eventName).plan(event);
  }

  /**
   * Returns the plan for all events with this subject, which is the value that matchers are compared with, such as the name of the tool.
   * For an event without a subject, pass `''`. Returns undefined if the plan depends on more than the subject and the MCP server, or if
   * the subject is not valid for the event.
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

/** A cached plan. It is `reads-more` if the plan depends on fields that are not in the cache key. Then each event is planned separately. */
type Remembered = Plan | 'reads-more';

/**
 * The cache entry of a subject: the plan for every event with this subject, or `reads-context` if the plan also depends on the MCP context.
 */
type OfSubject = Remembered | 'reads-context';

/**
 * The cached plans of one event in one set of hooks. When the first event with a subject is planned, the cache records which fields of
 * the event the dialects read to select hooks. These fields become the cache key. Selecting is pure, so events with equal keys have the
 * same plan. So a thousand hooks that do not match cost only one lookup.
 */
class EventPlans {
  readonly #eventName: HookEventName;
  readonly #hooks: readonly HookDefinition[];
  readonly #dialects: readonly Dialect[];
  /** The plan for all subjects. Present if no hook has a matcher, or if no hook may run. */
  #ofAll: Plan | undefined;
  readonly #bySubject = new Map<string, OfSubject>();
  /**
   * Plans keyed by subject, for events without an MCP context. Most tools do not come from an MCP server. So a short key is enough for
   * most events.
   */
  readonly #withoutContext = new Map<string, Remembered>();
  readonly #byContext = new Map<string, Remembered>();

  constructor(eventName: HookEventName, hooks: readonly HookDefinition[], dialects: readonly Dialect[]) {
    this.#eventName = eventName;
    this.#hooks = hooks;
    this.#dialects = dialects;
  }

  plan(event: HookEvent): Plan {
    const subject = eventEntry(this.#eventName).matcherField === undefined ? '' : matcherSubject(event.eventName, event.input);
    // A subject that is not a string has no key.
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

  /**
   * Plans the event and records which of its fields are read. If other fields than the subject and the context are read, the plan is
   * valid only for this event and is not cached.
   */
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

  /**
   * Whether the subject is valid. A misspelt `source` or `trigger` must be reported. It must not look like an event that no hook matches.
   */
  #isValidSubject(subject: string): boolean {
    const { input, matcherField } = eventEntry(this.#eventName);
    const schema = matcherField === undefined ? undefined : input.shape[matcherField];
    return schema === undefined || z.safeParse(schema, subject).success;
  }

  /** Returns an event that has only this subject. If planning reads another field, the plan is not used. */
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

/**
 * Returns subject and context as one text that also contains their lengths. So different values never give the same text. Returns
 * undefined if the context is invalid.
 */
function contextKey(subject: string, context: unknown): string | undefined {
  if (!isPlainObject(context)) return undefined;
  const { server_name: server, tool_name: tool } = context;
  if (typeof server !== 'string' || (tool !== undefined && typeof tool !== 'string')) return undefined;
  return `${subject.length}:${subject}${server.length}:${server}${tool === undefined ? '' : `:${tool}`}`;
}

type Fields = Readonly<Record<string, unknown>>;

/** Which parts of an event were read, apart from its name. */
export interface Reads {
  /** The field that matchers compare. */
  subject: boolean;
  /** The MCP context: the server, and the name of its tool. */
  context: boolean;
  /** Any other part of the event. */
  more: boolean;
}

/** Returns a proxy of the event that records what is read, and the record. The proxy has the same values as the event. */
export function recordReads(event: HookEvent): { readonly event: HookEvent; readonly reads: Reads } {
  const reads: Reads = { subject: false, context: false, more: false };
  const readMore = () => {
    reads.more = true;
  };
  const { matcherField } = eventEntry(event.eventName);
  const given = (event.input as Fields)['mcp_context'];
  const context = isPlainObject(given) ? recordedFields(given, (key) => key === 'server_name' || key === 'tool_name', readMore) : given;
  // The input is copied because it is frozen. JavaScript lets the proxy of a frozen object return only the object's real values, but this
  // proxy must return the proxy of the context.
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

/** Returns a proxy that calls `readMore` for every access, except for reading a field for which `isKnown` is true. */
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
