import type { Dialect } from '../dialect/dialect.js';
import type { HookEvent } from '../dialect/execution.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { Diagnostic } from './diagnostic.js';
import type { HookDefinition } from './hook-definition.js';

/**
 * The part of an Observable that a source needs. Every Observable of RxJS has it. The type of RxJS itself was rejected, so that
 * this package does not depend on RxJS.
 */
export interface Changes {
  /** Calls the observer at each change, until the returned subscription is ended. */
  subscribe(observer: () => void): {
    /** Ends the calls of the observer. */
    unsubscribe(): void;
  };
}

/** An object that supplies hooks. Settings files are one source, and a HookEngine is another. */
export interface HookSource {
  /** Returns the hooks of an event in their own order. The array must not change afterwards. */
  hooksFor(eventName: HookEventName): readonly HookDefinition[];
  /** Returns the hooks that a setting for all hooks switches off, for `explain`. */
  offFor?(eventName: HookEventName): readonly { readonly hook: HookDefinition; readonly reason: string }[];
  /** Emits after the set of hooks has changed. An event in progress keeps its hooks (decision 35). */
  readonly changes$: Changes;
  readonly diagnostics?: readonly Diagnostic[];
  /**
   * Returns whether the source wants to receive all events of this name in `observe`, even if no hook is configured for them. For such an
   * event `has()` of the system returns true. Called before each event, so it must be fast and must not throw.
   * @default no event is observed
   */
  observes?(eventName: HookEventName): boolean;
  /** Receives an observed event before its hooks run. Must not change the event. An error is logged and has no other effect. */
  observe?(event: HookEvent): void;
  /**
   * The dialect of the source's hooks. Needed if this dialect is not registered in the system. Hooks of a source that sets this
   * field come first in every plan.
   */
  readonly dialect?: Dialect;
}
