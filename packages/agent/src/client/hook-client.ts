import type { MessageBus } from '@tenterhook/bus';
import type {
  AggregatedHookResult,
  AggregatedHookResultOf,
  FireOptions,
  HookEventName,
  HookFieldsOf,
  ResponseError,
  Verdict,
} from '@tenterhook/protocol';
import { createFailedResult, readOutcomes, readResponse, splitFireOptions, verdictSchema } from '@tenterhook/protocol/internal';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';
import { type AsyncHooksByEvent, LateEndFollower, mayEndLate } from '../late/follow-late-ends.js';
import { LateAnswerQueue, type LateAnswers, noAnswers, type Wake } from '../late/late-answers.js';
import { formatThrown } from './failure-text.js';
import { WaitingLine } from './waiting-line.js';

/** What a client needs to fire events: the result of `createHooks()`, or an object with the same `bus`. */
export interface HooksOnBus {
  readonly bus: MessageBus;
  /** Whether hooks are configured for the event. @default every event is treated as one with hooks */
  has?(eventName: HookEventName): boolean;
  /** The hooks by event. The client follows only events with a hook that may end after its event. @default it follows every event */
  readonly hooks?: AsyncHooksByEvent;
  /** Whether the hooks are disposed. Then nothing that async hooks answered is delivered. @default false */
  readonly isDisposed?: boolean;
  /**
   * Returns the object that fires events in this process. It answers at once if no hook matches the event.
   * @default every event is a request on the bus
   */
  getEventHandler?(): {
    /** Fires an event by its name. */
    fire(eventName: string, input: Readonly<Record<string, unknown>>, options?: FireOptions): Promise<AggregatedHookResult>;
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that every event of a client carries, or a function that returns them at each event. */
export type ClientFields = Fields | (() => Fields);

/** How a client fires events. */
export interface HookClientOptions {
  /**
   * What happens if no hook service accepts the event, because the bus has no responder or the responder does not know the event. `allow`
   * continues the operation, with a warning in `userMessages`. `deny` blocks it. If a service accepted the event and did not finish it, the
   * operation is always blocked.
   * @default 'allow'
   */
  readonly onUnavailable?: 'allow' | 'deny' | undefined;
  /**
   * Timeout of one event in milliseconds, 1 to 2147483647. If a limit is reached, an event waits, and the timeout includes this wait. Set
   * the timeout if the hook service is in another process.
   * @default none: the hooks have their own timeouts, and the wait ends after 60 seconds
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Fields that every event of this client carries, e.g. the mode of the agent (`agent: 'plan'`). The fields of the event itself take
   * precedence. A function is called at each event. If it throws or does not return an object, the event is not fired (`invalid_request`).
   * @default none
   */
  readonly fields?: ClientFields | undefined;
  /**
   * Called when an async hook wants the agent to continue (`asyncRewake` and exit code 2 in Claude Code's settings). It is called even if
   * the agent waits for its user, so it should begin a turn with `wake.context` as the prompt. Its errors are logged.
   * @default the text is delivered with the next operation, like other answers of async hooks
   */
  readonly onWake?: ((wake: Wake) => unknown) | undefined;
}

/**
 * Fires events for the functions of this package. A client needs no disposal. Use one client per session, because a client records which
 * tools were called last and passes their names to hooks of BeforeTool.
 */
export interface HookClient {
  readonly onUnavailable: 'allow' | 'deny';
  /** Whether any hook may be configured for the event. */
  has(eventName: HookEventName): boolean;
  /** Fires any event of the catalogue. Never rejects. If the request fails, the result has `success: false` and the code in `errors`. */
  fire<Name extends HookEventName>(
    eventName: Name,
    input: HookFieldsOf<Name>,
    options?: FireOptions,
  ): Promise<AggregatedHookResultOf<Name>>;
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
  const { onUnavailable = 'allow', timeoutMs, fields, onWake, ...unknown } = options;
  // Unknown options are refused. If a misspelt `onUnavailable` were ignored, the default would allow what should be blocked.
  const [misspelt] = Object.keys(unknown);
  if (misspelt !== undefined) {
    throw new TypeError(`createHookClient has no option "${misspelt}"; its options are onUnavailable, timeoutMs, fields and onWake.`);
  }
  requireClientOptions('createHookClient', options);
  const system: HooksOnBus = isBus(hooks) ? { bus: hooks } : hooks;
  if (!isBus(system?.bus))
    throw new TypeError('The first argument must be a MessageBus or an object { bus, has }. Pass the result of createHooks().');
  const line = WaitingLine.of(system.bus);
  // The session id is not added to `fields`, because `fields` may be a function that throws.
  const own = sessionId === undefined ? {} : { session_id: sessionId };
  const complete = (input: Fields) => addClientFields(fields, isPlainObject(input) ? { ...own, ...input } : input);
  const currentSession = () => sessionOf(complete, {});
  const queue = new LateAnswerQueue(onWake);
  const follower = new LateEndFollower(system.bus, (end, session) => {
    if (system.isDisposed !== true) queue.receive(end, session, session === currentSession());
  });
  return {
    onUnavailable,
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
      const attempt = (leftMs: number | undefined) => {
        const limits = leftMs === undefined ? options : { ...options, timeoutMs: leftMs };
        const send = (sent: FireOptions) =>
          system.getEventHandler?.().fire(eventName, whole, sent) ?? fireOnBus(system.bus, eventName, whole, sent);
        // Options that are not an object are reported by the function that fires the event.
        if (!mayEndLate(system.hooks, eventName) || typeof limits !== 'object') return send(limits);
        const correlationId = limits.correlationId ?? globalThis.crypto.randomUUID();
        return follower.fire(
          sessionOf(() => whole, whole),
          correlationId,
          () => send({ ...limits, correlationId }),
        );
      };
      return line.fire(attempt, options) as Promise<AggregatedHookResultOf<Name>>;
    },
    late: {
      take: () => (system.isDisposed === true ? noAnswers : queue.take(currentSession())),
      clear: () => {
        follower.clear();
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

/** Throws a TypeError that names an invalid option and the function. */
export function requireClientOptions(what: string, { onUnavailable = 'allow', timeoutMs, fields, onWake }: HookClientOptions): void {
  if (onWake !== undefined && typeof onWake !== 'function') {
    throw new TypeError(`${what}: onWake must be a function, and is ${describeValue(onWake)}.`);
  }
  if (onUnavailable !== 'allow' && onUnavailable !== 'deny') {
    throw new TypeError(`${what}: onUnavailable must be "allow" or "deny", and is ${JSON.stringify(onUnavailable)}.`);
  }
  // The bus would refuse an invalid timeout too, but only at each event. The agent would then report that hooks could not be asked.
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= longestTimerMs)) {
    throw new TypeError(`${what}: timeoutMs must be a number from 1 to ${longestTimerMs}, and is ${String(timeoutMs)}.`);
  }
  if (fields !== undefined && typeof fields !== 'function' && !isPlainObject(fields)) {
    throw new TypeError(`${what}: fields must be an object, or a function that returns one, and is ${JSON.stringify(fields)}.`);
  }
}

/** Returns the session id of completed fields. Undefined if they have none or cannot be computed: the service then uses its own. */
function sessionOf(complete: (input: Fields) => Fields, input: Fields): string | undefined {
  try {
    const { session_id } = complete(input);
    return typeof session_id === 'string' ? session_id : undefined;
  } catch {
    return undefined;
  }
}

function isBus(value: unknown): value is MessageBus {
  return typeof (value as MessageBus | undefined)?.request === 'function';
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

async function fireOnBus(bus: MessageBus, eventName: HookEventName, fields: Fields, options: FireOptions): Promise<AggregatedHookResult> {
  const began = performance.now();
  const input = fields as Record<string, unknown>;
  try {
    const { sent, limits } = splitFireOptions(options);
    const response = await bus.request('HOOK_EXECUTION_REQUEST', { eventName, input, ...sent }, limits);
    const read = readResponse(eventName, response);
    return 'result' in read ? read.result : toFailedResult(read.error, began);
  } catch (error) {
    // The bus rejects only for wrong use. The rejection becomes a failed result, so that callers handle one kind of failure.
    return toFailedResult({ code: 'invalid_request', message: formatThrown(error) }, began);
  }
}

/**
 * Returns the result of a failed request. If hooks denied before the failure, the result is a deny. The verdict is taken from the details
 * of the error. Computing the verdict from the outcomes was rejected, because only the engine knows which outcomes decide.
 */
function toFailedResult(error: ResponseError, began: number): AggregatedHookResult {
  const verdict = readVerdict(error.details);
  const outcomes = readOutcomes(error);
  return createFailedResult(error, Math.round(performance.now() - began), omitUndefined({ verdict, outcomes }));
}

/** Reads the verdict, or returns undefined if there is none. A deny is returned even if other fields of the verdict are missing. */
function readVerdict(details: Fields | undefined): Verdict | undefined {
  const verdict = details?.['verdict'];
  const read = verdictSchema.safeParse(verdict).data;
  if (read !== undefined || !isPlainObject(verdict) || verdict['kind'] !== 'deny') return read;
  const deny: Verdict = { kind: 'deny', stop: false, by: [], stoppedBy: [] };
  return typeof verdict['reason'] === 'string' ? { ...deny, reason: verdict['reason'] } : deny;
}
