import type { MessageBus } from '@tenterhook/bus';
import { type Changes, isHookEventName, type PayloadOf } from '@tenterhook/protocol';
import { type ContainedTracing, readTraceContext } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { HandlerWarning, RegisteredHook } from '../calling/handler.js';
import { toHandlerEvent } from '../canonical/handler-event.js';
import type { UntypedHandlerEvent } from '../definition/hook-event.js';
import { toEventType } from '../definition/hook-event-type.js';
import type { MatcherSettings } from '../matching/matcher-settings.js';
import { toAnnouncedHook } from './announcement.js';
import { answerCall } from './answer-call.js';

/** The minimum time in milliseconds between two announcements. If the last one is longer ago, an announcement is sent at once. */
const betweenAnnouncementsMs = 50;

/** How an engine connects to a bus. */
export interface HandlerConnectOptions {
  /** The name of the engine. It replaces an earlier engine with this name. @default none: each engine is separate */
  readonly name?: string | undefined;
  /**
   * The version of the engine, such as the version of the policy that its handlers apply. Agents show it, and each outcome of a hook of
   * this engine has it. At most 256 characters.
   * @default no version
   */
  readonly version?: string | undefined;
}

/** The connection of an engine to a bus. */
export interface HandlerConnection {
  /** The id of the engine, which is generated for this connection. */
  readonly engineId: string;
  /**
   * Removes the engine's hooks from the agents on the bus. Calls in progress may still answer. Idempotent. Before the process ends,
   * await `bus.close()`, which sends pending messages. Otherwise the agents may not be notified that the engine has left: its hooks
   * then count as absent, and guards deny.
   */
  disconnect(): void;
  /**
   * Disconnects, and resolves when all calls in progress have been answered. Close the bus afterwards: it would answer them with
   * `disposed`. Each call ends at its deadline at the latest. Idempotent.
   */
  drain(): Promise<void>;
}

/** The part of an engine that a connection uses. */
export interface ConnectableEngine {
  readonly settings: MatcherSettings;
  readonly tracing: ContainedTracing | undefined;
  readonly changes$: Changes;
  all(): readonly RegisteredHook[];
  find(hookId: string): RegisteredHook | undefined;
  observed(event: UntypedHandlerEvent): void;
  warned(warning: HandlerWarning): void;
}

/**
 * Announces the hooks of an engine on a bus, and answers the calls for them. Announces the hooks again when they change, when an
 * agent asks, and when a lost connection is restored. The agent's process tests the matchers, so that a call is sent only if its
 * hook runs.
 */
export class EngineConnection implements HandlerConnection {
  readonly engineId: string = globalThis.crypto.randomUUID();
  readonly #bus: MessageBus;
  readonly #engine: ConnectableEngine;
  readonly #identity: HandlerConnectOptions;
  readonly #onEnd: (connection: EngineConnection) => void;
  readonly #stops: (() => void)[] = [];
  #stopWatching: (() => void) | undefined;
  #isConnected = true;
  #isScheduled = false;
  #isLost = false;
  #announcedAt = Number.NEGATIVE_INFINITY;
  /** The number of calls in progress. */
  #running = 0;
  readonly #drained: (() => void)[] = [];

  /** `onEnd` is called once, after `disconnect()` or when the bus is closed. */
  constructor(
    bus: MessageBus,
    engine: ConnectableEngine,
    { name, version }: HandlerConnectOptions,
    onEnd: (connection: EngineConnection) => void,
  ) {
    this.#bus = bus;
    this.#engine = engine;
    this.#identity = omitUndefined({ name, version });
    this.#onEnd = onEnd;
    const queries = bus.stream('HOOK_HANDLER_ANNOUNCE').subscribe({
      next: ({ query }) => {
        if (query === true) this.#announce();
      },
      // The bus was closed, which ends the connection.
      complete: () => this.disconnect(),
    });
    const changes = engine.changes$.subscribe(() => this.#announce());
    this.#stops.push(
      bus.respond(
        'HOOK_HANDLER_CALL',
        async (payload, { signal }) => {
          this.#running += 1;
          try {
            const answer = () => answerCall(payload, engine.find(payload.hookId), { signal, warn: (warning) => engine.warned(warning) });
            return await (engine.tracing?.within(readTraceContext(payload.trace), answer) ?? answer());
          } finally {
            this.#running -= 1;
            this.#lookDrained();
          }
        },
        { route: this.engineId },
      ),
      () => queries.unsubscribe(),
      bus.onConnectionChange((state) => {
        this.#isLost = state === 'lost';
        if (!this.#isLost) this.#announce();
      }),
      () => changes.unsubscribe(),
    );
    this.#announce();
  }

  /** Sets whether the engine receives the requests on the bus. Only the observers of its events need them. */
  watch(isObserved: boolean): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    if (!isObserved || !this.#isConnected) return;
    this.#stopWatching = this.#bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => {
      const event = toRequestedEvent(payload);
      if (event !== undefined) this.#engine.observed(event);
    });
  }

  disconnect(): void {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.watch(false);
    this.#sayGoodbye();
    for (const stop of this.#stops) stop();
    this.#onEnd(this);
  }

  drain(): Promise<void> {
    this.disconnect();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#lookDrained();
    });
  }

  /** The bus sends an answer in a later step than the one in which its call ends, so the callers are notified in the next turn. */
  #lookDrained(): void {
    if (this.#running > 0) return;
    for (const resolve of this.#drained.splice(0)) setTimeout(resolve, 0);
  }

  /**
   * Announces that the engine leaves. While the connection is lost, the message waits until it is back. Without this message, the
   * hooks would stay registered for ever.
   */
  #sayGoodbye(): void {
    if (!this.#isLost) {
      this.#publish([]);
      return;
    }
    const stop = this.#bus.onConnectionChange((state) => {
      if (state !== 'restored') return;
      stop();
      this.#publish([]);
    });
  }

  /**
   * Announces the hooks after a short delay, so that several changes become one announcement. A program that registers hooks one by
   * one would otherwise send all hooks each time.
   */
  #announce(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const waitMs = Math.max(0, this.#announcedAt + betweenAnnouncementsMs - performance.now());
    const announce = () => {
      this.#isScheduled = false;
      if (!this.#isConnected) return;
      this.#announcedAt = performance.now();
      this.#publish(this.#engine.all().map(toAnnouncedHook));
    };
    if (waitMs === 0) queueMicrotask(announce);
    else setTimeout(announce, waitMs);
  }

  #publish(hooks: Record<string, unknown>[]): void {
    const { pathFields, shellTools, ignoreCase } = this.#engine.settings;
    const payload = { engineId: this.engineId, hooks, pathFields: [...pathFields], shellTools: [...shellTools] };
    this.#bus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { ...payload, ...this.#identity, ...omitUndefined({ ignoreCase }) } });
  }
}

const noCounts = Object.freeze({ tokens: 0, toolCalls: 0, durationMs: 0 });

/**
 * Returns a request as an event for handlers, or undefined if the request is invalid. The request was not validated before, and has
 * no base fields.
 */
function toRequestedEvent({ eventName, input }: PayloadOf<'HOOK_EXECUTION_REQUEST'>): UntypedHandlerEvent | undefined {
  if (!isHookEventName(eventName) || !isPlainObject(input)) return undefined;
  const type = toEventType(eventName);
  if (type === undefined) return undefined;
  const known = { session_id: '', transcript_path: '', cwd: '', timestamp: '', ...input, hook_event_name: eventName };
  return toHandlerEvent(type, { eventName, input: known, projectDir: '' }, noCounts);
}
