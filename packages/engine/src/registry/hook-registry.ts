import {
  type Diagnostic,
  type Dialect,
  type HookDefinition,
  type HookEventName,
  type HookSource,
  hookEventNames,
} from '@tenterhook/protocol';
import { PlanCache } from '../planner/plan-cache.js';
import { withUniqueIds } from './unique-ids.js';

/** Whether the hooks of a source may run; asked once per hook when the set is made. */
export type TrustCheck = (source: string, hook: HookDefinition) => boolean;

/** One complete set of hooks. Never changed: a new one takes its place, and an event in flight keeps the one it began with. */
export interface HookSet {
  readonly dialects: readonly Dialect[];
  readonly hooks: Readonly<Record<HookEventName, readonly HookDefinition[]>>;
  readonly off: Readonly<Record<HookEventName, readonly { readonly hook: HookDefinition; readonly reason: string }[]>>;
  readonly plans: PlanCache;
  readonly diagnostics: readonly Diagnostic[];
}

/** Which hooks exist: the sum of all sources, in their order (decision 23). */
export class HookRegistry {
  readonly #sources: readonly HookSource[];
  readonly #dialects: readonly Dialect[];
  readonly #isTrusted: TrustCheck;
  readonly #subscriptions: { unsubscribe(): void }[] = [];
  #set: HookSet;

  constructor(options: { sources: readonly HookSource[]; dialects: readonly Dialect[]; isTrusted?: TrustCheck }) {
    this.#sources = options.sources;
    this.#dialects = options.dialects;
    this.#isTrusted = options.isTrusted ?? (() => true);
    this.#set = this.#gather();
    for (const source of this.#sources) {
      this.#subscriptions.push(
        source.changes$.subscribe(() => {
          this.#set = this.#gather();
        }),
      );
    }
  }

  /** The set as it is now. Whoever carries out an event takes it once and keeps it. */
  get current(): HookSet {
    return this.#set;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions.splice(0)) subscription.unsubscribe();
  }

  #gather(): HookSet {
    const own = this.#sources.flatMap((source) => (source.dialect === undefined ? [] : [source.dialect]));
    const dialects = [...new Map([...own, ...this.#dialects].map((dialect) => [dialect.name, dialect])).values()];
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
      plans: new PlanCache(dialects),
      diagnostics,
    };
  }

  #withTrust(hook: HookDefinition): HookDefinition {
    if (hook.skip !== undefined || this.#isTrusted(hook.source, hook)) return hook;
    const reason = `${hook.id}${hook.file === undefined ? '' : ` of ${hook.file}`} does not run: its source "${hook.source}" is not trusted.`;
    return { ...hook, skip: { skipReason: 'untrusted', reason } };
  }
}

function byEvent<Value>(make: (eventName: HookEventName) => Value): Record<HookEventName, Value> {
  return Object.fromEntries(hookEventNames.map((eventName) => [eventName, make(eventName)])) as Record<HookEventName, Value>;
}
