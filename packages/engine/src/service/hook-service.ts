import type { MessageBus } from '@tenterhook/bus';
import { eventEntry, type HookEventName, isHookEventName, type TraceContext } from '@tenterhook/protocol';
import { readTraceContext } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { ProgressMessage } from '../events/progress.js';
import type { RequestAnswer } from './answers.js';
import { type UnknownEvent, unknownEvent } from './unknown-event.js';

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

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
