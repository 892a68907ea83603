import type { MessageBus } from '@tenterhook/bus';
import type { Diagnostic } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { HandlerSource } from '../canonical/handler-source.js';
import { handlerSourceName, handlersDialectName } from '../canonical/handlers-dialect.js';
import type { Hook } from '../definition/hook.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import { requireAccept, requireBus, requireTimeoutMs } from '../engine/require-argument.js';
import type { RegisteredHook } from '../registered-hook.js';
import type { Announcement } from './announced-hook.js';
import { compileHooks, readHooks, textOfAnnouncement, withBoundedId } from './announcement.js';
import { EngineWaiters, type WaitOptions } from './engine-waiters.js';
import { RemoteEngine } from './remote-engine.js';

const log = createLog('handlers');

/** What an engine says of itself, read. */
export interface AnnouncedEngine {
  readonly engineId: string;
  readonly name?: string;
  readonly hooks: readonly Hook[];
}

export interface RemoteHandlersOptions {
  /**
   * Whether the hooks of an engine take part; asked for each announcement that says something new. There is no default: whoever reaches the
   * bus could block what the agent does, and rewrite it. What it throws is no.
   */
  readonly accept: (engine: AnnouncedEngine) => boolean;
}

/** Bounds of what others may announce. */
const maxEngines = 64;
const maxProblems = 16;

/**
 * The handlers of engines in other processes, for `createHooks({ handlers: [remoteHandlers(bus, { accept })] })`. Listens until `close()`,
 * or until the bus is closed. Throws a TypeError without `accept`.
 */
export function remoteHandlers(bus: MessageBus, options: RemoteHandlersOptions): RemoteHandlers {
  return new RemoteHandlers(bus, options);
}

/** Made by `remoteHandlers`. */
export class RemoteHandlers extends HandlerSource {
  readonly #bus: MessageBus;
  readonly #accept: RemoteHandlersOptions['accept'];
  readonly #ownId: string = globalThis.crypto.randomUUID();
  /** By name, where they have one; in the order in which they were first heard of. */
  readonly #engines = new Map<string, RemoteEngine>();
  /** By the id of the engine. */
  readonly #problems = new Map<string, readonly Diagnostic[]>();
  readonly #stops: (() => void)[];
  /** What engines that were refused had said: they need not be asked about again for the same. */
  readonly #refused = new Map<string, string | undefined>();
  readonly #waiters = new EngineWaiters();

  constructor(bus: MessageBus, options: RemoteHandlersOptions) {
    super();
    requireBus('remoteHandlers', bus);
    this.#bus = bus;
    this.#accept = requireAccept(options);
    this.#stops = [
      bus.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => this.#receive(withBoundedId(payload))),
      bus.onConnectionChange((state) => {
        if (state === 'restored') this.#ask();
        else for (const engine of this.#engines.values()) engine.lost('the connection to it was lost');
      }),
    ];
    this.#ask();
  }

