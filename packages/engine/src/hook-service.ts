import type { Answer, MessageBus } from '@tenterhook/bus';
import {
  type AggregatedHookResult,
  type Dialect,
  eventEntry,
  type HookEventName,
  hookEventNames,
  isHookEventName,
  type ResponseError,
  type TraceContext,
} from '@tenterhook/protocol';
import { readTraceContext, recordOwnResult } from '@tenterhook/protocol/internal';
import type { Abortable } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName } from '@tenterhook/runtime/text';
import type { InputIssue } from './events/input.js';
import type { ProgressMessage } from './events/progress.js';
import { resultOfFailure } from './fire/failed-result.js';
import type { HookSet } from './registry/registry.js';

/** The answer to one request. */
export type RequestAnswer = Answer<'HOOK_EXECUTION_REQUEST'>;

/** The signal and the progress of one request. */
export interface RequestControl {
  readonly signal: AbortSignal;
  /** Publishes a step of the event. */
  readonly progress: (message: ProgressMessage) => void;
  /** Whether a step that is published now may have a receiver. If not, the step need not be published. @default true */
  readonly isFollowed?: boolean;
  /**
   * Set if the input was rewritten after the hooks had answered. The hooks are then asked again, and can only deny, ask or stop. @default
   * an ordinary event
   */
  readonly recheck?: true;
  readonly correlationId?: string;
}

/** A suggestion for an unknown event name. */
export interface UnknownEvent {
  /** A sentence that says what to write. */
  readonly hint: string;
  readonly nearest?: HookEventName;
}

/** The part of a system that a service uses. */
export interface AnsweringSystem {
  /** Carries out one event. `trace` is the context in the request. Never rejects because of a hook or a request. */
  answer(
    eventName: HookEventName,
    fields: Readonly<Record<string, unknown>>,
    control: RequestControl,
    trace?: TraceContext,
  ): Promise<RequestAnswer>;
  /** Returns the suggestion for an unknown event name. @default the event with the nearest name */
  unknownEvent?(eventName: string): UnknownEvent;
  /** Registers a callback for the start of the shutdown. It is called once. */
  onDispose(callback: () => void): void;
  /** Called when a service starts to serve a bus. Returns the function to call when it stops. */
  onServe?(bus: MessageBus): () => void;
}

/** Passes each HOOK_EXECUTION_REQUEST on the bus to the system, and publishes the system's result or error. */
export class HookService {
  readonly #stop: () => void;

  /** `maxInFlight`: the maximum number of requests at the same time. Further requests are answered with `overloaded`. @default 1024 */
  constructor({ bus, system, maxInFlight = 1024 }: { bus: MessageBus; system: AnsweringSystem; maxInFlight?: number }) {
    const stop = bus.respond(
      'HOOK_EXECUTION_REQUEST',
      async (payload, context): Promise<RequestAnswer> => {
        const { eventName, input, recheck, trace: sent } = payload as Partial<Record<'eventName' | 'input' | 'recheck' | 'trace', unknown>>;
        if (typeof eventName !== 'string') return invalidRequest(`eventName must be a string, and is ${describe(eventName)}.`, 'eventName');
        if (!isPlainObject(input)) {
          return invalidRequest(`input must be an object, and is ${describe(input)}.`, 'input');
        }
        if (!isHookEventName(eventName))
          return unsupportedEvent(eventName, system.unknownEvent?.(eventName) ?? unknownEvent(eventName, []));
        const trace = sent === undefined ? undefined : readTraceContext(sent);
        // The context is passed as it is, because its signal is created when it is first read.
        if (recheck === undefined || recheck === false) return system.answer(eventName, input, context, trace);
        if (recheck !== true) return invalidRequest(`recheck must be true or false, and is ${describe(recheck)}.`, 'recheck');
        if (eventEntry(eventName).rechecks !== true) {
          return invalidRequest(
            `${eventName} cannot be fired with recheck, because no operation is carried out with its input. Leave out recheck.`,
            'recheck',
          );
        }
        const { correlationId, signal, progress } = context;
        return system.answer(eventName, input, { correlationId, signal, progress, recheck }, trace);
      },
      { maxInFlight },
    );
    const gone = system.onServe?.(bus);
    this.#stop = () => {
      stop();
      gone?.();
    };
    system.onDispose(this.#stop);
  }

  /** Stops accepting requests. Requests in flight are still answered. Idempotent. */
  dispose(): void {
    this.#stop();
  }

