import type { MessageBus } from '@tenterhook/bus';
import type { Diagnostic } from '@tenterhook/protocol';
import type { ContainedTracing } from '@tenterhook/protocol/internal';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { omitUndefined } from '@tenterhook/runtime/json';
import { createLog } from '@tenterhook/runtime/log';
import { describeNoBoolean } from '@tenterhook/runtime/text';
import type { RegisteredHook } from '../calling/handler.js';
import { HandlerSource } from '../canonical/handler-source.js';
import { handlerSourceName, handlersDialectName } from '../canonical/handlers-dialect.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import { requireBus, requireThat } from '../engine/require-argument.js';
import { type Announcement, compileHooks, formatAnnouncement, readHooks, truncateId } from './announcement.js';
import { EngineWaiters, type WaitOptions } from './engine-waiters.js';
import { connectionLost, RemoteEngine } from './remote-engine.js';
import { type AnnouncedEngine, type RemoteHandlersOptions, readAccept, readRequired, readTracing } from './remote-handlers-options.js';
import { RequiredEngine, requiredRemedy } from './required-engine.js';

const log = createLog('handlers');

/** Limits of accepted engines, and of diagnostics for one engine. */
const maxEngines = 64;
const maxProblems = 16;

/**
 * Returns the handlers of engines in other processes, for `createHooks({ handlers: [remoteHandlers(bus, { accept })] })`. Listens until
 * `close()` or until the bus is closed. Throws a TypeError without `accept`.
 */
export function remoteHandlers(bus: MessageBus, options: RemoteHandlersOptions): RemoteHandlers {
  return new RemoteHandlers(bus, options);
}

/** The handlers of engines in other processes. Created by `remoteHandlers`. */
export class RemoteHandlers extends HandlerSource {
  readonly #bus: MessageBus;
  readonly #accept: RemoteHandlersOptions['accept'];
  readonly #tracing: ContainedTracing | undefined;
  readonly #ownId: string = globalThis.crypto.randomUUID();
  /** The accepted engines in the order of their first announcements. The key is the name, or the id of an engine without a name. */
  readonly #engines = new Map<string, RemoteEngine>();
  /** By the id of the engine. */
  readonly #problems = new Map<string, readonly Diagnostic[]>();
  readonly #stops: (() => void)[];
  /** The last announcement of each refused engine, by id. `accept` is not called again for the same text. */
  readonly #refused = new Map<string, string | undefined>();
  readonly #waiters = new EngineWaiters();
  readonly #required: ReadonlyMap<string, RequiredEngine>;
  /** Why the last engine with a required name was refused, by name. */
  readonly #refusals = new Map<string, string>();
  #isClosed = false;
  #isConnectionLost = false;

