import type { Answer, MessageBus } from '@tenterhook/bus';
import { type HookEventName, isHookEventName } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { ProgressMessage } from './events/progress.js';
import { type UnknownEvent, unknownEvent } from './unknown-event.js';

/** What one request is answered with. */
export type RequestAnswer = Answer<'HOOK_EXECUTION_REQUEST'>;

/** How a request in flight is ended early, and where its progress goes. */
export interface RequestControl {
  readonly signal: AbortSignal;
  readonly progress: (message: ProgressMessage) => void;
}

/** What a service needs of a system. */
export interface AnsweringSystem {
  /** Carries out one event. Never rejects for what a hook or a request does. */
  answer(eventName: HookEventName, fields: Readonly<Record<string, unknown>>, control: RequestControl): Promise<RequestAnswer>;
  /** What was probably meant by an event that does not exist. @default the event with the nearest name */
  unknownEvent?(eventName: string): UnknownEvent;
  /** Called once, when the system begins to shut down. */
  onDispose(callback: () => void): void;
  /** Told of each bus that it is answered on, until the returned function is called. */
  onServe?(bus: MessageBus): () => void;
}

/** Bus in, bus out: takes each HOOK_EXECUTION_REQUEST to the system and its result, or what is wrong with it, back. */
export class HookService {
  readonly #stop: () => void;

  /** `maxInFlight`: requests carried out at the same time, beyond which the answer is `overloaded`. @default 1024 */
  constructor({ bus, system, maxInFlight = 1024 }: { bus: MessageBus; system: AnsweringSystem; maxInFlight?: number }) {
    const stop = bus.respond(
      'HOOK_EXECUTION_REQUEST',
      async (payload, { signal, progress }): Promise<RequestAnswer> => {
        const { eventName, input } = payload as { eventName: unknown; input: unknown };
        if (typeof eventName !== 'string') return invalidRequest(`eventName must be a text, not ${describe(eventName)}.`, 'eventName');
        if (!isPlainObject(input)) {
          return invalidRequest(`input must be an object, not ${describe(input)}.`, 'input');
        }
        if (!isHookEventName(eventName))
          return unsupportedEvent(eventName, system.unknownEvent?.(eventName) ?? unknownEvent(eventName, []));
        return system.answer(eventName, input, { signal, progress });
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

  /** Stops answering; requests in flight are still answered. Idempotent. */
  dispose(): void {
    this.#stop();
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
