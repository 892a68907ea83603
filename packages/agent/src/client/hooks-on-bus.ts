import type { MessageBus } from '@tenterhook/bus';
import type { AggregatedHookResult, FireOptions, HookEventName, HookTracing } from '@tenterhook/protocol';
import type { AsyncHooksByEvent } from '../late/follow-late-ends.js';

/** The fields of an event. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a client needs to fire events: the result of `createHooks()`, or an object with the same `bus`. */
export interface HooksOnBus {
  readonly bus: MessageBus;
  /** Whether hooks are configured for the event. @default every event is treated as one with hooks */
  has?(eventName: HookEventName): boolean;
  /**
   * The hooks by event. The client listens for late answers only after events with a hook that may end late. @default it listens after
   * every event
   */
  readonly hooks?: AsyncHooksByEvent;
  /** Whether the hooks are disposed. Then nothing that async hooks answered is delivered. @default false */
  readonly isDisposed?: boolean;
  /** The tracing of the hooks. The client records tool calls with it. @default nothing is recorded */
  readonly tracing?: HookTracing | undefined;
  /**
   * Returns the object that fires events in this process. It answers at once if no hook matches the event.
   * @default every event is a request on the bus
   */
  getEventHandler?(): {
    /** Fires an event by its name. */
    fire(eventName: string, input: Readonly<Record<string, unknown>>, options?: FireOptions): Promise<AggregatedHookResult>;
  };
}

/** The hooks of this machine: the result of `createHooks()`. */
export type LocalSystem = HooksOnBus & Required<Pick<HooksOnBus, 'getEventHandler'>>;

export function isBus(value: unknown): value is MessageBus {
  return typeof (value as MessageBus | undefined)?.request === 'function';
}
