import type { Dialect } from '../dialect/dialect.js';
import type { HookEvent } from '../dialect/execution.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { Diagnostic } from './diagnostic.js';
import type { HookDefinition } from './hook-definition.js';

/** The part of an Observable that is needed here; anything of RxJS fits. Not imported, so that this package needs zod alone. */
export interface Changes {
  subscribe(observer: () => void): { unsubscribe(): void };
}

/** Where hooks come from: settings files are one source, a HookEngine is one. */
export interface HookSource {
  /** The hooks of an event in their own order. The array must not change afterwards. */
  hooksFor(eventName: HookEventName): readonly HookDefinition[];
  /** Hooks that are switched off as a whole, for `explain`. */
  offFor?(eventName: HookEventName): readonly { readonly hook: HookDefinition; readonly reason: string }[];
  /** Emits after the set has changed; an event in flight keeps the set it started with (decision 35). */
  readonly changes$: Changes;
  readonly diagnostics?: readonly Diagnostic[];
  /**
   * Whether it wants to be told of events of this name, those included that no hook is for. Asked before each event, so it must be cheap and
   * must not throw; for these events `has()` is true. @default of none
   */
  observes?(eventName: HookEventName): boolean;
  /** Told of an event that it observes, before the hooks of the event run. Must not change it. What it throws is logged. */
  observe?(event: HookEvent): void;
  /** The dialect of its hooks, where it is none of the registered ones; such hooks come first in every plan. */
  readonly dialect?: Dialect;
}
