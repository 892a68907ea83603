import type { MessageBus } from '@tenterhook/bus';
import { type Changes, isHookEventName, type PayloadOf } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { HandlerWarning, RegisteredHook } from '../calling/handler.js';
import { toHandlerEvent } from '../canonical/handler-event.js';
import type { UntypedHandlerEvent } from '../definition/hook-event.js';
import { toEventType } from '../definition/hook-event-type.js';
import type { MatcherSettings } from '../matching/matcher-settings.js';
import { toAnnouncedHook } from './announcement.js';
import { answerCall } from './answer-call.js';

/** The minimum time in milliseconds between two announcements. After a longer pause, an announcement is sent at once. */
const betweenAnnouncementsMs = 50;

/** How an engine connects to a bus. */
export interface HandlerConnectOptions {
  /** The name of the engine. It replaces an earlier engine of this name. @default none: each engine is separate */
  readonly name?: string | undefined;
}

/** The connection of an engine to a bus. */
export interface HandlerConnection {
  /** The id of the engine, which is generated for this connection. */
  readonly engineId: string;
  /**
   * Removes the engine's hooks from the agents on the bus. Running calls may still answer. Idempotent. Before the process ends, await
   * `bus.close()`, which sends pending messages. Otherwise the agents may not learn that the engine has left: its hooks then count as
   * absent, and guards deny.
   */
  disconnect(): void;
}

/** What a connection uses of an engine. */
export interface ConnectableEngine {
  readonly settings: MatcherSettings;
  readonly changes$: Changes;
  all(): readonly RegisteredHook[];
  find(hookId: string): RegisteredHook | undefined;
  observed(event: UntypedHandlerEvent): void;
  warned(warning: HandlerWarning): void;
}

/**
 * Announces the hooks of an engine on a bus, and answers the calls for them. Announces them again when they change, when an agent asks, and
 * when a lost connection is restored. The agent's process tests the matchers, so that only calls that run are sent.
 */
export class EngineConnection implements HandlerConnection {
  readonly engineId: string = globalThis.crypto.randomUUID();
  readonly #bus: MessageBus;
  readonly #engine: ConnectableEngine;
  readonly #name: string | undefined;
  readonly #onEnd: (connection: EngineConnection) => void;
  readonly #stops: (() => void)[] = [];
  #stopWatching: (() => void) | undefined;
  #isConnected = true;
  #isScheduled = false;
  #isLost = false;
  #announcedAt = Number.NEGATIVE_INFINITY;

  /** `onEnd`: called once, after `disconnect()` or when the bus is closed. */
  constructor(bus: MessageBus, engine: ConnectableEngine, { name }: HandlerConnectOptions, onEnd: (connection: EngineConnection) => void) {
    this.#bus = bus;
    this.#engine = engine;
    this.#name = name;
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
        (payload, { signal }) => answerCall(payload, engine.find(payload.hookId), { signal, warn: (warning) => engine.warned(warning) }),
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

  /** Sets whether the engine receives the requests on the bus. It needs them only for observers of its events. */
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

  /**
   * Announces that the engine leaves. If the connection is lost, the message is sent when the connection is back. If it were not sent at
   * all, the hooks would stay registered for ever.
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
   * Announces the hooks soon, several changes at once. A program that registers hooks one by one would otherwise send all of them each
   * time.
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
    this.#bus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { ...payload, ...omitUndefined({ name: this.#name, ignoreCase }) } });
  }
}

const noCounts = Object.freeze({ tokens: 0, toolCalls: 0, durationMs: 0 });

/** Returns a request as an event for handlers, or undefined if it is invalid. The request was not validated, and lacks the base fields. */
function toRequestedEvent({ eventName, input }: PayloadOf<'HOOK_EXECUTION_REQUEST'>): UntypedHandlerEvent | undefined {
  if (!isHookEventName(eventName) || !isPlainObject(input)) return undefined;
  const type = toEventType(eventName);
  if (type === undefined) return undefined;
  const known = { session_id: '', transcript_path: '', cwd: '', timestamp: '', ...input, hook_event_name: eventName };
  return toHandlerEvent(type, { eventName, input: known, projectDir: '' }, noCounts);
}
