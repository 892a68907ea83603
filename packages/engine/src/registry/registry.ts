import {
  type Dialect,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookSource,
  hookEventNames,
  isHookEventName,
} from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import type { HookSet } from './hook-set.js';
import { withUniqueIds } from './unique-ids.js';

const log = createLog('registry');

/**
 * Whether the hooks of a source may run; asked once per hook when the set is made, and once more with the `codeSource` of a hook that runs
 * what another source owns.
 */
export type TrustCheck = (source: string, hook: HookDefinition) => boolean;

/** Which hooks exist: the sum of all sources, in their order (decision 23). */
export class HookRegistry {
  readonly #sources: readonly HookSource[];
  readonly #dialects: readonly Dialect[];
  /** Those that may want to see events; mostly none. */
  readonly #observers: readonly HookSource[];
  readonly #isTrusted: TrustCheck;
  readonly #subscriptions: { unsubscribe(): void }[] = [];
  #set: HookSet;
  #configured: ReadonlySet<string>;
  #isStale = false;

  constructor(options: { sources: readonly HookSource[]; dialects: readonly Dialect[]; isTrusted?: TrustCheck }) {
    this.#sources = options.sources;
    this.#dialects = options.dialects;
    this.#observers = this.#sources.filter((source) => source.observes !== undefined);
    this.#isTrusted = options.isTrusted ?? (() => true);
    this.#set = this.#gather();
    this.#configured = configuredIn(this.#set);
    for (const source of this.#sources) {
      this.#subscriptions.push(
        source.changes$.subscribe(() => {
          this.#isStale = true;
        }),
      );
    }
  }

  /** The set as it is now. Whoever carries out an event takes it once and keeps it. */
  get current(): HookSet {
    if (this.#isStale) this.#renew();
    return this.#set;
  }

  /** Whether firing the event reaches anybody: a hook, or a source that observes it. Of any other text it is false. */
  has(eventName: string): boolean {
    if (this.#isStale) this.#renew();
    return this.#configured.has(eventName) || this.isObserved(eventName);
  }

  /** Whether a source wants to see events of this name, hooks or not. */
  isObserved(eventName: string): boolean {
    // Asked for each event that is fired, and mostly there is nobody.
    if (this.#observers.length === 0 || !isHookEventName(eventName)) return false;
    return this.#observers.some((source) => source.observes?.(eventName) === true);
  }

  /** Tells the sources that observe it of an event. */
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
   * When the set is next asked for, and not when it changed: a program that registers a thousand handlers one by one has it made once. A
   * source that fails leaves the last good set in force.
   */
  #renew(): void {
    this.#isStale = false;
    try {
      this.#set = this.#gather();
      this.#configured = configuredIn(this.#set);
    } catch (error) {
      log('the hooks could not be gathered again; those of before count: %O', error);
    }
  }

  #gather(): HookSet {
    const own = this.#sources.flatMap((source) => (source.dialect === undefined ? [] : [source.dialect]));
    // Two sources may bring the same dialect, as two engines of handlers do: hooks of one name are laid out together.
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
        message: `Hooks of the dialect "${name}" do not run: it is not loaded.`,
        remedy: `Pass it in "dialects"; loaded are ${[...known].join(', ') || 'none'}.`,
      });
    }
    const unique = withUniqueIds(all.filter((hook) => known.has(hook.dialect))).map((hook) => this.#withTrust(hook));
    return {
      dialects,
      hooks: byEvent((eventName) => unique.filter((hook) => hook.eventName === eventName)),
      off: byEvent((eventName) => this.#sources.flatMap((source) => source.offFor?.(eventName) ?? [])),
      diagnostics,
    };
  }

  #withTrust(hook: HookDefinition): HookDefinition {
    if (hook.skip !== undefined) return hook;
    const problem = this.#distrust(hook);
    if (problem === undefined) return hook;
    const reason = `${hook.id}${hook.file === undefined ? '' : ` of ${hook.file}`} does not run: ${problem}`;
    return { ...hook, skip: { skipReason: 'untrusted', reason } };
  }

  /** Of a script of the project that a user's hook names, the project decides what it does: trust in the user's settings is not trust in it. */
  #distrust(hook: HookDefinition): string | undefined {
    const { source, codeSource = source } = hook;
    if (!this.#trusts(source, hook)) return `its source "${source}" is not trusted.`;
    if (codeSource === source || this.#trusts(codeSource, hook)) return undefined;
    return `what it runs belongs to the source "${codeSource}", which is not trusted.`;
  }

  /** A check that throws has not said yes. */
  #trusts(source: string, hook: HookDefinition): boolean {
    try {
      return this.#isTrusted(source, hook);
    } catch {
      return false;
    }
  }
}

function configuredIn({ hooks }: HookSet): ReadonlySet<string> {
  return new Set(hookEventNames.filter((eventName) => hooks[eventName].length > 0));
}

function byEvent<Value>(make: (eventName: HookEventName) => Value): Record<HookEventName, Value> {
  return Object.fromEntries(hookEventNames.map((eventName) => [eventName, make(eventName)])) as Record<HookEventName, Value>;
}
