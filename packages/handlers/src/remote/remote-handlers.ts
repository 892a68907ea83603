import type { MessageBus } from '@tenterhook/bus';
import { createLog } from '@tenterhook/bus/internal';
import type { Diagnostic } from '@tenterhook/protocol';
import { describeThrown } from '../calling/describe-thrown.js';
import { HandlerSource } from '../canonical/handler-source.js';
import type { Hook } from '../definition/hook.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import { compileMatcher } from '../matching/compile-matcher.js';
import { matcherSettings } from '../matching/matcher-settings.js';
import type { RegisteredHook } from '../registered-hook.js';
import { type Announcement, readAnnouncedHook } from './announced-hook.js';
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

export interface WaitOptions {
  /** Milliseconds, 1 to 2147483647. @default 5000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Bounds of what others may announce. */
const maxEngines = 64;
const maxHooks = 1000;

/**
 * The handlers of engines in other processes, for `createHooks({ handlers: [remoteHandlers(bus, { accept })] })`. Listens until it, or the hooks it was
 * given to, are disposed, or the bus is closed. Throws a TypeError without `accept`.
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
  readonly #problems = new Map<string, readonly Diagnostic[]>();
  readonly #stops: (() => void)[];
  #waiting: (() => void)[] = [];

  constructor(bus: MessageBus, { accept }: RemoteHandlersOptions) {
    super();
    if (typeof accept !== 'function') {
      throw new TypeError(
        'remoteHandlers takes { accept }, a function that says whose handlers take part; () => true takes all on the bus.',
      );
    }
    this.#bus = bus;
    this.#accept = accept;
    this.#stops = [
      bus.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => this.#receive(payload)),
      bus.onConnectionChange((state) => {
        if (state === 'restored') this.#ask();
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
      hookIds: hooks.map(({ hook }) => hook.id),
    }));
  }

  /** Resolves to true as soon as an accepted engine of this name (or id) is there, and to false when that takes too long. */
  waitFor(name: string, { timeoutMs = 5000, signal }: WaitOptions = {}): Promise<boolean> {
    const isThere = () =>
      [...this.#engines.values()].some((engine) => !engine.isAbsent && (engine.name === name || engine.engineId === name));
    return new Promise((resolve) => {
      const settle = (found: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#waiting = this.#waiting.filter((other) => other !== look);
        resolve(found);
      };
      const look = () => {
        if (isThere()) settle(true);
      };
      const giveUp = () => settle(false);
      const timer = setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(look);
      if (signal?.aborted) giveUp();
      else look();
    });
  }

  /** Takes an engine out that will not come back: its hooks are gone, those with `onError: 'block'` included. False for an unknown one. */
  forget(name: string): boolean {
    const [key] = [...this.#engines].find(([, engine]) => engine.name === name || engine.engineId === name) ?? [];
    if (key === undefined) return false;
    this.#engines.delete(key);
    this.changed();
    return true;
  }

  /** Hears nothing more; the hooks it knows are gone. Done by the `dispose()` of the hooks that it was given to. Idempotent. */
  async dispose(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    this.#engines.clear();
    this.#problems.clear();
    this.changed();
  }

  override get diagnostics(): readonly Diagnostic[] {
    return [...super.diagnostics, ...[...this.#problems.values()].flat()];
  }

  protected override registered(type: HookEventType): readonly RegisteredHook[] {
    return [...this.#engines.values()].flatMap(({ hooks }) => hooks.filter(({ hook }) => hook.event_type === type));
  }

  protected override get isObserved(): boolean {
    return false;
  }

  protected override observed(): void {}

  readonly #ask = (): void => {
    this.#bus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: this.#ownId, query: true, hooks: [] } });
  };

  #receive(announcement: Announcement): void {
    const { engineId, name, query, hooks } = announcement;
    if (query === true || engineId === this.#ownId) return;
    const key = name ?? engineId;
    const known = this.#engines.get(key);
    const announced = JSON.stringify(announcement);
    if (known?.announced === announced) {
      known.heard();
      this.#tellWaiting();
      return;
    }
    if (hooks.length === 0) {
      // Only its own: a process that ends late must not take away what its successor of the same name has announced.
      if (known?.engineId === engineId) this.#engines.delete(key);
      this.#problems.delete(key);
    } else {
      this.#take(key, announcement, announced);
    }
    this.changed();
    this.#tellWaiting();
  }

  #take(key: string, announcement: Announcement, announced: string): void {
    const { engineId, name } = announcement;
    const engine = new RemoteEngine(this.#bus, this.#ask, { engineId, name, announced });
    const { hooks, problems } = this.#read(announcement, engine);
    const isAccepted = this.#isAccepted({ engineId, ...(name === undefined ? {} : { name }), hooks: hooks.map(({ hook }) => hook) });
    const isFull = this.#engines.size >= maxEngines && !this.#engines.has(key);
    if (!isAccepted || isFull) {
      const why = isFull ? `more than ${maxEngines} engines have announced themselves` : '"accept" does not take it';
      this.#engines.delete(key);
      this.#tell(key, [problem('unaccepted_handlers', `The handlers of the engine ${JSON.stringify(key)} take no part: ${why}.`)]);
      return;
    }
    engine.hooks = hooks;
    engine.heard();
    this.#engines.set(key, engine);
    this.#tell(key, problems);
  }

  /** A bad hook is dropped with a diagnostic, its siblings stay. One that has not changed keeps what is remembered of it. */
  #read({ hooks, pathFields, shellTools }: Announcement, engine: RemoteEngine): { hooks: RegisteredHook[]; problems: Diagnostic[] } {
    const problems: Diagnostic[] = [];
    const registered: RegisteredHook[] = [];
    try {
      const settings = matcherSettings(pathFields, shellTools);
      for (const fields of hooks.slice(0, maxHooks)) {
        try {
          const { hook, hasHandler } = readAnnouncedHook(fields);
          const matcher = compileMatcher(hook.id, hook.event_type, hook.matcher, settings);
          const handle = (event: object, context: Parameters<RemoteEngine['call']>[2]) =>
            engine.call(hook, event as Record<string, unknown>, context);
          registered.push({ hook, matcher, handler: hasHandler ? ({ handle } as NonNullable<RegisteredHook['handler']>) : undefined });
        } catch (error) {
          problems.push(problem('invalid_hook', describeThrown(error)));
        }
      }
    } catch (error) {
      problems.push(problem('invalid_hook', describeThrown(error)));
    }
    if (hooks.length > maxHooks) problems.push(problem('invalid_hook', `Of ${hooks.length} announced hooks the first ${maxHooks} count.`));
    return { hooks: registered.sort((a, b) => a.hook.config.priority - b.hook.config.priority), problems };
  }

  #isAccepted(engine: AnnouncedEngine): boolean {
    try {
      return this.#accept(engine) === true;
    } catch (error) {
      log('accept failed for the engine %s, which takes no part: %O', engine.name ?? engine.engineId, error);
      return false;
    }
  }

  #tell(key: string, problems: readonly Diagnostic[]): void {
    for (const { message } of problems) log('%s', message);
    this.#problems.delete(key);
    if (problems.length > 0 && this.#problems.size < maxEngines) this.#problems.set(key, problems.slice(0, 16));
  }

  #tellWaiting(): void {
    for (const look of [...this.#waiting]) look();
  }
}

function problem(code: 'unaccepted_handlers' | 'invalid_hook', message: string): Diagnostic {
  return { code, severity: 'error', message, dialect: 'handlers', source: 'handler' };
}
