import type { BusMessage } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { isResponseChannel } from './requests/responses.js';

const log = createLog('bus');

const copies = new WeakMap<BusMessage, BusMessage>();

/**
 * Returns a message as subscribers receive it: a frozen copy, which all subscribers share. The published object itself is read by the
 * responder. A subscriber that changed it would change the input about which hooks decide, or what the agent then does. Responses are not
 * copied, because they are already frozen. A message without subscribers is not copied.
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
    // The message has a getter that throws, or it is nested too deeply. Subscribers receive only its type and id.
    log('a message of %s could not be copied for its subscribers: %O', message.type, error);
    const { correlationId } = (message.payload ?? {}) as { correlationId?: unknown };
    return Object.freeze({ type: message.type, payload: Object.freeze({ correlationId: String(correlationId) }) }) as never;
  }
}

/**
 * Copies and freezes in one pass. `structuredClone` was rejected: it is slower, cannot freeze, and refuses a whole message because of one
 * function in it. `known` contains the copies made so far, so that copying a cycle ends.
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
  // The copy was made by a spread, so all its keys are own properties, even `__proto__`, and the assignment cannot change the prototype.
  for (const key of Object.keys(copy)) copy[key] = copyFrozen(copy[key], known);
  return Object.freeze(copy);
}

/** Whether an object is plain. `Object.prototype` of another realm is accepted too: it is an object that itself has no prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
