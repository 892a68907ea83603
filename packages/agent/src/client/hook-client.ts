import type { MessageBus } from '@tenterhook/bus';
import type { AggregatedHookResultOf, FireOptions, HookEventName, HookFieldsOf, HookTracing } from '@tenterhook/protocol';
import { ContainedTracing } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { LateAnswerQueue, type LateAnswers, type LateEnd, noAnswers } from '../late/late-answers.js';
import { type ClientFields, clientOptionNames, type HookClientOptions, requireClientOptions } from './client-options.js';
import { formatThrown } from './failure-text.js';
import { fireOnBus, toFailedResult } from './fire-on-bus.js';
import { FollowedSystem, readSession } from './followed-system.js';
import { Hedge } from './hedge.js';
import { type Fields, type HooksOnBus, isBus } from './hooks-on-bus.js';
import { LocalHooks } from './local-hooks.js';
import { WaitingLine } from './waiting-line.js';

/**
 * Fires events for the functions of this package. A client needs no disposal. Use one client per session, because a client records which
 * tools were called last and passes their names to hooks of BeforeTool.
 */
export interface HookClient {
  readonly onUnavailable: 'allow' | 'deny' | 'local';
  /** Whether any hook may be configured for the event. */
  has(eventName: HookEventName): boolean;
  /** Fires any event of the catalogue. Never rejects. If the request fails, the result has `success: false` and the code in `errors`. */
  fire<Name extends HookEventName>(
    eventName: Name,
    input: HookFieldsOf<Name>,
    options?: FireOptions,
  ): Promise<AggregatedHookResultOf<Name>>;
  /** Records the tool calls of this client. @default they are not recorded */
  readonly tracing?: HookTracing | undefined;
  /**
   * What async hooks of this client's events answered after their events. The functions of this package deliver it. @default no answers
   */
  readonly late?: {
    /** Removes and returns the answers for the present session. Each answer is returned once. Never throws. */
    take(): LateAnswers;
    /** Drops the answers, and ignores async hooks that still run. */
    clear(): void;
  };
}

/** Creates a client. Throws a TypeError if the first argument has no bus, and for invalid options. */
export function createHookClient(hooks: HooksOnBus | MessageBus, options: HookClientOptions = {}): HookClient {
  return createSessionClient(hooks, options, undefined);
}

/** Creates a client whose events have this session id. It takes precedence over a `session_id` in `fields`. */
export function createSessionClient(hooks: HooksOnBus | MessageBus, options: HookClientOptions, sessionId: string | undefined): HookClient {
  const { onUnavailable = 'allow', timeoutMs, fields, onWake } = options;
  // Unknown options are refused. If a misspelt `onUnavailable` were ignored, the default would allow what should be blocked.
  const misspelt = Object.keys(options).find((name) => !clientOptionNames.includes(name));
  if (misspelt !== undefined) {
    throw new TypeError(`createHookClient has no option "${misspelt}"; its options are ${clientOptionNames.join(', ')}.`);
  }
  requireClientOptions('createHookClient', options);
  const system: HooksOnBus = isBus(hooks) ? { bus: hooks } : hooks;
  if (!isBus(system?.bus))
    throw new TypeError('The first argument must be a MessageBus or an object { bus, has }. Pass the result of createHooks().');
  if (options.hedge !== undefined && system.getEventHandler !== undefined) {
    throw new TypeError('createHookClient: hedge is for a client of a bus alone. The hooks of this process have no second worker.');
  }
  if (options.local?.bus === system.bus) {
    throw new TypeError('createHookClient: the hooks in local must have a bus of their own. Create them without the option bus.');
  }
  const tracing = options.tracing ?? system.tracing;
  const contained = tracing === undefined ? undefined : new ContainedTracing(tracing);
  const line = WaitingLine.of(system.bus);
  // The session id is not added to `fields`, because `fields` may be a function that throws.
  const own = sessionId === undefined ? {} : { session_id: sessionId };
  const complete = (input: Fields) => addClientFields(fields, isPlainObject(input) ? { ...own, ...input } : input);
  const currentSession = () => sessionOf(complete);
  const queue = new LateAnswerQueue(onWake);
  const onEnd = (end: LateEnd, session: string | undefined) => {
    if (system.isDisposed !== true) queue.receive(end, session, session === currentSession());
  };
  const followed = new FollowedSystem(system, onEnd);
  const hedge = options.hedge === undefined ? undefined : new Hedge(system.bus, followed, options.hedge, contained);
  const local = options.local === undefined ? undefined : new LocalHooks(system.bus, options.local, onEnd);
  const send = (eventName: HookEventName, whole: Fields, options: FireOptions) => {
    if (hedge?.has(eventName) && isPlainObject(options)) return hedge.fire(eventName, whole, options);
    const sendOnce = (sent: FireOptions) =>
      system.getEventHandler?.().fire(eventName, whole, sent) ?? fireOnBus(system.bus, eventName, whole, sent, contained);
    return followed.fire(eventName, whole, options, sendOnce);
  };
  return {
    onUnavailable,
    ...omitUndefined({ tracing }),
    has: (eventName) => system.has?.(eventName) ?? true,
    fire<Name extends HookEventName>(eventName: Name, input: HookFieldsOf<Name>, fireOptions: FireOptions = {}) {
      let whole: Fields;
      try {
        whole = complete(input);
      } catch (error) {
        const message = `The "fields" of the client could not be computed: ${formatThrown(error)}`;
        return Promise.resolve(toFailedResult({ code: 'invalid_request', message }, performance.now()) as AggregatedHookResultOf<Name>);
      }
      const options = timeoutMs === undefined ? fireOptions : { timeoutMs, ...fireOptions };
      const attempt = (leftMs: number | undefined) =>
        send(eventName, whole, leftMs === undefined ? options : { ...options, timeoutMs: leftMs });
      const ask = () => line.fire(attempt, options);
      const fired = local === undefined ? ask() : local.fire(eventName, whole, options, ask);
      return fired as Promise<AggregatedHookResultOf<Name>>;
    },
    late: {
      take: () => (system.isDisposed === true ? noAnswers : queue.take(currentSession())),
      clear: () => {
        followed.clear();
        local?.clear();
        queue.clear();
      },
    },
  };
}

/**
 * Throws a TypeError that names a wrong argument. Without this check, an agent without a translator would work until its user adds the
 * first hook of a model event.
 */
export function requireClient(what: string, client: HookClient, functions: Readonly<Record<string, unknown>>): void {
  if (typeof client?.fire !== 'function')
    throw new TypeError(`${what}: the first argument must be a client. Pass createHookClient(hooks).`);
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value !== 'function') throw new TypeError(`${what}: "${name}" must be a function.`);
  }
}

/** Returns the session id of the next event. Undefined if its fields cannot be computed. */
function sessionOf(complete: (input: Fields) => Fields): string | undefined {
  try {
    return readSession(complete({}));
  } catch {
    return undefined;
  }
}

/**
 * Returns the input with the fields of the client. Throws if they cannot be computed, because a hook may need them for its decision. An
 * input that is not an object stays unchanged, and the service refuses it.
 */
function addClientFields(fields: ClientFields | undefined, input: Fields): Fields {
  if (fields === undefined || !isPlainObject(input)) return input;
  const own: unknown = typeof fields === 'function' ? fields() : fields;
  if (!isPlainObject(own) || typeof own['then'] === 'function')
    throw new TypeError('the function must return an object, and it returned a promise');
  return { ...own, ...omitUndefined(input) };
}
