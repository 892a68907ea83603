import { resolve } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import {
  type AggregatedHookResult,
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
  type TraceContext,
} from '@tenterhook/protocol';
import { type ContainedEvent, ContainedTracing } from '@tenterhook/protocol/internal';
import { type Abortable, abortableOf, DeadlineTimer } from '@tenterhook/runtime/async';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import { isLogging, logProgress } from './events/event-log.js';
import { type Explanation, explainEvent } from './events/explain.js';
import { InFlightEvents } from './events/in-flight-events.js';
import { completeInput, type InputIssue } from './events/input.js';
import { type ListedHook, listHooks } from './events/list.js';
import { createInputTeller, type HookPreview, previewEvent } from './events/preview.js';
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
import { ParentEnvironment } from './runner/parent-environment.js';
import { ranRanksOfProcess } from './runner/ran-ranks.js';
import { SessionVariables } from './runner/session-variables.js';
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
  readonly #sessionVariables = new SessionVariables();
  readonly #executors: ReadonlyMap<string, HookExecutor>;
  /** All executors, including those that were replaced by a later executor of the same kind. The replaced ones must be disposed too. */
  readonly #allExecutors: ReadonlySet<HookExecutor>;
  readonly #commands: CommandExecutor;
  readonly #environment = new ParentEnvironment();
  readonly #events = new InFlightEvents();
  readonly #fastPath: FastPath;
  readonly #handler: HookEventHandler;
  readonly #tracing: ContainedTracing | undefined;
  readonly #ownsBus: boolean;
  readonly #fallbackSessionId = `session-${globalThis.crypto.randomUUID()}`;
  readonly #disposeCallbacks: (() => void)[] = [];
  #disposed: Promise<void> | undefined;
  #endsResidents = false;

  constructor(options: HookSystemOptions) {
    this.#breaker = options.circuitBreaker === undefined ? undefined : new CircuitBreaker(requireCircuitBreaker(options.circuitBreaker));
    const projectDir = resolve(options.projectDir);
    this.#options = { ...options, projectDir, cwd: resolve(options.cwd ?? projectDir) };
    const { sources = [], dialects, isTrusted, trust } = options;
    this.#registry = new HookRegistry({
      sources,
      dialects,
      ...omitUndefined({ isTrusted, trust }),
      onStale: () => this.#endOldResidents(),
    });
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
    const { tracing } = options;
    this.#tracing = tracing === undefined ? undefined : new ContainedTracing(tracing);
    this.#fastPath = new FastPath({ ...context, isLogging, isObserved: (eventName) => this.#registry.isObserved(eventName) });
    this.#handler = new HookEventHandler({
      ...context,
      fastPath: this.#fastPath,
      ...omitUndefined({ tracing: this.#tracing }),
      eventOf: (eventName, fields) => {
        const completed = this.#complete(eventName, fields);
        return completed.ok ? this.#eventOf(eventName, completed.input) : undefined;
      },
    });
    if (this.#ownsBus) new HookService({ bus: this.bus, system: this });
    this.#commands.prepare(() => Object.values(this.hooks).some((hooks) => hooks.some(({ action }) => action.kind === 'command')));
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
    const { environment = process.env, projectDir, cwd } = this.#options;
    // The formats set these variables, and hooks use them to name their scripts.
    const directories = { LLXPRT_PROJECT_DIR: projectDir, GEMINI_PROJECT_DIR: projectDir, CLAUDE_PROJECT_DIR: projectDir };
    const place = { cwd: cwd ?? projectDir, env: { ...omitUndefined(environment), ...directories } as Record<string, string> };
    const routeOf = (hook: HookDefinition) => this.#commands.routeOf(hook, place);
    return explainEvent(set, this.#eventOf(eventName, known), this.#breaker?.of(set), this.#onceRuns, routeOf);
  }

  /** Returns what is wrong with the fields of an event. Empty if it can be fired. Throws a TypeError for an unknown event. */
  checkInput(eventName: HookEventName, fields: Readonly<Record<string, unknown>>): readonly InputIssue[] {
    this.#requireEvent(eventName);
    const completed = this.#complete(eventName, fields);
    return completed.ok ? [] : completed.issues;
  }

  /**
   * Returns what each hook that would run for the event would receive: its command, working directory and stdin, and the names of its
   * environment variables. Runs nothing. Empty if the input is invalid. Throws a TypeError for an unknown event.
   */
  preview(eventName: HookEventName, fields: Readonly<Record<string, unknown>>): readonly HookPreview[] {
    this.#requireEvent(eventName);
    const completed = this.#complete(eventName, fields);
    if (!completed.ok) return [];
    const set = this.#registry.current;
    const event = this.#eventOf(eventName, completed.input);
    const explained = explainEvent(set, event, this.#breaker?.of(set), this.#onceRuns);
    return previewEvent(set, event, explained, this.#environment.read(this.#options.environment ?? process.env));
  }

  unknownEvent(eventName: string): UnknownEvent {
    return unknownEvent(eventName, this.#registry.current.dialects);
  }

  answer(
    eventName: HookEventName,
    fields: Readonly<Record<string, unknown>>,
    control: RequestControl,
    parent?: TraceContext,
  ): Promise<RequestAnswer> {
    return this.#events.run(abortableOf(control), async (signal) => {
      const began = performance.now();
      const elapsedMs = () => Math.round((performance.now() - began) * 1000) / 1000;
      const completed = this.#complete(eventName, fields);
      const input = completed.ok ? completed.input : fields;
      const trace = this.#tracing?.begin({ eventName, correlationId: control.correlationId, trace: parent, startedAt: began }, input);
      const set = this.#registry.current;
      if (!completed.ok) return endRecord(trace, answerToInvalidInput(eventName, completed.issues, set), undefined, signal);
      const event = this.#eventOf(eventName, completed.input);
      // In a recheck nothing is observed, because the sources have already observed the event.
      if (control.recheck === undefined) this.#registry.observe(event);
      const publish = sendProgress(event, elapsedMs, control);
      const log = isLogging() ? logProgress(event) : undefined;
      const { environment: given = process.env } = this.#options;
      let copied: Readonly<Record<string, string>> | undefined;
      const timer = new DeadlineTimer();
      const context = {
        dialects: set.dialects,
        executors: this.#executors,
        // The environment is copied only if a hook runs. For an event without a hook to run, the copy would take longer than everything
        // else.
        environment: () => {
          copied ??= this.#environment.read(given);
          return copied;
        },
        signal,
        timer,
        disposeSignal: this.#events.shutDownSignal,
        report: (progress: Progress) => {
          log?.(progress);
          publish(progress);
        },
        trace,
        circuits: this.#breaker?.of(set),
        onceRuns: this.#onceRuns,
        sessionVariables: this.#sessionVariables,
        ranRanks: ranRanksOfProcess,
        trust: this.#registry.trust,
        ...(this.#options.tellsInput === true && control.isFollowed !== false ? { tellInput: createInputTeller(publish) } : {}),
      };
      const running = control.recheck
        ? runRecheck(set, event, context, elapsedMs)
        : runPipeline(set, this.#planner, event, context, elapsedMs);
      const result = await running.finally(() => timer.end()).catch((error) => failRecord(trace, error));
      if (eventName === 'SessionEnd') this.#sessionVariables.end(event.input.session_id);
      return endRecord(trace, answerWith(result, signal, this.#events.shutDownSignal.aborted), result, signal);
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

  /** Ends the resident processes of hooks that were changed or removed, also if no event follows. */
  #endOldResidents(): void {
    if (!this.#commands.hasResidents || this.#endsResidents) return;
    this.#endsResidents = true;
    // Several sources may change in this turn of the event loop, and the set is built once.
    setImmediate(() => {
      this.#endsResidents = false;
      if (!this.isDisposed) this.#commands.retain(Object.values(this.#registry.current.hooks).flat());
    });
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

/** Ends the record of an event, if there is one. Returns the answer, with the context of the record. */
function endRecord(
  event: ContainedEvent | undefined,
  answer: RequestAnswer,
  result: AggregatedHookResult | undefined,
  signal: Abortable,
): RequestAnswer {
  if (event === undefined) return answer;
  const reason = signal.aborted && typeof signal.reason === 'string' ? signal.reason : undefined;
  if (answer.success) return { success: true, output: answer.output, trace: event.end({ success: true }, result) };
  const { error } = answer;
  return { success: false, error, trace: event.end({ success: false, error, reason }, result) };
}

/** Ends the record of an event that failed inside the engine, and throws the error again. */
function failRecord(event: ContainedEvent | undefined, error: unknown): never {
  event?.end({ success: false, error: { code: 'internal_error', message: describeThrown(error) } }, undefined);
  throw error;
}
