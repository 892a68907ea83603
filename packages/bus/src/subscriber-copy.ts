import type { BusMessage } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { isResponseChannel } from './requests/responses.js';

const log = createLog('bus');

const copies = new WeakMap<BusMessage, BusMessage>();

/**
 * Returns the frozen copy of a message that all subscribers share. The responder reads the published object itself. If subscribers got that
 * object, they could change the input about which hooks decide. Responses are already frozen, so they are not copied. A message without
 * subscribers is not copied.
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
    // A getter threw, or the message is nested too deeply. Subscribers receive only its type and id.
    log('a message of %s could not be copied for its subscribers: %O', message.type, error);
    const { correlationId } = (message.payload ?? {}) as { correlationId?: unknown };
    return Object.freeze({ type: message.type, payload: Object.freeze({ correlationId: String(correlationId) }) }) as never;
  }
}

/**
 * Copies and freezes in one pass. `structuredClone` was rejected: it is slower, does not freeze, and refuses a message that contains a
 * function. `known` has the copies made so far, so that a cycle ends.
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
  // All keys of the copy are own properties, because a spread made it. So this assignment cannot change the prototype, even for
  // `__proto__`.
  for (const key of Object.keys(copy)) copy[key] = copyFrozen(copy[key], known);
  return Object.freeze(copy);
}

/** Whether an object is plain. This includes plain objects of other realms, because the prototype of their `Object.prototype` is null. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
