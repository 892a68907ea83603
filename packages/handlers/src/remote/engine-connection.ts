import type { MessageBus } from '@tenterhook/bus';
import type { Changes } from '@tenterhook/protocol';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import type { HandlerWarning } from '../handler-warning.js';
import type { MatcherSettings } from '../matching/matcher-settings.js';
import type { RegisteredHook } from '../registered-hook.js';
import { announcedHook } from './announced-hook.js';
import { answerCall } from './answer-call.js';
import { eventOfRequest } from './event-of-request.js';

/** Milliseconds; the first announcement, and one after a quiet time, go at once. */
const betweenAnnouncementsMs = 50;

export interface ConnectOptions {
  /** What the engine is called: one that connects under the name of an earlier one takes its place. @default none: each is its own */
  readonly name?: string | undefined;
}

/** An engine on a bus. */
export interface HandlerConnection {
  /** Made up for this connection. */
  readonly engineId: string;
  /**
   * Takes its hooks out of the agents on the bus. Calls that are running go on to their answer. Idempotent. A process that ends afterwards
   * awaits `bus.close()` first, which sends what is on its way: without the farewell its hooks count as absent, and guards deny.
   */
  disconnect(): void;
}

/** What is needed of an engine. */
export interface ConnectableEngine {
  readonly settings: MatcherSettings;
  readonly changes$: Changes;
  all(): readonly RegisteredHook[];
  find(hookId: string): RegisteredHook | undefined;
  observed(event: UntypedHookEvent): void;
  warned(warning: HandlerWarning): void;
}

/**
 * Announces the hooks of an engine on a bus, again whenever they change, somebody asks or the connection stands again, and answers the calls
 * for them. Matching happens where the event is: what would not run is not sent here.
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

  /** `onEnd` is called once: after `disconnect()`, or when the bus is closed. */
  constructor(bus: MessageBus, engine: ConnectableEngine, { name }: ConnectOptions, onEnd: (connection: EngineConnection) => void) {
    this.#bus = bus;
    this.#engine = engine;
    this.#name = name;
    this.#onEnd = onEnd;
    const queries = bus.stream('HOOK_HANDLER_ANNOUNCE').subscribe({
      next: ({ query }) => {
        if (query === true) this.#announce();
      },
      // The bus is closed, and with it the connection.
      complete: () => this.disconnect(),
    });
    const changes = engine.changes$.subscribe(() => this.#announce());
    this.#stops.push(
      bus.respond(
        'HOOK_HANDLER_CALL',
        (payload, { signal }) => answerCall(payload, engine.find(payload.hookId), { signal, warn: (warning) => engine.warned(warning) }),
        {
          route: this.engineId,
        },
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

  /** Whether requests on the bus are shown to the engine: only while somebody observes its events. */
  watch(isObserved: boolean): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    if (!isObserved || !this.#isConnected) return;
    this.#stopWatching = this.#bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => {
      const event = eventOfRequest(payload);
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

  /** With the connection lost it would reach nobody, and the hooks would stay where they are, absent for ever. */
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

  /** Soon, and not more often than a few times a second: a program that registers hooks one by one must not send all of them for each. */
  #announce(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const waitMs = Math.max(0, this.#announcedAt + betweenAnnouncementsMs - performance.now());
    const announce = () => {
      this.#isScheduled = false;
      if (!this.#isConnected) return;
      this.#announcedAt = performance.now();
      this.#publish(this.#engine.all().map(announcedHook));
    };
    if (waitMs === 0) queueMicrotask(announce);
    else setTimeout(announce, waitMs);
  }

  #publish(hooks: Record<string, unknown>[]): void {
    const { pathFields, shellTools } = this.#engine.settings;
    const payload = { engineId: this.engineId, hooks, pathFields: [...pathFields], shellTools: [...shellTools] };
    const name = this.#name === undefined ? {} : { name: this.#name };
    this.#bus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { ...payload, ...name } });
  }
}
