import type { MessageBus } from '@tenterhook/bus';
import type { AggregatedHookResult, FireOptions, HookEventName, ResultError } from '@tenterhook/protocol';
import type { LateEnd } from '../late/late-answers.js';
import { FollowedSystem } from './followed-system.js';
import type { Fields, LocalSystem } from './hooks-on-bus.js';
import { findUntaken } from './unanswered.js';

const disconnected: ResultError = Object.freeze({
  code: 'disposed',
  message: 'The connection to the hook service is lost, so the event was not sent.',
});

/** Whether the connection of a bus is lost. There is one listener for each bus, because clients are not disposed of. */
const connections = new WeakMap<MessageBus, { isLost: boolean }>();

function watchConnection(bus: MessageBus): { readonly isLost: boolean } {
  const known = connections.get(bus);
  if (known !== undefined) return known;
  const connection = { isLost: false };
  connections.set(bus, connection);
  bus.onConnectionChange((state) => {
    connection.isLost = state === 'lost';
  });
  return connection;
}

/** Runs the hooks of this machine alone if no hook service accepts an event (`onUnavailable: 'local'`). */
export class LocalHooks {
  readonly #system: LocalSystem;
  readonly #followed: FollowedSystem;
  readonly #connection: { readonly isLost: boolean };

  /** `bus` is that of the hook service. */
  constructor(bus: MessageBus, system: LocalSystem, onEnd: (end: LateEnd, session: string | undefined) => void) {
    this.#system = system;
    this.#followed = new FollowedSystem(system, onEnd);
    this.#connection = watchConnection(bus);
  }

  /**
   * Resolves to the result of `ask`, or to that of the local hooks. An event that was sent and lost its answer is not repeated here: the
   * service may have denied it.
   */
  async fire(
    eventName: HookEventName,
    input: Fields,
    options: FireOptions,
    ask: () => Promise<AggregatedHookResult>,
  ): Promise<AggregatedHookResult> {
    const asked = this.#connection.isLost ? undefined : await ask();
    const because = asked === undefined ? disconnected : findUntaken(asked);
    if (because === undefined) return asked as AggregatedHookResult;
    const handler = this.#system.getEventHandler();
    const result = await this.#followed.fire(eventName, input, options, (sent) => handler.fire(eventName, input, sent));
    return Object.freeze({ ...result, localOnly: because });
  }

  /** Ignores the async hooks that still run. */
  clear(): void {
    this.#followed.clear();
  }
}
