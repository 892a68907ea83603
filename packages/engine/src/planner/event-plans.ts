import {
  type Dialect,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type McpContext,
  matcherSubject,
  type Plan,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { planEvent } from './plan-event.js';

/** The most distinct subjects that are remembered of one event; beyond it the oldest goes. Tool names are few, notification types may not be. */
const maxPlans = 1024;

/** Begins the key of dialects that read different things. A text that begins with it could be taken for such a key, and is none. */
const joinedMark = '\0';

/**
 * The plans of one event in one set of hooks, remembered by everything its dialects read of the event, so that 1000 hooks that do
 * not match cost one lookup after the first call.
 */
export class EventPlans {
  readonly #eventName: HookEventName;
  readonly #hooks: readonly HookDefinition[];
  readonly #dialects: readonly Dialect[];
  /** Those that have a hook whose selection is in question; of a hook that is known not to run nobody is asked. */
  readonly #asked: readonly { readonly dialect: Dialect; readonly hooks: readonly HookDefinition[] }[];
  readonly #plans = new Map<string, Plan>();

  constructor(eventName: HookEventName, hooks: readonly HookDefinition[], dialects: readonly Dialect[]) {
    this.#eventName = eventName;
    this.#hooks = hooks;
    this.#dialects = dialects;
    this.#asked = dialects
      .map((dialect) => ({ dialect, hooks: hooks.filter((hook) => hook.dialect === dialect.name && hook.skip === undefined) }))
      .filter((asked) => asked.hooks.length > 0);
  }

  /** What a plan is remembered by; undefined when a dialect reads more of the event than it can say in a text. Makes nothing where all say the same. */
  keyOf(subject: string, mcpContext: McpContext | undefined): string | undefined {
    let key: string | undefined;
    for (const { dialect, hooks } of this.#asked) {
      const own = this.#keyIn(dialect, hooks, subject, mcpContext);
      if (own === undefined) return undefined;
      if (key !== undefined && key !== own) return this.#joinedKeyOf(subject, mcpContext);
      key = own;
    }
    return key?.startsWith(joinedMark) ? undefined : (key ?? '');
  }

  known(key: string): Plan | undefined {
    return this.#plans.get(key);
  }

  plan(event: HookEvent): Plan {
    const key = this.keyOf(matcherSubject(event.eventName, event.input) ?? '', mcpContextOf(event.input));
    return (key === undefined ? undefined : this.#plans.get(key)) ?? this.planAnew(event, key);
  }

  planAnew(event: HookEvent, key: string | undefined): Plan {
    const plan = planEvent(this.#hooks, this.#dialects, event);
    if (key === undefined) return plan;
    if (this.#plans.size >= maxPlans) this.#plans.delete(this.#plans.keys().next().value as string);
    this.#plans.set(key, plan);
    return plan;
  }

  /** A dialect that throws has no key: what is remembered is for speed, and its bug must not cost another dialect's deny. */
  #keyIn(dialect: Dialect, hooks: readonly HookDefinition[], subject: string, mcpContext: McpContext | undefined): string | undefined {
    try {
      return dialect.matchKey?.(this.#eventName, subject, mcpContext, hooks);
    } catch {
      return undefined;
    }
  }

  /** Every part on its own, so that no two lists of parts have one text. */
  #joinedKeyOf(subject: string, mcpContext: McpContext | undefined): string | undefined {
    const parts = this.#asked.map(({ dialect, hooks }) => this.#keyIn(dialect, hooks, subject, mcpContext));
    return parts.includes(undefined) ? undefined : `${joinedMark}${JSON.stringify(parts)}`;
  }
}

/** Events that are not about a tool may carry anything under that name. */
function mcpContextOf(input: Readonly<Record<string, unknown>>): McpContext | undefined {
  const context = input['mcp_context'];
  return isPlainObject(context) && typeof context['server_name'] === 'string' ? (context as McpContext) : undefined;
}
