import type { BusStream, MessageBus } from '@tenterhook/bus';
import { BoundedStream } from '@tenterhook/bus/internal';
import type { Diagnostic, HookTracing } from '@tenterhook/protocol';
import type { ContainedTracing } from '@tenterhook/protocol/internal';
import { createLog } from '@tenterhook/runtime/log';
import { nearestName } from '@tenterhook/runtime/text';
import { copyPlain } from '../calling/copy-plain.js';
import type { HandlerWarning, HookHandler, RegisteredHook } from '../calling/handler.js';
import { createMissingHandler } from '../canonical/handler-definition.js';
import { SnakeCaseEngine } from '../compat/snake-case-engine.js';
import type { Hook, HookFields } from '../definition/hook.js';
import type { HandlerEvent, UntypedHandlerEvent } from '../definition/hook-event.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import { type MatcherSettings, readMatcherSettings } from '../matching/matcher-settings.js';
import { EngineConnection, type HandlerConnection, type HandlerConnectOptions } from '../remote/engine-connection.js';
import { readTracing } from '../remote/remote-handlers-options.js';
import { dispatchEvent, type HookResult } from './dispatch-event.js';
import { Registrations } from './registrations.js';
import { requireBus, requireEvent, requireKnownOptions, requireThat } from './require-argument.js';

const log = createLog('handlers');

/** How the matchers of an engine read the arguments of tools. */
export interface HookEngineOptions {
  /**
   * The fields of a tool's arguments that contain paths, for `path_pattern`. Dots separate nested names, and `[]` follows the name
   * of a list, e.g. `edits[].file_path`.
   * @default file_path, absolute_path, path, paths[], notebook_path, edits[].file_path
   */
  readonly pathFields?: readonly string[];
  /** The tools whose `command` is compared with `command_pattern`. @default Bash, bash, run_shell_command, Shell */
  readonly shellTools?: readonly string[];
  /** Whether a `path_pattern` ignores case. @default true if the agent runs on macOS or Windows */
  readonly ignoreCase?: boolean;
  /**
   * Runs the handlers in the trace of the agent that calls them, if the engine is connected to a bus. `otel()` of `@tenterhook/otel` is one.
   * @default handlers run outside of a trace
   */
  readonly tracing?: HookTracing | undefined;
}

/** How an event is fired. */
export interface HandlerFireOptions {
  /** Ends the event early. A handler that was not called until then causes a warning, or a Block if its `onError` is `block`. */
  readonly signal?: AbortSignal;
}

/** The maximum number of values in the queue of an observer. */
const bound = 1024;

/**
 * Hooks that are functions (seed 002). Each method also has a name in snake_case. There are three ways to use an engine:
 * - `fire` runs an event through its hooks without an agent.
 * - `createHooks({ handlers: [engine] })` runs its hooks on the events of that agent, before the hooks of settings files.
 * - `connect` runs its hooks on the events of an agent in another process.
 */
