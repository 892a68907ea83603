import type { MessageBus } from '@tenterhook/bus';
import type { Diagnostic } from '@tenterhook/protocol';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { omitUndefined } from '@tenterhook/runtime/json';
import { createLog } from '@tenterhook/runtime/log';
import { describeNoBoolean } from '@tenterhook/runtime/text';
import type { RegisteredHook } from '../calling/handler.js';
import { HandlerSource } from '../canonical/handler-source.js';
import { handlerSourceName, handlersDialectName } from '../canonical/handlers-dialect.js';
import type { Hook } from '../definition/hook.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import { requireBus, requireKnownOptions, requireThat } from '../engine/require-argument.js';
import { type Announcement, compileHooks, formatAnnouncement, readHooks, truncateId } from './announcement.js';
import { EngineWaiters, type WaitOptions } from './engine-waiters.js';
import { RemoteEngine } from './remote-engine.js';

const log = createLog('handlers');

/** A validated announcement of an engine. */
export interface AnnouncedEngine {
  readonly engineId: string;
  readonly name?: string;
  readonly hooks: readonly Hook[];
}

/** The options of `remoteHandlers`. */
export interface RemoteHandlersOptions {
  /**
   * Decides whether the hooks of an engine are used. Called for each announcement that differs from the last one. Only `true` accepts. A
   * throw or any other value, e.g. a promise, refuses. There is no default: if every engine were accepted, every process on the bus could
   * block and rewrite what the agent does.
   */
  readonly accept: (engine: AnnouncedEngine) => boolean;
}