  /** The engines that were accepted, those that are absent included. */
  get engines(): readonly {
    readonly engineId: string;
    readonly name?: string;
    readonly isAbsent: boolean;
    readonly hookIds: readonly string[];
  }[] {
    return [...this.#engines.values()].map(({ engineId, name, isAbsent, hooks }) => ({
      engineId,
      ...(name === undefined ? {} : { name }),
      isAbsent,
      hookIds: hooks.map(({ registered }) => registered.hook.id),
    }));
  }

  /**
   * Asks, and resolves to true as soon as an accepted engine of this name (or id) has answered; to false when that takes too long. One that was
   * there and has died since does not count.
   */
  waitFor(name: string, { timeoutMs = 5000, signal }: WaitOptions = {}): Promise<boolean> {
    requireTimeoutMs(timeoutMs);
    const askedAt = performance.now();
    const isMeant = (engine: RemoteEngine) => engine.name === name || engine.engineId === name;
    const isThere = () => [...this.#engines.values()].some((engine) => isMeant(engine) && !engine.isAbsent && engine.heardAt >= askedAt);
    const found = this.#waiters.wait(isThere, { timeoutMs, ...(signal === undefined ? {} : { signal }) });
    this.#ask();
    return found;
  }

  /** Takes an engine out that will not come back: its hooks are gone, those with `onError: 'block'` included. False for an unknown one. */
  forget(name: string): boolean {
    const [key] = [...this.#engines].find(([, engine]) => engine.name === name || engine.engineId === name) ?? [];
    if (key !== undefined) this.#remove(key);
    return key !== undefined;
  }

  /**
   * Hears nothing more; the hooks it knows are gone. Idempotent. Not called `dispose`: it is on a bus that others made, several systems may
   * share it, and none of them may take it from the others when it ends.
   */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#engines.clear();
    this.#problems.clear();
    this.#refused.clear();
    this.#waiters.close();
    this.changed();
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
    const key = keyOf(announcement);
    const known = this.#engines.get(key);
    // Only its own farewell: a process that ends late must not take away what its successor of the same name has announced.
    const isOwn = known?.engineId === engineId;
    if (hooks.length > 0) {
      // Its successor is there: what the older one says, when it is asked again, must not give it its place back.
      if (!isOwn && known?.supersedes(engineId) === true && !known.isAbsent) return;
      this.#take(key, announcement, isOwn ? known : undefined);
    } else if (isOwn) {
      this.#remove(key);
      // Another one of the name may still be there.
      this.#ask();
    } else {
      // Its diagnostic goes, so what it said before must be told again when it is said again.
      this.#refused.delete(engineId);
      this.#tell(engineId, []);
    }
    this.#waiters.look();
  }

  /** `known`: this very engine, as it was announced before. */
  #take(key: string, announcement: Announcement, known: RemoteEngine | undefined): void {
    const { engineId, name } = announcement;
    const announced = textOfAnnouncement(announcement);
    if (known !== undefined && known.announced === announced) {
      known.heard();
      return;
    }
    if (this.#refused.has(engineId) && this.#refused.get(engineId) === announced) return;
    const { described, problems } = readHooks(announcement);
    const refusal = this.#refusalOf(key, announced, {
      engineId,
      ...(name === undefined ? {} : { name }),
      hooks: described.map(({ hook }) => hook),
    });
    if (refusal !== undefined) {
      // Who is refused takes nobody's place: else a stranger could switch off the guards of another by using its name.
      if (known !== undefined) this.#remove(key);
      this.#refuse(engineId, announced);
      this.#tell(engineId, [
        problem('unaccepted_handlers', `The handlers of the engine ${shown(name ?? engineId)} take no part: ${refusal}.`),
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
    this.#tell(
      engineId,
      [...problems, ...compiled.problems].map((message) => problem('invalid_hook', message)),
    );
  }

  #refusalOf(key: string, announced: string | undefined, engine: AnnouncedEngine): string | undefined {
    if (announced === undefined) return 'its announcement is too long, or its name or id is';
    if (this.#engines.size >= maxEngines && !this.#engines.has(key)) return `more than ${maxEngines} engines have announced themselves`;
    try {
      return this.#accept(engine) === true ? undefined : '"accept" does not take it';
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

  #tell(engineId: string, problems: readonly Diagnostic[]): void {
    for (const { message } of problems) log('%s', message);
    this.#problems.delete(engineId);
    if (problems.length > 0) this.#problems.set(engineId, problems.slice(0, maxProblems));
    // The oldest goes: what is announced by strangers must not grow.
    if (this.#problems.size > maxEngines) this.#problems.delete(this.#problems.keys().next().value as string);
    this.changed();
  }
}

function problem(code: 'unaccepted_handlers' | 'invalid_hook', message: string): Diagnostic {
  const remedy =
    code === 'unaccepted_handlers' ? 'Let "accept" give true for this engine, or connect it under a name that it takes.' : undefined;
  const place = { dialect: handlersDialectName, source: handlerSourceName };
  return { code, severity: 'error', message, ...(remedy === undefined ? {} : { remedy }), ...place };
}

/** Names and ids are two spaces: an engine without a name must not take the place of one that is called like its id. */
function keyOf({ engineId, name }: Announcement): string {
  return name === undefined ? `id ${engineId}` : `name ${name}`;
}

/** What others call themselves, bounded. */
function shown(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name);
}
