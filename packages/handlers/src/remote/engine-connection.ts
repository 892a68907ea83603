import type { MessageBus } from '@tenterhook/bus';
import type { Changes } from '@tenterhook/protocol';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import type { MatcherSettings } from '../matching/matcher-settings.js';
import type { RegisteredHook } from '../registered-hook.js';
import { announcedHook } from './announced-hook.js';
import { answerCall } from './answer-call.js';
import { eventOfRequest } from './event-of-request.js';

export interface ConnectOptions {
  /** What the engine is called: one that connects under the name of an earlier one takes its place. @default none: each is its own */
  readonly name?: string | undefined;
}

/** An engine on a bus. */
export interface HandlerConnection {
  /** Made up for this connection. */
  readonly engineId: string;
  /** Takes its hooks out of the agents on the bus. Calls that are running go on to their answer. Idempotent. */
  disconnect(): void;
}

/** What is needed of an engine. */
export interface ConnectableEngine {
  readonly settings: MatcherSettings;
  readonly changes$: Changes;
  all(): readonly RegisteredHook[];
  find(hookId: string): RegisteredHook | undefined;
  observed(event: UntypedHookEvent): void;
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
  readonly #stops: (() => void)[];
  #stopWatching: (() => void) | undefined;
  #isConnected = true;
  #isScheduled = false;

  constructor(bus: MessageBus, engine: ConnectableEngine, { name }: ConnectOptions) {
    this.#bus = bus;
    this.#engine = engine;
    this.#name = name;
    const changes = engine.changes$.subscribe(() => this.#announce());
    this.#stops = [
      bus.respond('HOOK_HANDLER_CALL', (payload, { signal }) => answerCall(payload, engine.find(payload.hookId), signal), {
        route: this.engineId,
      }),
      bus.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => {
        if (payload.query === true) this.#announce();
      }),
      bus.onConnectionChange((state) => {
        if (state === 'restored') this.#announce();
      }),
      () => changes.unsubscribe(),
    ];
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
    this.#publish([]);
    for (const stop of this.#stops) stop();
  }

  /** In a turn of its own: a program that registers a hundred hooks announces them once. */
  #announce(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.#isConnected) this.#publish(this.#engine.all().map(announcedHook));
    });
  }

  #publish(hooks: Record<string, unknown>[]): void {
    const { pathFields, shellTools } = this.#engine.settings;
    const payload = { engineId: this.engineId, hooks, pathFields: [...pathFields], shellTools: [...shellTools] };
    const name = this.#name === undefined ? {} : { name: this.#name };
    this.#bus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { ...payload, ...name } });
  }
}