/** The maximum number of engines of other processes. */
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
  readonly #ownId: string = globalThis.crypto.randomUUID();
  /** The accepted engines by name, or by id if they have no name, in the order of their first announcements. */
  readonly #engines = new Map<string, RemoteEngine>();
  /** By the id of the engine. */
  readonly #problems = new Map<string, readonly Diagnostic[]>();
  readonly #stops: (() => void)[];
  /** The last announcement of each refused engine. `accept` is not called again for the same text. */
  readonly #refused = new Map<string, string | undefined>();
  readonly #waiters = new EngineWaiters();

  constructor(bus: MessageBus, options: RemoteHandlersOptions) {
    super();
    requireBus('remoteHandlers', bus);
    this.#bus = bus;
    this.#accept = readAccept(options);
    this.#stops = [
      bus.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => this.#receive(truncateId(payload))),
      bus.onConnectionChange((state) => {
        if (state === 'restored') this.#ask();
        else for (const engine of this.#engines.values()) engine.lost('the connection to it was lost');
      }),
    ];
    this.#ask();
  }

  /** The accepted engines, including absent ones. */
  get engines(): readonly {
    readonly engineId: string;
    readonly name?: string;
    readonly isAbsent: boolean;
    readonly hookIds: readonly string[];
  }[] {
    return [...this.#engines.values()].map(({ engineId, name, isAbsent, hooks }) => ({
      engineId,
      ...omitUndefined({ name }),
      isAbsent,
      hookIds: hooks.map(({ registered }) => registered.hook.id),
    }));
  }

  /**
   * Asks the engines to announce themselves. Resolves to true when an accepted engine with this name or id has answered, and to false after
   * a timeout. An earlier announcement is not enough, because the engine may have ended since.
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

  /** Removes an engine that will not return, with all its hooks, even with `onError: 'block'`. Returns false for an unknown engine. */
  forget(name: string): boolean {
    const [key] = [...this.#engines].find(([, engine]) => engine.name === name || engine.engineId === name) ?? [];
    if (key !== undefined) this.#remove(key);
    return key !== undefined;
  }

  /**
   * Stops listening and removes all hooks. Idempotent. It is not named `dispose`, because a hook system would call that at its end, and
   * several systems may use this object.
   */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#engines.clear();
    this.#problems.clear();
    this.#refused.clear();
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
    const all = [...this.#engines.values()].flatMap(({ hooks }) => hooks.map(({ registered }) => registered));
    return all.filter(({ hook }) => hook.event_type === type);
  }

  readonly #ask = (): void => {
    this.#bus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: this.#ownId, query: true, hooks: [] } });
  };

  #receive(announcement: Announcement): void {
    const { engineId, query, hooks } = announcement;
    if (query === true || engineId === this.#ownId) return;
    const key = getKey(announcement);
    const known = this.#engines.get(key);
    // Only the engine itself can remove its hooks. An earlier process with the same name may end late, and must not remove those of its
    // successor.
    const isOwn = known?.engineId === engineId;
    if (hooks.length > 0) {
      // The sender was replaced by an engine that is still present. Its answer to a query must not replace that engine.
      if (!isOwn && known?.supersedes(engineId) === true && !known.isAbsent) return;
      this.#add(key, announcement, isOwn ? known : undefined);
    } else if (isOwn) {
      this.#remove(key);
      // Another engine with the same name may still exist.
      this.#ask();
    } else {
      // The diagnostic is removed, so the same announcement must be reported again if it comes again.
      this.#refused.delete(engineId);
      this.#setProblems(engineId, []);
    }
    this.#waiters.look();
  }

  /** `known`: the object for the same engine, if it was announced before. */
  #add(key: string, announcement: Announcement, known: RemoteEngine | undefined): void {
    const { engineId, name } = announcement;
    const announced = formatAnnouncement(announcement);
    if (known !== undefined && known.announced === announced) {
      known.heard();
      return;
    }
    if (this.#refused.has(engineId) && this.#refused.get(engineId) === announced) return;
    const { described, problems } = readHooks(announcement);
    const refusal = this.#findRefusal(key, announced, {
      engineId,
      ...omitUndefined({ name }),
      hooks: described.map(({ hook }) => hook),
    });
    if (refusal !== undefined) {
      // A refused engine does not replace another one. Otherwise any process could use the name of an engine to disable the guards of that
      // engine.
      if (known !== undefined) this.#remove(key);
      this.#refuse(engineId, announced);
      this.#setProblems(engineId, [
        createDiagnostic('unaccepted_handlers', `The handlers of the engine ${formatName(name ?? engineId)} are not used: ${refusal}.`),
      ]);
      return;
    }
    this.#refused.delete(engineId);
    const engine = known ?? new RemoteEngine(this.#bus, this.#ask, { engineId, name });
    const compiled = compileHooks(announcement, described, engine.hooks, engine);
    engine.announced = announced ?? '';
    engine.hooks = compiled.hooks;
    engine.heard();
    const replaced = this.#engines.get(key);
    if (replaced !== undefined && replaced !== engine) {
      engine.supersede(replaced);
      this.#problems.delete(replaced.engineId);
    }
    this.#engines.set(key, engine);
    this.#setProblems(
      engineId,
      [...problems, ...compiled.problems].map((message) => createDiagnostic('invalid_hook', message)),
    );
  }

  #findRefusal(key: string, announced: string | undefined, engine: AnnouncedEngine): string | undefined {
    if (announced === undefined) return 'its announcement, its name or its id is too long';
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
    this.changed();
  }

  #setProblems(engineId: string, problems: readonly Diagnostic[]): void {
    for (const { message } of problems) log('%s', message);
    this.#problems.delete(engineId);
    if (problems.length > 0) this.#problems.set(engineId, problems.slice(0, maxProblems));
    // The oldest entry is removed, so that announcements cannot fill the memory.
    if (this.#problems.size > maxEngines) this.#problems.delete(this.#problems.keys().next().value as string);
    this.changed();
  }
}

function readAccept(options: RemoteHandlersOptions | undefined): RemoteHandlersOptions['accept'] {
  const accept = options?.accept;
  if (typeof accept !== 'function') {
    throw new TypeError(
      'remoteHandlers needs { accept }, a function that decides which engines are accepted. Pass { accept: () => true } to accept all engines on the bus.',
    );
  }
  requireKnownOptions('remoteHandlers', options as object, ['accept']);
  return accept;
}

function createDiagnostic(code: 'unaccepted_handlers' | 'invalid_hook', message: string): Diagnostic {
  const remedy =
    code === 'unaccepted_handlers'
      ? 'Return true for this engine from "accept", or connect it under a name that "accept" accepts.'
      : undefined;
  const place = { dialect: handlersDialectName, source: handlerSourceName };
  return { code, severity: 'error', message, ...omitUndefined({ remedy }), ...place };
}

/** The key says whether it is a name or an id. Otherwise an engine without a name could replace one whose name equals its id. */
function getKey({ engineId, name }: Announcement): string {
  return name === undefined ? `id ${engineId}` : `name ${name}`;
}

/** Returns the name of an engine for messages, escaped and shortened. */
function formatName(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name);
}
