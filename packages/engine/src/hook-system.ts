import { resolve } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import type {
  AggregatedHookResultOf,
  Diagnostic,
  FireOptions,
  HookDefinition,
  HookEventName,
  HookExecutor,
  HookFieldsOf,
  HookInput,
  TraceContext,
} from '@tenterhook/protocol';
import { isHookEventName } from '@tenterhook/protocol';
import { ContainedTracing } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { EventInputs } from './events/event-inputs.js';
import { isLogging } from './events/event-log.js';
import { type Explanation, explainEvent } from './events/explain.js';
import type { InputIssue } from './events/input.js';
import { type ListedHook, listHooks } from './events/list.js';
import { type HookPreview, previewEvent } from './events/preview.js';
import { FastPath } from './fire/fast-path.js';
import { HookEventHandler } from './fire/hook-event-handler.js';
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
import type { RequestAnswer } from './service/answers.js';
import { EventRuns } from './service/event-runs.js';
import { type AnsweringSystem, HookService, type RequestControl } from './service/hook-service.js';
import { type UnknownEvent, unknownEvent } from './service/unknown-event.js';
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
  readonly #breaker: CircuitBreaker | undefined;
  readonly #onceRuns = new OnceRuns();
  /** All executors, including those that were replaced by a later executor of the same kind. The replaced ones must be disposed too. */
  readonly #allExecutors: ReadonlySet<HookExecutor>;
  readonly #commands: CommandExecutor;
  readonly #environment = new ParentEnvironment();
  readonly #inputs: EventInputs;
  readonly #runs: EventRuns;
  readonly #fastPath: FastPath;
  readonly #handler: HookEventHandler;
  readonly #ownsBus: boolean;
  readonly #disposeCallbacks: (() => void)[] = [];
  #disposed: Promise<void> | undefined;
  #endsResidents = false;

  constructor(options: HookSystemOptions) {
    this.#breaker = options.circuitBreaker === undefined ? undefined : new CircuitBreaker(requireCircuitBreaker(options.circuitBreaker));
    const projectDir = resolve(options.projectDir);
    const cwd = resolve(options.cwd ?? projectDir);
    this.#options = { ...options, projectDir, cwd };
    const { sources = [], dialects, isTrusted, trust, sessionId, transcriptPath } = options;
    this.#inputs = new EventInputs({ projectDir, cwd, ...omitUndefined({ sessionId, transcriptPath }) });
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
    this.#allExecutors = new Set(executors);
    this.#ownsBus = options.bus === undefined;
    this.bus = options.bus ?? new MessageBus();
    const planner = new HookPlanner();
    const tracing = options.tracing === undefined ? undefined : new ContainedTracing(options.tracing);
    this.#runs = new EventRuns({
      inputs: this.#inputs,
      registry: this.#registry,
      planner,
      executors: new Map(executors.map((executor) => [executor.kind, executor])),
      onceRuns: this.#onceRuns,
      environment: () => this.#readEnvironment(),
      tellsInput: options.tellsInput === true,
      ...omitUndefined({ breaker: this.#breaker, tracing }),
    });
    const context = { bus: this.bus, planner, currentSet: () => this.#registry.current };
    this.#fastPath = new FastPath({ ...context, isLogging, isObserved: (eventName) => this.#registry.isObserved(eventName) });
    this.#handler = new HookEventHandler({
      ...context,
      fastPath: this.#fastPath,
      ...omitUndefined({ tracing }),
      eventOf: (eventName, fields) => {
        const completed = this.#inputs.complete(eventName, fields);
        return completed.ok ? this.#inputs.eventOf(eventName, completed.input) : undefined;
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
    const completed = this.#inputs.complete(eventName, input ?? {});
    // An incomplete input is explained too, because callers may have only some of the fields.
    const known = completed.ok ? completed.input : ({ ...input, hook_event_name: eventName } as unknown as HookInput);
    const set = this.#registry.current;
    const { environment = process.env, projectDir, cwd } = this.#options;
    // The formats set these variables, and hooks use them to name their scripts.
    const directories = { LLXPRT_PROJECT_DIR: projectDir, GEMINI_PROJECT_DIR: projectDir, CLAUDE_PROJECT_DIR: projectDir };
    const place = { cwd: cwd ?? projectDir, env: { ...omitUndefined(environment), ...directories } as Record<string, string> };
    const routeOf = (hook: HookDefinition) => this.#commands.routeOf(hook, place);
    return explainEvent(set, this.#inputs.eventOf(eventName, known), this.#breaker?.of(set), this.#onceRuns, routeOf);
  }

  /** Returns what is wrong with the fields of an event. Empty if it can be fired. Throws a TypeError for an unknown event. */
  checkInput(eventName: HookEventName, fields: Readonly<Record<string, unknown>>): readonly InputIssue[] {
    this.#requireEvent(eventName);
    const completed = this.#inputs.complete(eventName, fields);
    return completed.ok ? [] : completed.issues;
  }

  /**
   * Returns what each hook that would run for the event would receive: its command, working directory and stdin, and the names of its
   * environment variables. Runs nothing. Empty if the input is invalid. Throws a TypeError for an unknown event.
   */
  preview(eventName: HookEventName, fields: Readonly<Record<string, unknown>>): readonly HookPreview[] {
    this.#requireEvent(eventName);
    const completed = this.#inputs.complete(eventName, fields);
    if (!completed.ok) return [];
    const set = this.#registry.current;
    const event = this.#inputs.eventOf(eventName, completed.input);
    const explained = explainEvent(set, event, this.#breaker?.of(set), this.#onceRuns);
    return previewEvent(set, event, explained, this.#readEnvironment());
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
    return this.#runs.run(eventName, fields, control, parent);
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
    await this.#runs.shutDown();
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

  #readEnvironment(): Readonly<Record<string, string>> {
    return this.#environment.read(this.#options.environment ?? process.env);
  }
}