  constructor(bus: MessageBus, options: RemoteHandlersOptions) {
    super();
    requireBus('remoteHandlers', bus);
    this.#bus = bus;
    this.#accept = readAccept(options);
    this.#tracing = readTracing('remoteHandlers', options.tracing);
    const around = { waiters: this.#waiters, ask: () => this.#ask() };
    this.#required = new Map(readRequired(options).map((name) => [name, new RequiredEngine(name, around)]));
    const announcements = bus.stream('HOOK_HANDLER_ANNOUNCE').subscribe({
      next: (payload) => this.#receive(truncateId(payload)),
      complete: () => this.#loseAll('the bus was closed'),
    });
    this.#stops = [
      () => announcements.unsubscribe(),
      bus.onConnectionChange((state) => {
        this.#isConnectionLost = state === 'lost';
        if (this.#isConnectionLost) this.#loseAll(connectionLost);
        else this.#ask();
      }),
    ];
    this.#ask();
  }

  /** The accepted engines, also those that do not answer at present. */
  get engines(): readonly {
    readonly engineId: string;
    readonly name?: string;
    readonly version?: string;
    readonly isAbsent: boolean;
    readonly hookIds: readonly string[];
  }[] {
    return [...this.#engines.values()].map(({ engineId, name, version, isAbsent, hooks }) => ({
      engineId,
      ...omitUndefined({ name, version }),
      isAbsent,
      hookIds: hooks.map(({ registered }) => registered.hook.id),
    }));
  }

  /**
   * Asks the engines to announce themselves. Resolves to true when an accepted engine with this name or id has answered, and to
   * false after a timeout. An earlier announcement does not count, because the engine may have ended since.
   */
  waitFor(name: string, { timeoutMs = 5000, signal }: WaitOptions = {}): Promise<boolean> {
    const isValid = typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= longestTimerMs;
    requireThat(isValid, `timeoutMs must be a number of milliseconds from 1 to ${longestTimerMs}`, timeoutMs);
    const askedAt = performance.now();
    const isMeant = (engine: RemoteEngine) => engine.name === name || engine.engineId === name;
    const isThere = () => [...this.#engines.values()].some((engine) => isMeant(engine) && !engine.isAbsent && engine.heardAt >= askedAt);
    const found = this.#waiters.wait(isThere, { timeoutMs, ...omitUndefined({ signal }) });
    this.#ask();
    return found;
  }

  /**
   * Removes an engine that will not return, with all its hooks, even hooks with `onError: 'block'`. If the engine is required, the agent
   * stays closed. Returns false for an unknown engine.
   */
  forget(name: string): boolean {
    const [key] = [...this.#engines].find(([, engine]) => engine.name === name || engine.engineId === name) ?? [];
    if (key !== undefined) this.#remove(key);
    return key !== undefined;
  }

  /**
   * Stops listening and removes all hooks. If an engine is required, the agent is then closed. Idempotent. The name `dispose` was
   * rejected: a hook system would call it at its end, and several systems may use this object.
   */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#isClosed = true;
    this.#engines.clear();
    this.#problems.clear();
    this.#refused.clear();
    this.#updateRequired();
    this.#waiters.close();
    this.changed();
  }

  /** Calls `close()` at the end of a scope: `using engines = remoteHandlers(…)`. `await using` works too. */
  [Symbol.dispose](): void {
    this.close();
  }

  override get diagnostics(): readonly Diagnostic[] {
    return [...super.diagnostics, ...[...this.#problems.values()].flat()];
  }

  protected override registered(type: HookEventType): readonly RegisteredHook[] {
    const guards = [...this.#required.values()].flatMap((required) => required.guardFor(type) ?? []);
    const all = [...this.#engines.values()].flatMap(({ hooks }) => hooks.map(({ registered }) => registered));
    return [...guards, ...all.filter(({ hook }) => hook.event_type === type)];
  }

  /** Updates the state of each required engine. Returns whether a state has changed. */
  #updateRequired(): boolean {
    let isChanged = false;
    for (const [name, required] of this.#required) {
      const engine = this.#engines.get(`name ${name}`);
      const why = this.#isClosed
        ? 'remoteHandlers was closed'
        : engine === undefined
          ? (this.#refusals.get(name) ?? 'it is not connected')
          : engine.trouble;
      isChanged = required.update(why, engine !== undefined) || isChanged;
    }
    if (isChanged) this.#waiters.look();
    return isChanged;
  }

  readonly #ask = (): void => {
    this.#bus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: this.#ownId, query: true, hooks: [] } });
  };

  #loseAll(why: string): void {
    for (const engine of this.#engines.values()) engine.lost(why);
  }

  #receive(announcement: Announcement): void {
    const { engineId, query, hooks } = announcement;
    if (query === true || engineId === this.#ownId) return;
    const key = getKey(announcement);
    const known = this.#engines.get(key);
    // Only the engine itself can remove its hooks. An earlier process with the same name may end late, and must not remove the
    // hooks of the engine that replaced it.
    const isOwn = known?.engineId === engineId;
    if (hooks.length > 0) {
      // An engine that is still present has replaced the sender. The sender's answer to a query must not change that.
      if (!isOwn && known?.supersedes(engineId) === true && !known.isAbsent) return;
      this.#add(key, announcement, isOwn ? known : undefined);
    } else if (isOwn) {
      // The hooks of a required engine stay, and deny until the engine is back.
      if (known.remedy === undefined) this.#remove(key);
      else known.lost('it has disconnected');
      // Another engine with the same name may still exist, so all engines are asked.
      this.#ask();
    } else {
      // The diagnostic is removed, so the same announcement must be reported if it comes again.
      this.#refused.delete(engineId);
      this.#setProblems(engineId, []);
    }
    this.#waiters.look();
  }

  /** `known` is the object for the same engine, if the engine was announced before. */
  #add(key: string, announcement: Announcement, known: RemoteEngine | undefined): void {
    const { engineId, name } = announcement;
    const version = announcement.version || undefined;
    const announced = formatAnnouncement(announcement);
    if (known !== undefined && known.announced === announced) {
      known.heard();
      return;
    }
    if (this.#refused.has(engineId) && this.#refused.get(engineId) === announced) return;
    const { described, problems } = readHooks(announcement);
    const refusal = this.#findRefusal(key, announced, {
      engineId,
      ...omitUndefined({ name, version }),
      hooks: described.map(({ hook }) => hook),
    });
    if (refusal !== undefined) {
      // A refused engine does not replace another engine. Otherwise any process could use the name of an engine to disable its
      // guards.
      if (name !== undefined && this.#required.has(name)) this.#refusals.set(name, `it was refused, because ${refusal}`);
      if (known !== undefined) this.#remove(key);
      this.#refuse(engineId, announced);
      this.#setProblems(engineId, [
        createDiagnostic('unaccepted_handlers', `The handlers of the engine ${formatName(name ?? engineId)} are not used: ${refusal}.`),
      ]);
      return;
    }
    this.#refused.delete(engineId);
    if (name !== undefined) this.#refusals.delete(name);
    const engine = known ?? this.#createEngine(engineId, name);
    engine.version = version;
    const compiled = compileHooks(announcement, described, engine.hooks, engine);
    engine.announced = announced ?? '';
    engine.hooks = compiled.hooks;
    const allProblems = [...problems, ...compiled.problems];
    // The engine may have meant the hook as a guard.
    engine.problem = allProblems.length === 0 ? undefined : `one of its hooks cannot be used. ${allProblems[0]}`;
    engine.heard();
    const replaced = this.#engines.get(key);
    if (replaced !== undefined && replaced !== engine) {
      engine.supersede(replaced);
      this.#problems.delete(replaced.engineId);
    }
    this.#engines.set(key, engine);
    this.#setProblems(
      engineId,
      allProblems.map((message) => createDiagnostic('invalid_hook', message)),
    );
  }

  #createEngine(engineId: string, name: string | undefined): RemoteEngine {
    const surroundings = {
      ask: this.#ask,
      isConnectionLost: () => this.#isConnectionLost,
      tracing: this.#tracing,
      changed: () => {
        if (this.#updateRequired()) this.changed();
      },
    };
    const remedy = name !== undefined && this.#required.has(name) ? requiredRemedy(name) : undefined;
    return new RemoteEngine(this.#bus, surroundings, { engineId, name, remedy });
  }

  #findRefusal(key: string, announced: string | undefined, engine: AnnouncedEngine): string | undefined {
    if (announced === undefined) return 'its announcement, its name, its version or its id is too long';
    if (this.#engines.size >= maxEngines && !this.#engines.has(key)) return `more than ${maxEngines} engines have announced themselves`;
    try {
      const answer: unknown = this.#accept(engine);
      if (typeof answer !== 'boolean') return `"accept" ${describeNoBoolean(answer)}`;
      return answer ? undefined : '"accept" refused it';
    } catch (error) {
      log('accept failed for the engine %s: %O', key, error);
      return '"accept" threw';
    }
  }

  #refuse(engineId: string, announced: string | undefined): void {
    this.#refused.set(engineId, announced);
    if (this.#refused.size > maxEngines) this.#refused.delete(this.#refused.keys().next().value as string);
  }

  #remove(key: string): void {
    const engine = this.#engines.get(key);
    this.#engines.delete(key);
    if (engine !== undefined) this.#problems.delete(engine.engineId);
    this.#updateRequired();
    this.changed();
  }

  #setProblems(engineId: string, problems: readonly Diagnostic[]): void {
    for (const { message } of problems) log('%s', message);
    this.#problems.delete(engineId);
    if (problems.length > 0) this.#problems.set(engineId, problems.slice(0, maxProblems));
    // The oldest entry is removed, so that announcements cannot fill the memory.
    if (this.#problems.size > maxEngines) this.#problems.delete(this.#problems.keys().next().value as string);
    this.#updateRequired();
    this.changed();
  }
}

function createDiagnostic(code: 'unaccepted_handlers' | 'invalid_hook', message: string): Diagnostic {
  const remedy =
    code === 'unaccepted_handlers'
      ? 'Return true for this engine from "accept", or connect it under a name that "accept" accepts.'
      : undefined;
  const place = { dialect: handlersDialectName, source: handlerSourceName };
  return { code, severity: 'error', message, ...omitUndefined({ remedy }), ...place };
}

/** The prefix keeps names and ids apart. Otherwise an engine without a name could replace an engine whose name equals its id. */
function getKey({ engineId, name }: Announcement): string {
  return name === undefined ? `id ${engineId}` : `name ${name}`;
}

/** Returns the name of an engine for messages, escaped and shortened. */
function formatName(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name);
}