export class HookEngine extends SnakeCaseEngine {
  /**
   * All fired events, also events without a hook. Observers receive them in later turns of the event loop and never delay an event.
   */
  readonly events$: BusStream<HandlerEvent>;
  /**
   * The warnings of this engine's handlers, for events fired in any process. A warning with `late` came after the answer to the
   * event.
   */
  readonly warnings$: BusStream<HandlerWarning>;
  readonly #events = new BoundedStream<HandlerEvent>(bound, copyPlain, (isObserved) => {
    for (const connection of this.#connections) connection.watch(isObserved);
  });
  readonly #warnings = new BoundedStream<HandlerWarning>(bound, copyPlain);
  readonly #settings: MatcherSettings;
  readonly #registrations: Registrations;
  readonly #connections = new Set<EngineConnection>();
  readonly #tracing: ContainedTracing | undefined;

  /** Creates an engine. Throws a TypeError for invalid options. */
  constructor(options: HookEngineOptions = {}) {
    super();
    requireKnownOptions('HookEngine', options, ['pathFields', 'shellTools', 'ignoreCase', 'tracing']);
    const { pathFields, shellTools, ignoreCase, tracing } = options;
    this.#tracing = readTracing('HookEngine', tracing);
    this.events$ = this.#events.values$;
    this.warnings$ = this.#warnings.values$;
    this.#settings = readMatcherSettings(pathFields, shellTools, ignoreCase);
    this.#registrations = new Registrations(this.#settings, () => this.changed());
  }

  /** Creates an engine, as the constructor does. */
  static new(options?: HookEngineOptions): HookEngine {
    return new HookEngine(options);
  }

  /**
   * The number of events that the observers of `events$` have missed, as a sum over all observers. For each observer at most 1024
   * events wait, and older events are dropped.
   */
  get droppedEvents(): number {
    return this.#events.dropped;
  }

  /**
   * Registers a hook. A hook with a known id replaces the earlier one and takes its position. Throws an InvalidHookError for an
   * invalid hook.
   */
  register(hook: HookFields): void {
    this.#registrations.addHook(hook);
  }

  /** Removes the hook and its handler. Returns the hook, or null if there is none. */
  unregister(hookId: string): Hook | null {
    return this.#registrations.removeHook(hookId);
  }

  /**
   * Registers a handler, before or after its hook. If you pass the Hook instead of its id, the event is typed. Throws an
   * InvalidHookError for an invalid id or handler.
   */
  // biome-ignore lint/suspicious/noExplicitAny: with an id, the type of the event is unknown (UntypedHandlerEvent).
  override registerHandler<Type extends HookEventType = any>(hook: string | HookFields<Type>, handler: HookHandler<Type>): void {
    this.#registrations.addHandler(typeof hook === 'string' ? hook : hook?.id, handler);
  }

  /** Removes a handler. Its hook stays registered, but has no effect (Continue). */
  override unregisterHandler(hookId: string): void {
    this.#registrations.removeHandler(hookId);
  }

  /** Returns all hooks in the order of registration. */
  override allHooks(): Hook[] {
    return this.#registrations.all.map(({ hook }) => hook);
  }

  /** Returns the hook with this id, or null. */
  override getHook(id: string): Hook | null {
    return this.#registrations.find(id)?.hook ?? null;
  }

  /** Returns the number of registered hooks. */
  override hookCount(): number {
    return this.#registrations.count;
  }

  /** Runs an event through the handlers, without an agent. Rejects only for an invalid event or signal, with a TypeError. */
  async fire(event: HandlerEvent, { signal }: HandlerFireOptions = {}): Promise<HookResult> {
    requireEvent(event);
    requireThat(signal === undefined || typeof signal?.addEventListener === 'function', 'fire takes { signal }, an AbortSignal', signal);
    if (this.#events.isObserved) this.observed(event);
    const context = { signal, warn: this.#warn, detached: this.detached };
    return dispatchEvent(event, this.#registrations.of(event.event_type), context);
  }

  /**
   * Connects the engine to a bus. Its handlers then run on the events of agents on the bus that accept it (`remoteHandlers`). Do
   * not connect an engine that is also passed to `createHooks`, because its handlers would run twice. The connection ends with
   * `disconnect()`, or when the bus is closed.
   */
  connect(bus: MessageBus, options: HandlerConnectOptions = {}): HandlerConnection {
    requireBus('connect', bus);
    requireKnownOptions('connect', options, ['name', 'version']);
    for (const option of ['name', 'version'] as const) {
      const value = options[option];
      requireThat(
        value === undefined || (typeof value === 'string' && value !== ''),
        `connect takes { ${option} }, a non-empty string`,
        value,
      );
    }
    const connection = new EngineConnection(
      bus,
      {
        settings: this.#settings,
        tracing: this.#tracing,
        changes$: this.changes$,
        all: () => this.#registrations.all,
        find: (hookId) => this.#registrations.find(hookId),
        observed: (event) => this.observed(event),
        warned: (warning) => this.warned(warning),
      },
      options,
      (ended) => this.#connections.delete(ended),
    );
    this.#connections.add(connection);
    connection.watch(this.isObserved);
    return connection;
  }

  protected override registered(type: HookEventType): readonly RegisteredHook[] {
    return this.#registrations.of(type);
  }

  protected override get isObserved(): boolean {
    return this.#events.isObserved;
  }

  /** Copied, because observers receive the event later, and the caller may change it until then. */
  protected override observed(event: UntypedHandlerEvent): void {
    this.#events.push(copyPlain(event) as HandlerEvent);
  }

  protected override warned(warning: HandlerWarning): void {
    log('%s %s: %s', warning.hook_id, warning.code, warning.message);
    if (this.#warnings.isObserved) this.#warnings.push(warning);
  }

  override get diagnostics(): readonly Diagnostic[] {
    const ids = this.#registrations.all.map(({ hook }) => hook.id);
    const missing = this.#registrations.handlersWithoutHook.map((id) => {
      const nearest = nearestName(id, ids);
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
      return createMissingHandler(`The handler "${id}" never runs: no hook has that id.${hint}`, nearest ?? id);
    });
    return [...super.diagnostics, ...missing];
  }

  readonly #warn = (warning: HandlerWarning): void => this.warned(warning);
}
