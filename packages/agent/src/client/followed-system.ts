import type { AggregatedHookResult, FireOptions, HookEventName } from '@tenterhook/protocol';
import { LateEndFollower, mayEndLate } from '../late/follow-late-ends.js';
import type { LateEnd } from '../late/late-answers.js';
import type { Fields, HooksOnBus } from './hooks-on-bus.js';

type Send = (options: FireOptions) => Promise<AggregatedHookResult>;

/** Follows the async hooks of the events that one client sends to one system. */
export class FollowedSystem {
  readonly #system: HooksOnBus;
  readonly #follower: LateEndFollower;

  constructor(system: HooksOnBus, onEnd: (end: LateEnd, session: string | undefined) => void) {
    this.#system = system;
    this.#follower = new LateEndFollower(system.bus, onEnd);
  }

  /** Calls `send` with the options of the event. They have a correlation id if a hook of the event may end late. */
  fire(eventName: HookEventName, input: Fields, options: FireOptions, send: Send): Promise<AggregatedHookResult> {
    // Options that are not an object are reported by the function that sends the event.
    if (!mayEndLate(this.#system.hooks, eventName) || typeof options !== 'object') return send(options);
    const correlationId = options.correlationId ?? globalThis.crypto.randomUUID();
    return this.#follower.fire(readSession(input), correlationId, () => send({ ...options, correlationId }));
  }

  /** Ignores the hooks that still run. */
  clear(): void {
    this.#follower.clear();
  }
}

/** Returns the session id of an input. Undefined if it has none or cannot be read: the service then uses its own. */
export function readSession(input: Fields): string | undefined {
  try {
    const { session_id } = input;
    return typeof session_id === 'string' ? session_id : undefined;
  } catch {
    return undefined;
  }
}
