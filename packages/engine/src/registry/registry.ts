import {
  type Diagnostic,
  type Dialect,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookSource,
  hookEventNames,
  isHookEventName,
} from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { type TrustCheck, TrustChecks, type TrustGate } from '../trust/trust-check.js';
import { containDialect } from './contain-dialect.js';

const log = createLog('registry');

/** One complete set of hooks. It never changes. A new set replaces it, and an event in progress keeps the set that it started with. */
export interface HookSet {
  /**
   * The dialects in plan order. Dialects that sources bring themselves, e.g. the dialect of handlers, come before the registered ones. All
   * are wrapped by `containDialect`.
   */
  readonly dialects: readonly Dialect[];
  /** The hooks of each event, in the order of their sources. */
  readonly hooks: Readonly<Record<HookEventName, readonly HookDefinition[]>>;
  /** Hooks that a setting for all hooks switches off. They have no outcomes, but `explain` and `list` show them. */
  readonly off: Readonly<Record<HookEventName, readonly { readonly hook: HookDefinition; readonly reason: string }[]>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The configured hooks of all sources, in the order of the sources (decision 23). */
export class HookRegistry {
  readonly #sources: readonly HookSource[];
  readonly #dialects: readonly Dialect[];
  /** Sources that observe events. Most systems have none. */
  readonly #observers: readonly HookSource[];
  /** Decides which hooks are trusted, when the set is built and before and after each run. */
  readonly trust: TrustChecks;
  readonly #subscriptions: { unsubscribe(): void }[] = [];
  #set: HookSet;
  #configured: ReadonlySet<string>;
  #isStale = false;
  #isFirst = true;

  /** `onStale` is called when a source or the trust has changed, before the set is built again. */
  constructor(options: {
    sources: readonly HookSource[];
    dialects: readonly Dialect[];
    isTrusted?: TrustCheck;
    trust?: TrustGate;
    onStale?: () => void;
  }) {
    this.#sources = options.sources;
    this.#dialects = options.dialects.map(containDialect);
    this.#observers = this.#sources.filter((source) => source.observes !== undefined);
    this.trust = new TrustChecks(options.isTrusted, options.trust);
    this.#set = this.#gather();
    this.#isFirst = false;
    this.#configured = configuredIn(this.#set);
    for (const { changes$ } of [...this.#sources, ...(options.trust === undefined ? [] : [options.trust])]) {
      this.#subscriptions.push(
        changes$.subscribe(() => {
          this.#isStale = true;
          options.onStale?.();
        }),
      );
    }
  }

  /** The current set of hooks. An event reads it once and keeps it. */
  get current(): HookSet {
    this.trust.refresh();
    if (this.#isStale) this.#renew();
    return this.#set;
  }

  /** Whether the event has a hook, or a source that observes it. Unknown names have neither. */
  has(eventName: string): boolean {
    if (this.#isStale) this.#renew();
    return this.#configured.has(eventName) || this.isObserved(eventName);
  }

  /** Whether a source observes events of this name, with or without hooks. */
  isObserved(eventName: string): boolean {
    // This check comes first because the method runs for every event, and most systems have no observers.
    if (this.#observers.length === 0 || !isHookEventName(eventName)) return false;
    return this.#observers.some((source) => source.observes?.(eventName) === true);
  }

  /** Passes an event to the sources that observe it. */
  observe(event: HookEvent): void {
    for (const source of this.#observers) {
      try {
        if (source.observes?.(event.eventName)) source.observe?.(event);
      } catch (error) {
        log('a source could not observe %s: %O', event.eventName, error);
      }
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions.splice(0)) subscription.unsubscribe();
  }

  /**
   * Builds the set again. This method is called when the set is next read after a change. So a program that registers a thousand handlers
   * causes only one build. If a source throws, the previous set remains.
   */
  #renew(): void {
    this.#isStale = false;
    try {
      this.#set = this.#gather();
      this.#configured = configuredIn(this.#set);
    } catch (error) {
      log('the hooks could not be reloaded, so the previous hooks are kept: %O', error);
    }
  }

  #gather(): HookSet {
    const own = this.#sources.flatMap((source) => (source.dialect === undefined ? [] : [containDialect(source.dialect)]));
    // Two sources may have the same dialect, such as two handler engines. The dialect is listed once, so that it orders the hooks of both
    // sources together.
    const dialects = [...own, ...this.#dialects].filter(
      (dialect, index, all) => all.findIndex(({ name }) => name === dialect.name) === index,
    );
    const known = new Set(dialects.map((dialect) => dialect.name));
    const diagnostics = this.#sources.flatMap((source) => source.diagnostics ?? []);
    const all = hookEventNames.flatMap((eventName) => this.#sources.flatMap((source) => source.hooksFor(eventName)));
    for (const name of new Set(all.map((hook) => hook.dialect).filter((dialect) => !known.has(dialect)))) {
      diagnostics.push({
        code: 'unknown_dialect',
        severity: 'error',
        message: `Hooks of the dialect "${name}" do not run: the dialect is not loaded.`,
        remedy: `Pass the dialect in "dialects". Loaded dialects: ${[...known].join(', ') || 'none'}.`,
      });
    }
    const unique = withUniqueIds(all.filter((hook) => known.has(hook.dialect))).map((hook) => this.trust.apply(hook, this.#isFirst));
    return {
      dialects,
      hooks: byEvent((eventName) => unique.filter((hook) => hook.eventName === eventName)),
      off: byEvent((eventName) => this.#sources.flatMap((source) => source.offFor?.(eventName) ?? [])),
      diagnostics,
    };
  }
}

function configuredIn({ hooks }: HookSet): ReadonlySet<string> {
  return new Set(hookEventNames.filter((eventName) => hooks[eventName].length > 0));
}

function byEvent<Value>(make: (eventName: HookEventName) => Value): Record<HookEventName, Value> {
  return Object.fromEntries(hookEventNames.map((eventName) => [eventName, make(eventName)])) as Record<HookEventName, Value>;
}

/** Makes hook ids unique over all sources. Repeated ids get `~2`, `~3` … in order. So the ids stay the same as long as the settings do. */
export function withUniqueIds(hooks: readonly HookDefinition[]): HookDefinition[] {
  const taken = new Set(hooks.map((hook) => hook.id));
  // The next number of each repeated id. Without this, numbers would be tried from 2 each time, and a file that repeats a name very often
  // would take minutes.
  const nextNumbers = new Map<string, number>();
  return hooks.map((hook) => {
    let number = nextNumbers.get(hook.id);
    if (number === undefined) {
      nextNumbers.set(hook.id, 2);
      return hook;
    }
    while (taken.has(`${hook.id}~${number}`)) number += 1;
    const id = `${hook.id}~${number}`;
    taken.add(id);
    nextNumbers.set(hook.id, number + 1);
    return withId(hook, id);
  });
}

const renamed = new WeakMap<HookDefinition, HookDefinition>();

/**
 * Returns the hook with this id. For the same hook and id it returns the same object, because data about the hook are stored with this
 * object as key.
 */
function withId(hook: HookDefinition, id: string): HookDefinition {
  const known = renamed.get(hook);
  if (known?.id === id) return known;
  const made = { ...hook, id };
  renamed.set(hook, made);
  return made;
}