  /** Calls `dispose()` at the end of a scope: `using service = new HookService(…)`. `await using` works too. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

function invalidRequest(message: string, path: string): RequestAnswer {
  return { success: false, error: { code: 'invalid_request', message, details: { issues: [{ path, message }] } } };
}

function unsupportedEvent(eventName: string, { hint, nearest }: UnknownEvent): RequestAnswer {
  return {
    success: false,
    error: {
      code: 'unsupported_event',
      message: `There is no event "${eventName}". ${hint}`,
      details: { eventName, ...(nearest ? { nearest } : {}), issues: [{ path: 'eventName', message: hint }] },
    },
  };
}

/**
 * Returns a suggestion if a dialect has an event with a similar name. The suggestion contains the canonical name, because on the bus only
 * canonical names can be fired.
 */
function nearestOfDialects(eventName: string, dialects: readonly Dialect[]): string | undefined {
  for (const { events = {}, agent, name } of dialects) {
    const nearest = nearestName(eventName, Object.keys(events));
    if (nearest !== undefined)
      return `Did you mean "${nearest}"? It is an event of ${agent ?? name}, and called "${events[nearest]}" in Tenterhook.`;
  }
  return undefined;
}

/**
 * Returns the suggestion for an unknown event name. First the event names of dialects are compared, because such a name was not mistyped
 * but belongs to another format.
 */
export function unknownEvent(eventName: string, dialects: readonly Dialect[]): UnknownEvent {
  const dialect = dialects.find(({ events }) => events !== undefined && Object.hasOwn(events, eventName));
  const nearest = dialect?.events?.[eventName] ?? (nearestName(eventName, hookEventNames) as HookEventName | undefined);
  if (nearest === undefined)
    return {
      hint: nearestOfDialects(eventName, dialects) ?? `The events are ${hookEventNames.join(', ')}. "tenterhook events" describes them.`,
    };
  const hint =
    dialect === undefined
      ? `Did you mean "${nearest}"?`
      : `The event "${eventName}" of ${dialect.agent ?? dialect.name} is called "${nearest}" in Tenterhook.`;
  return { hint, nearest };
}

/**
 * Converts the result of an event to the answer to its request. If an abort ended the event early, the answer is an error with the
 * outcomes so far.
 */
export function answerWith(result: AggregatedHookResult, signal: Abortable, isShutDown: boolean): RequestAnswer {
  const isCutShort = signal.aborted && result.outcomes.some((outcome) => outcome.status === 'cancelled');
  if (!isCutShort) return { success: true, output: recordOwnResult(withPlainOutput(result)) };
  // The details contain the verdict. So a client that has only the bus does not have to search the outcomes for a deny.
  const details = { outcomes: result.outcomes, verdict: result.verdict };
  if (isShutDown) return { success: false, error: { code: 'disposed', message: 'The hook system was shut down.', details } };
  const reason = typeof signal.reason === 'string' && signal.reason !== 'cancelled' ? ` (${signal.reason})` : '';
  return { success: false, error: { code: 'cancelled', message: `The request was cancelled${reason}.`, details } };
}

/**
 * Returns the result with `finalOutput` as a plain object, because messages are plain data on every transport. Clients make the instance
 * of the class from it (`readResponse`).
 */
function withPlainOutput(result: AggregatedHookResult): AggregatedHookResult {
  const { finalOutput } = result;
  // A rest pattern takes 3 µs for a frozen object, `Object.assign` 0.1 µs.
  return finalOutput === undefined ? result : Object.assign({}, result, { finalOutput: { ...finalOutput } as typeof finalOutput });
}

/**
 * Returns the answer to a request with an invalid input. No hook ran. Hooks with `onError: 'block'` deny, as after any failure. This
 * verdict is in the details, for clients that have only the bus.
 */
export function answerToInvalidInput(eventName: HookEventName, issues: readonly InputIssue[], { hooks, dialects }: HookSet): RequestAnswer {
  const message = `The input of ${eventName} is not valid: ${issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ')}`;
  const error: ResponseError = { code: 'validation_failed', message, details: { issues } };
  const context = { eventName, hooks: hooks[eventName].filter((hook) => hook.skip === undefined), dialects };
  const { verdict } = resultOfFailure(error, context, 0);
  return { success: false, error: verdict.kind === 'none' ? error : { ...error, details: { issues, verdict } } };
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
