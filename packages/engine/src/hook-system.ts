import { setMaxListeners } from 'node:events';
import { resolve } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import {
  type AggregatedHookResultOf,
  type Diagnostic,
  type FireOptions,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookExecutor,
  type HookFieldsOf,
  type HookInput,
  isHookEventName,
} from '@tenterhook/protocol';
import { LinkedSignal } from '@tenterhook/runtime/async';
import { omitUndefined } from '@tenterhook/runtime/json';
import { isLogging, logProgress } from './events/event-log.js';
import { type Explanation, explainEvent } from './events/explain.js';
import { completeInput } from './events/input.js';
import { type ListedHook, listHooks } from './events/list.js';
import { type Progress, sendProgress } from './events/progress.js';
import { FastPath } from './fire/fast-path.js';
import { HookEventHandler } from './fire/hook-event-handler.js';
import {
  type AnsweringSystem,
  answerToInvalidInput,
  answerWith,
  HookService,
  type RequestAnswer,
  type RequestControl,
  type UnknownEvent,
  unknownEvent,
} from './hook-service.js';
import { runPipeline, runRecheck } from './pipeline.js';
import { HookPlanner } from './planner/planner.js';
import { HookRegistry } from './registry/registry.js';
import { requireCircuitBreaker } from './runner/circuit/circuit.js';
import { CircuitBreaker } from './runner/circuit/circuit-breaker.js';
import { containExecutor, disposeInTime } from './runner/contain-executor.js';
import { type CommandExecutor, createCommandExecutor } from './runner/executors/command-executor.js';
import { createHostExecutor, requireCallbacks } from './runner/executors/host-executor.js';
import { createHttpExecutor, requireHttpOptions } from './runner/executors/http/http-executor.js';
import { OnceRuns } from './runner/once-runs.js';
import { ranRanksOfProcess } from './runner/ran-ranks.js';
import type { HookSystemOptions } from './system-options.js';

/**
 * Fires events and runs the configured hooks. All `fire…` methods send a request on the bus, so that recorders and extensions see every
 * event. No request is sent if the event has no hook to run and the bus has no listener (FastPath). `fire/` sends the requests, and
 * `answer` answers them.
 */
export class HookSystem implements AnsweringSystem {
  readonly bus: MessageBus;
  readonly #options: HookSystemOptions;
  readonly #registry: HookRegistry;
  readonly #planner = new HookPlanner();
  readonly #breaker: CircuitBreaker | undefined;
  readonly #onceRuns = new OnceRuns();
  readonly #executors: ReadonlyMap<string, HookExecutor>;
  /** All executors, including those that were replaced by a later executor of the same kind. Those must be disposed too. */
  readonly #allExecutors: ReadonlySet<HookExecutor>;
  readonly #commands: CommandExecutor;
  readonly #events = new InFlightEvents();
  readonly #fastPath: FastPath;
  readonly #handler: HookEventHandler;
  readonly #ownsBus: boolean;
  readonly #fallbackSessionId = `session-${globalThis.crypto.randomUUID()}`;
  readonly #disposeCallbacks: (() => void)[] = [];
  #disposed: Promise<void> | undefined;

