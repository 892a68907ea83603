import type { Dialect } from '../dialect/dialect.js';
import type { HookEvent } from '../dialect/execution.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { Diagnostic } from './diagnostic.js';
import type { HookDefinition } from './hook-definition.js';

/**
 * The part of an Observable that a source needs. Every Observable of RxJS has it. The type of RxJS is not imported, so that this package
 * does not depend on RxJS.
 */
export interface Changes {
  /** Calls the observer at each change, until the returned subscription is ended. */
  subscribe(observer: () => void): {
    /** Ends the calls. */
    unsubscribe(): void;
  };
}

/** An object that supplies hooks. Settings files are one source, a HookEngine is another. */
export interface HookSource {
  /** The hooks of an event in their own order. The array must not change afterwards. */
  hooksFor(eventName: HookEventName): readonly HookDefinition[];
  /** Hooks that a setting for all hooks switches off, for `explain`. */
  offFor?(eventName: HookEventName): readonly { readonly hook: HookDefinition; readonly reason: string }[];
  /** Emits after the set of hooks has changed. An event that is being processed keeps its hooks (decision 35). */
  readonly changes$: Changes;
  readonly diagnostics?: readonly Diagnostic[];
  /**
   * Whether the source observes events of this name, even those without a hook. Called before each event, so it must be fast and must not
   * throw. `has()` of the system returns true for observed events.
   * @default it observes no event
   */
  observes?(eventName: HookEventName): boolean;
  /** Receives an observed event before its hooks run. Must not change the event. An error is logged and has no other effect. */
  observe?(event: HookEvent): void;
  /**
   * The dialect of the source's hooks, if this dialect is not registered in the system. Hooks of a source that sets this field come first
   * in every plan.
   */
  readonly dialect?: Dialect;
}
