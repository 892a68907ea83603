import type { MessageBus } from '@tenterhook/bus';
import type { Observable } from '@tenterhook/bus/internal';
import type { Diagnostic } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { nearestName } from '@tenterhook/runtime/text';
import { copyPlain } from '../calling/copy-plain.js';
import type { HookHandler } from '../calling/handler.js';
import { missingHandler } from '../canonical/diagnostics-of.js';
import { HandlerSource } from '../canonical/handler-source.js';
import type { Hook, HookFields } from '../definition/hook.js';
import type { HookEvent, UntypedHookEvent } from '../definition/hook-event.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import type { HookResult } from '../dispatch/hook-result.js';
import type { HandlerWarning } from '../handler-warning.js';
import { type MatcherSettings, matcherSettings } from '../matching/matcher-settings.js';
import type { RegisteredHook } from '../registered-hook.js';
import { type ConnectOptions, EngineConnection, type HandlerConnection } from '../remote/engine-connection.js';
import { BoundedStream } from './bounded-stream.js';
import { dispatchEvent } from './dispatch-event.js';
import { Registrations } from './registrations.js';
import { requireBus, requireEvent, requireName, requireOptions, requireSignal } from './require-argument.js';

const log = createLog('handlers');

export interface HookEngineOptions {
  /**
   * Where a `path_pattern` finds paths in the arguments of a tool: names joined by dots, `[]` behind the name of a list.
   * @default file_path, absolute_path, path, paths[], notebook_path, edits[].file_path
   */
  readonly pathFields?: readonly string[];
  /** Tools whose `command` a `command_pattern` is tried on. @default Bash, bash, run_shell_command, Shell */
  readonly shellTools?: readonly string[];
}

export interface FireOptions {
  /** Ends the event early: handlers that had no turn are a warning, or Block where their `onError` is `block`. */
  readonly signal?: AbortSignal;
}

const bound = 1024;

/**
 * Hooks that are functions (seed 002). Alone, `fire` runs an event through them; given to `createHooks({ handlers: [engine] })` they take part
 * in the events of an agent, before the hooks of settings files; connected to a bus, in those of an agent in another process.
 */
export class HookEngine extends HandlerSource {
  /** Every event that is fired, whether or not a hook is for it. Observers are told in later turns of the loop, and never hold an event up. */
  readonly events$: Observable<HookEvent>;
  /** What went wrong with handlers of this engine, wherever the event was fired, and also after it was answered (`late`). */
  readonly warnings$: Observable<HandlerWarning>;
  readonly #events = new BoundedStream<HookEvent>(bound, copyPlain, (isObserved) => {
    for (const connection of this.#connections) connection.watch(isObserved);
  });
  readonly #warnings = new BoundedStream<HandlerWarning>(bound, copyPlain);
  readonly #settings: MatcherSettings;
  readonly #registrations: Registrations;
  readonly #connections = new Set<EngineConnection>();

  /** Throws a TypeError for options that cannot be read. */
  constructor(options: HookEngineOptions = {}) {
    super();
    requireOptions('HookEngine', options, ['pathFields', 'shellTools']);
    const { pathFields, shellTools } = options;
    this.events$ = this.#events.values$;
    this.warnings$ = this.#warnings.values$;
    this.#settings = matcherSettings(pathFields, shellTools);
    this.#registrations = new Registrations(this.#settings, () => this.changed());
  }

  static new(options?: HookEngineOptions): HookEngine {
    return new HookEngine(options);
  }

  /** Events that observers of `events$` have missed, over all of them: each may be 1024 behind, then the oldest go. */
  get droppedEvents(): number {
    return this.#events.dropped;
  }

  /** Of a known id the definition is replaced, and its place stays. Throws an InvalidHookError. */
  register(hook: HookFields): void {
    this.#registrations.addHook(hook);
  }

  /** The hook, or null. Its handler goes with it. */
  unregister(hookId: string): Hook | null {
    return this.#registrations.removeHook(hookId);
  }

  /** Before or after its hook. Given the Hook instead of its id, the event has the type of the hook. Throws an InvalidHookError. */
  // biome-ignore lint/suspicious/noExplicitAny: an id says nothing of the type, see UntypedHookEvent.
  register_handler<Type extends HookEventType = any>(hook: string | HookFields<Type>, handler: HookHandler<Type>): void {
    this.#registrations.addHandler(typeof hook === 'string' ? hook : hook?.id, handler);
  }

  /** Its hook stays, and means Continue. */
  unregister_handler(hookId: string): void {
    this.#registrations.removeHandler(hookId);
  }

  /** In the order of registration. */
  all_hooks(): Hook[] {
    return this.#registrations.all.map(({ hook }) => hook);
  }

  get_hook(id: string): Hook | null {
    return this.#registrations.find(id)?.hook ?? null;
  }

  hook_count(): number {
    return this.#registrations.count;
  }

  /** Runs the handlers of an event, without an agent. Rejects only for what is no event, with a TypeError. */
  async fire(event: HookEvent, { signal }: FireOptions = {}): Promise<HookResult> {
    requireEvent(event);
    requireSignal(signal);
    if (this.#events.isObserved) this.observed(event);
    const context = { signal, warn: this.#warn, detached: this.detached };
    return dispatchEvent(event, this.#registrations.of(event.event_type), context);
  }

  /**
   * Takes part in the events of agents on this bus that accept it (`remoteHandlers`), from another process or from this one. Not for an engine
   * that is given to `createHooks` as well: its handlers would run twice. Ended by `disconnect()`, or with the bus.
   */
  connect(bus: MessageBus, options: ConnectOptions = {}): HandlerConnection {
    requireBus('connect', bus);
    requireOptions('connect', options, ['name']);
    requireName(options.name);
    const connection = new EngineConnection(
      bus,
      {
        settings: this.#settings,
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

  // biome-ignore lint/suspicious/noExplicitAny: as register_handler.
  registerHandler<Type extends HookEventType = any>(hook: string | HookFields<Type>, handler: HookHandler<Type>): void {
    this.register_handler(hook, handler);
  }

  unregisterHandler(hookId: string): void {
    this.unregister_handler(hookId);
  }

  allHooks(): Hook[] {
    return this.all_hooks();
  }

  getHook(id: string): Hook | null {
    return this.get_hook(id);
  }

  hookCount(): number {
    return this.hook_count();
  }

  protected override registered(type: HookEventType): readonly RegisteredHook[] {
    return this.#registrations.of(type);
  }

  protected override get isObserved(): boolean {
    return this.#events.isObserved;
  }

  /** A copy: observers are told later, and whoever fired the event may go on changing it. */
  protected override observed(event: UntypedHookEvent): void {
    this.#events.push(copyPlain(event) as HookEvent);
  }

  protected override warned(warning: HandlerWarning): void {
    log('%s %s: %s', warning.hook_id, warning.code, warning.message);
    if (this.#warnings.isObserved) this.#warnings.push(warning);
  }

  override get diagnostics(): readonly Diagnostic[] {
    const ids = this.#registrations.all.map(({ hook }) => hook.id);
    const lonely = this.#registrations.lonelyHandlers.map((id) => {
      const nearest = nearestName(id, ids);
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
      return missingHandler(`The handler "${id}" never runs: there is no hook of that id.${hint}`, nearest ?? id);
    });
    return [...super.diagnostics, ...lonely];
  }

  readonly #warn = (warning: HandlerWarning): void => this.warned(warning);
}