  constructor(options: HookSystemOptions) {
    this.#breaker = options.circuitBreaker === undefined ? undefined : new CircuitBreaker(requireCircuitBreaker(options.circuitBreaker));
    const projectDir = resolve(options.projectDir);
    this.#options = { ...options, projectDir, cwd: resolve(options.cwd ?? projectDir) };
    const { sources = [], dialects, isTrusted, trust } = options;
    this.#registry = new HookRegistry({ sources, dialects, ...omitUndefined({ isTrusted, trust }) });
    const { limits = {}, http, callbacks, spawner } = options;
    this.#commands = createCommandExecutor(limits, {
      watchesInput: options.watchesInput === true,
      keepsInput: options.keepsInput === true,
      ...omitUndefined({ spawner }),
    });
    const executors = [
      this.#commands,
      createHttpExecutor({ ...requireHttpOptions(http), limits }),
      createHostExecutor(requireCallbacks(callbacks)),
      ...(options.executors ?? []).map(containExecutor),
    ];
    this.#executors = new Map(executors.map((executor) => [executor.kind, executor]));
    this.#allExecutors = new Set(executors);
    this.#ownsBus = options.bus === undefined;
    this.bus = options.bus ?? new MessageBus();
    const context = { bus: this.bus, planner: this.#planner, currentSet: () => this.#registry.current };
    this.#fastPath = new FastPath({ ...context, isLogging, isObserved: (eventName) => this.#registry.isObserved(eventName) });
    this.#handler = new HookEventHandler({
      ...context,
      fastPath: this.#fastPath,
      eventOf: (eventName, fields) => {
        const completed = this.#complete(eventName, fields);
        return completed.ok ? this.#eventOf(eventName, completed.input) : undefined;
      },
    });
    if (this.#ownsBus) new HookService({ bus: this.bus, system: this });
  }

  /** Whether `dispose()` was called. */
  get isDisposed(): boolean {
    return this.#fastPath.isStopped;
  }

  /** Whether the event has a configured hook, or a source that observes it. */
  has(eventName: HookEventName): boolean {
    return this.#registry.has(eventName);
  }

  /** Returns the hooks of an event, or of all events, in plan order with their states. Throws a TypeError for an unknown event. */
  list(eventName?: HookEventName): ListedHook[] {
    if (eventName === undefined) return listHooks(this.#registry.current);
    this.#requireEvent(eventName);
    return listHooks(this.#registry.current, [eventName]);
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#registry.current.diagnostics;
  }

  /** Every configured hook, in the order of its sources. */
  get hooks() {
    return this.#registry.current.hooks;
  }

  /** Hooks that a setting for all hooks switches off, by event. */
  get off() {
    return this.#registry.current.off;
  }

  /** Fires an event, like `HookEventHandler.fire`, but with typed fields and a typed result. Never rejects. */
  fire<Name extends HookEventName>(
    eventName: Name,
    input: HookFieldsOf<Name>,
    options?: FireOptions,
  ): Promise<AggregatedHookResultOf<Name>> {
    return this.#handler.fire(eventName, input, options) as Promise<AggregatedHookResultOf<Name>>;
  }

  /** Returns the object with a method for each event of LLxprt. It is always the same object. */
  getEventHandler(): HookEventHandler {
    return this.#handler;
  }

  /** Returns why each hook of the event would run or not for this input. Runs nothing. Throws a TypeError for an unknown event. */
  explain<Name extends HookEventName>(eventName: Name, input: Partial<HookFieldsOf<Name>> = {}): Explanation {
    this.#requireEvent(eventName);
    const completed = this.#complete(eventName, input ?? {});
    // An incomplete input is explained too, because callers may have only some of the fields.
    const known = completed.ok ? completed.input : ({ ...input, hook_event_name: eventName } as unknown as HookInput);
    const set = this.#registry.current;
    const env = omitUndefined(this.#options.environment ?? process.env) as Record<string, string>;
    const routeOf = (hook: HookDefinition) => this.#commands.routeOf(hook.action, env);
    return explainEvent(set, this.#eventOf(eventName, known), this.#breaker?.of(set), this.#onceRuns, routeOf);
  }

  unknownEvent(eventName: string): UnknownEvent {
    return unknownEvent(eventName, this.#registry.current.dialects);
  }

  answer(eventName: HookEventName, fields: Readonly<Record<string, unknown>>, control: RequestControl): Promise<RequestAnswer> {
    return this.#events.run(control.signal, async (signal) => {
      const began = performance.now();
      const elapsedMs = () => Math.round((performance.now() - began) * 1000) / 1000;
      const completed = this.#complete(eventName, fields);
      if (!completed.ok) return answerToInvalidInput(eventName, completed.issues, this.#registry.current);
      const set = this.#registry.current;
      const event = this.#eventOf(eventName, completed.input);
      // In a recheck nothing is observed, because the sources have already observed the event.
      if (control.recheck === undefined) this.#registry.observe(event);
      const listeners = [...(isLogging() ? [logProgress(event)] : []), sendProgress(eventName, elapsedMs, control.progress)];
      const { environment: given = process.env } = this.#options;
      let copied: Record<string, string> | undefined;
      const context = {
        dialects: set.dialects,
        executors: this.#executors,
        // The environment is copied only if a hook runs. For an event without a hook to run, the copy would take longer than everything
        // else.
        environment: () => {
          copied ??= omitUndefined(given) as Record<string, string>;
          return copied;
        },
        signal,
        disposeSignal: this.#events.shutDownSignal,
        report: (progress: Progress) => {
          for (const listener of listeners) listener(progress);
        },
        ...(this.#breaker === undefined ? {} : { circuits: this.#breaker.of(set) }),
        onceRuns: this.#onceRuns,
        ranRanks: ranRanksOfProcess,
        trust: this.#registry.trust,
      };
      const result = await (control.recheck
        ? runRecheck(set, event, context, elapsedMs)
        : runPipeline(set, this.#planner, event, context, elapsedMs));
      return answerWith(result, signal, this.#events.shutDownSignal.aborted);
    });
  }

  onDispose(callback: () => void): void {
    this.#disposeCallbacks.push(callback);
  }

  onServe(bus: MessageBus): () => void {
    return bus === this.bus ? this.#fastPath.addResponder() : () => {};
  }

  /** Cancels running events and stops everything that the system started. Closes the bus only if the system created it. Idempotent. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#disposeOnce();
    return this.#disposed;
  }

  /** Calls `dispose()` at the end of a scope: `await using system = new HookSystem(…)`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #disposeOnce(): Promise<void> {
    this.#fastPath.stop();
    for (const callback of this.#disposeCallbacks.splice(0)) callback();
    await this.#events.shutDown();
    await Promise.all([...this.#allExecutors].map(disposeInTime));
    this.#registry.dispose();
    if (this.#ownsBus) await this.bus.close();
  }

  #requireEvent(eventName: string): void {
    if (!isHookEventName(eventName)) throw new TypeError(`There is no event "${eventName}". ${this.unknownEvent(eventName).hint}`);
  }

  #complete(eventName: HookEventName, fields: Readonly<Record<string, unknown>>) {
    const { sessionId, transcriptPath = '', projectDir, cwd = projectDir } = this.#options;
    return completeInput(eventName, fields, { sessionId, fallbackSessionId: this.#fallbackSessionId, transcriptPath, cwd }, new Date());
  }

  #eventOf(eventName: HookEventName, input: HookInput): HookEvent {
    return { eventName, input, projectDir: this.#options.projectDir };
  }
}

/** The events in progress. An event is aborted when its request is aborted or the system shuts down. */
export class InFlightEvents {
  readonly #events = new Map<LinkedSignal, Promise<unknown>>();
  readonly #shutDown = new AbortController();

  constructor() {
    setMaxListeners(0, this.#shutDown.signal);
  }

  /**
   * A signal that aborts with the reason `disposed` when the system shuts down. It also ends async hooks, which continue after their
   * event.
   */
  get shutDownSignal(): AbortSignal {
    return this.#shutDown.signal;
  }

  /**
   * Runs the work of an event with a signal. The signal aborts when the request aborts, with the same reason, or when the system shuts
   * down.
   */
  run<Answer>(requestSignal: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const event = new LinkedSignal(requestSignal);
    // Every hook of the event listens to this signal. Without this call, Node would report so many listeners as a leak.
    setMaxListeners(0, event.signal);
    if (this.#shutDown.signal.aborted) event.abort('disposed');

    const answer = work(event.signal).finally(() => {
      event.release();
      this.#events.delete(event);
    });
    this.#events.set(event, answer);
    return answer;
  }

  /** Aborts all events, and resolves when each has its answer. */
  async shutDown(): Promise<void> {
    this.#shutDown.abort('disposed');
    for (const event of this.#events.keys()) event.abort('disposed');
    await Promise.allSettled(this.#events.values());
  }
}
