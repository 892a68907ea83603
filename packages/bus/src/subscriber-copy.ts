import type { BusMessage } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { isResponseChannel } from './requests/responses.js';

const log = createLog('bus');

const copies = new WeakMap<BusMessage, BusMessage>();

/**
 * A message as subscribers receive it: frozen, and a copy, which all of them share. The object that was published belongs to its publisher, and
 * the responder decides by it: a subscriber that changed it would have another input decided, or carried out, than the one that was asked about.
 * Responses were frozen when they were published. A message without a subscriber is not copied.
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
    // A getter that throws, or an input nested deeper than the stack: subscribers see that there was a message.
    log('a message of %s could not be copied for its subscribers: %O', message.type, error);
    const { correlationId } = (message.payload ?? {}) as { correlationId?: unknown };
    return Object.freeze({ type: message.type, payload: Object.freeze({ correlationId: String(correlationId) }) }) as never;
  }
}

/** Faster than `structuredClone`, which cannot freeze, and refuses a whole message for one function in it. `known` ends cycles. */
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
  // A key of the spread object is its own, also `__proto__`: the assignment changes a value and no prototype.
  for (const key of Object.keys(copy)) copy[key] = copyFrozen(copy[key], known);
  return Object.freeze(copy);
}

/** Also for objects of another realm: the prototype of plain objects is the only one without a prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
