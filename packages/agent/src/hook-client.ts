import type { MessageBus, RequestOptions } from '@tenterhook/bus';
import { createFailedResult, readOutcomes, restoreResult } from '@tenterhook/bus/internal';
import {
  type AggregatedHookResult,
  aggregatedHookResultSchema,
  type HookEventName,
  type HookExecutionResponse,
  type ResponseError,
  type Verdict,
  verdictSchema,
} from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { type ClientFields, requireFields, withClientFields } from './client-fields.js';
import { messageOf } from './message-of.js';

/** A system of hooks as `createHooks()` gives it, or less of one: `has` tells which events have hooks, the rest is the bus's. */
export interface HooksOnBus {
  readonly bus: MessageBus;
  /** @default every event is taken to have hooks */
  has?(eventName: string): boolean;
  /** Fires in this process, where an event without a hook that fits is answered at once. @default requests on the bus */
  getEventHandler?(): {
    fire(eventName: string, input: Readonly<Record<string, unknown>>, options?: FireOptions): Promise<AggregatedHookResult>;
  };
}

export type FireOptions = Pick<RequestOptions, 'signal' | 'timeoutMs'>;

export interface HookClientOptions {
  /**
   * What counts where hooks could not be asked and nobody had decided: nobody answers on the bus, time ran out, too much in flight. `allow`
   * goes on, with a warning in `userMessages`; `deny` blocks. @default 'allow'
   */
  readonly onUnavailable?: 'allow' | 'deny' | undefined;
  /** Milliseconds for one event, 1 to 2147483647. Give it where the bus leaves this process. @default none: the hooks' own timeouts bound it */
  readonly timeoutMs?: number | undefined;
  /**
   * Fields that every event of this client carries beside its own, which win: the mode that the agent is in (`agent: 'plan'`), or the
   * `session_id` of a chat where the system has none of its own. A function is asked at each event; where it throws or gives no object, the
   * event is not carried out (`invalid_request`). @default none
   */
  readonly fields?: ClientFields | undefined;
}

/**
 * What the functions of this package fire with. Holds nothing open; there is nothing to dispose. A client belongs to one session, and an agent with several
 * chats has one for each: hooks of BeforeTool are told which tools ran last through it.
 */
export interface HookClient {
  readonly onUnavailable: 'allow' | 'deny';
  /** Whether any hook may be configured for the event; synchronous. */
  has(eventName: HookEventName): boolean;
  /** Any event of the catalogue. Never rejects: a request that failed is a result with `success: false` and its code in `errors`. */
  fire(eventName: HookEventName, input: Readonly<Record<string, unknown>>, options?: FireOptions): Promise<AggregatedHookResult>;
}

/** The longest a timer can wait. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Throws a TypeError for what is no bus and has none, and for options that are none. */
export function createHookClient(hooks: HooksOnBus | MessageBus, options: HookClientOptions = {}): HookClient {
  const { onUnavailable = 'allow', timeoutMs, fields, ...unknown } = options;
  // A misspelt onUnavailable would be a closed door that stands open.
  const [misspelt] = Object.keys(unknown);
  if (misspelt !== undefined) {
    throw new TypeError(`createHookClient has no option "${misspelt}"; it has onUnavailable, timeoutMs and fields.`);
  }
  if (onUnavailable !== 'allow' && onUnavailable !== 'deny') {
    throw new TypeError(`createHookClient: onUnavailable must be "allow" or "deny", not ${JSON.stringify(onUnavailable)}.`);
  }
  // The bus would refuse it too, at each event: hooks that cannot be asked, where it is the caller who is wrong.
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs)) {
    throw new TypeError(`createHookClient: timeoutMs must be a number from 1 to ${maxTimeoutMs}, not ${String(timeoutMs)}.`);
  }
  requireFields(fields);
  const system: HooksOnBus = isBus(hooks) ? { bus: hooks } : hooks;
  if (!isBus(system?.bus)) throw new TypeError('createHookClient takes a MessageBus, or { bus, has } such as createHooks() gives.');
  return {
    onUnavailable,
    has: (eventName) => system.has?.(eventName) ?? true,
    fire(eventName, input, fireOptions = {}) {
      const withTimeout = timeoutMs === undefined ? fireOptions : { timeoutMs, ...fireOptions };
      let whole: Readonly<Record<string, unknown>>;
      try {
        whole = withClientFields(fields, input);
      } catch (error) {
        const message = `The fields of the client could not be had: ${messageOf(error)}`;
        return Promise.resolve(failed({ code: 'invalid_request', message }, performance.now()));
      }
      return system.getEventHandler?.().fire(eventName, whole, withTimeout) ?? fireOnBus(system.bus, eventName, whole, withTimeout);
    },
  };
}

function isBus(value: unknown): value is MessageBus {
  return typeof (value as MessageBus | undefined)?.request === 'function';
}

async function fireOnBus(
  bus: MessageBus,
  eventName: HookEventName,
  input: Readonly<Record<string, unknown>>,
  options: FireOptions,
): Promise<AggregatedHookResult> {
  const began = performance.now();
  try {
    const response = await bus.request('HOOK_EXECUTION_REQUEST', { eventName, input: input as Record<string, unknown> }, options);
    return resultOf(eventName, response, began);
  } catch (error) {
    // Only wrong use of the bus rejects; for whoever runs a tool it is one more reason why hooks could not be asked.
    return failed({ code: 'invalid_request', message: messageOf(error) }, began);
  }
}

/** The result that a responder gave, or what can be read of it where it is incomplete. */
function resultOf(eventName: HookEventName, response: HookExecutionResponse, began: number): AggregatedHookResult {
  const output = response.output as AggregatedHookResult | undefined;
  // A responder can be any program. An invalid result must not look as if no hook objected; a verdict in it counts.
  if (!response.success || output === undefined || !aggregatedHookResultSchema.safeParse(output).success) {
    const error = response.error ?? {
      code: 'internal_error' as const,
      message:
        output === undefined ? 'The response carried neither a result nor an error.' : 'The response carried a result that is incomplete.',
    };
    return failed(output === undefined ? error : { ...error, details: { ...output, ...error.details } }, began);
  }
  return restoreResult(eventName, output);
}

/**
 * A deny that came before the failure is still a deny. The verdict is read and not computed from the outcomes, as the engine does it: only the
 * engine has the plan that says which outcomes count.
 */
function failed(error: ResponseError, began: number): AggregatedHookResult {
  const verdict = readVerdict(error.details);
  const outcomes = readOutcomes(error);
  return createFailedResult(error, Math.round(performance.now() - began), omitUndefined({ verdict, outcomes }));
}

/** Undefined where there is none. A deny that can be recognised counts, however incomplete the rest is. */
function readVerdict(details: Readonly<Record<string, unknown>> | undefined): Verdict | undefined {
  const verdict = details?.['verdict'];
  const read = verdictSchema.safeParse(verdict).data;
  if (read !== undefined || !isPlainObject(verdict) || verdict['kind'] !== 'deny') return read;
  const deny: Verdict = { kind: 'deny', stop: false, by: [], stoppedBy: [] };
  return typeof verdict['reason'] === 'string' ? { ...deny, reason: verdict['reason'] } : deny;
}
