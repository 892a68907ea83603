import { type Dialect, type HookDefinition, type HookEventName, type HookSource, hookEventNames } from '@tenterhook/protocol';
import type { HookSet } from './hook-set.js';
import { withUniqueIds } from './unique-ids.js';

/** Whether the hooks of a source may run; asked once per hook when the set is made. */
export type TrustCheck = (source: string, hook: HookDefinition) => boolean;

/** Which hooks exist: the sum of all sources, in their order (decision 23). */
export class HookRegistry {
  readonly #sources: readonly HookSource[];
  readonly #dialects: readonly Dialect[];
  readonly #isTrusted: TrustCheck;
  readonly #subscriptions: { unsubscribe(): void }[] = [];
  #set: HookSet;
  #configured: ReadonlySet<string>;

  constructor(options: { sources: readonly HookSource[]; dialects: readonly Dialect[]; isTrusted?: TrustCheck }) {
    this.#sources = options.sources;
    this.#dialects = options.dialects;
    this.#isTrusted = options.isTrusted ?? (() => true);
    this.#set = this.#gather();
    this.#configured = configuredIn(this.#set);
    for (const source of this.#sources) {
      this.#subscriptions.push(
        source.changes$.subscribe(() => {
          this.#set = this.#gather();
          this.#configured = configuredIn(this.#set);
        }),
      );
    }
  }

  /** The set as it is now. Whoever carries out an event takes it once and keeps it. */
  get current(): HookSet {
    return this.#set;
  }

  /** Whether the set has a hook for the event: one flag, made when the hooks are loaded. Of any other text it is false. */
  has(eventName: string): boolean {
    return this.#configured.has(eventName);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions.splice(0)) subscription.unsubscribe();
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
    if (hook.skip !== undefined || this.#trusts(hook)) return hook;
    const reason = `${hook.id}${hook.file === undefined ? '' : ` of ${hook.file}`} does not run: its source "${hook.source}" is not trusted.`;
    return { ...hook, skip: { skipReason: 'untrusted', reason } };
  }

  /** A check that throws has not said yes. */
  #trusts(hook: HookDefinition): boolean {
    try {
      return this.#isTrusted(hook.source, hook);
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
