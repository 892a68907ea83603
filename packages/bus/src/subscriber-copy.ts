import type { BusMessage } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { isResponseChannel } from './requests/responses.js';

const log = createLog('bus');

const copies = new WeakMap<BusMessage, BusMessage>();

/**
 * A message as subscribers receive it: a frozen copy, which all subscribers share. The published object belongs to its publisher, and the
 * responder reads it. A subscriber that changed it would change the input that the hooks decide about or that is carried out. Responses are
 * not copied, because they are frozen when they are published. A message without a subscriber is not copied.
 */
export function copyForSubscribers(message: BusMessage): BusMessage {
  if (isResponseChannel(message.type)) return message;
  let copy = copies.get(message);
  if (copy === undefined) {
    copy = copyMessage(message);
    copies.set(message, copy);
  }
  return copy;
}

function copyMessage(message: BusMessage): BusMessage {
  try {
    return copyFrozen(message, new Map()) as BusMessage;
  } catch (error) {
    // The message has a getter that throws, or is nested too deeply. Subscribers receive only its type and its id.
    log('a message of %s could not be copied for its subscribers: %O', message.type, error);
    const { correlationId } = (message.payload ?? {}) as { correlationId?: unknown };
    return Object.freeze({ type: message.type, payload: Object.freeze({ correlationId: String(correlationId) }) }) as never;
  }
}

/**
 * Copies and freezes in one pass. `structuredClone` is slower, cannot freeze, and refuses a whole message for one function in it. `known`
 * has the copies made so far, so that a cycle ends.
 */
function copyFrozen(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (known.has(value)) return known.get(value);
  if (!Array.isArray(value) && !isPlain(value)) {
    const clone = structuredClone(value);
    known.set(value, clone);
    return clone;
  }
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  known.set(value, copy);
  // A key of the spread object, even `__proto__`, is an own property: the assignment changes its value and not the prototype.
  for (const key of Object.keys(copy)) copy[key] = copyFrozen(copy[key], known);
  return Object.freeze(copy);
}

/** Whether an object is plain, also one of another realm: its prototype is the only object that has no prototype itself. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
