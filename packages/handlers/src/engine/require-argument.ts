import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue, suggestName } from '@tenterhook/runtime/text';
import { hookEventTypes, isHookEventType } from '../definition/hook-event-type.js';

/**
 * Throws a TypeError with `expected` and the value if an argument is invalid. A schema was rejected: most arguments are functions
 * or instances of classes.
 */
export function requireThat(isValid: boolean, expected: string, value: unknown): void {
  if (!isValid) throw new TypeError(`${expected}, and is ${describeValue(value)}.`);
}

export function requireEvent(event: unknown): void {
  const { event_type, payload } = (event ?? {}) as { event_type?: unknown; payload?: unknown };
  if (!isHookEventType(event_type)) {
    const hint = suggestName(event_type, hookEventTypes, `Write one of ${hookEventTypes.join(', ')}.`);
    throw new TypeError(`fire takes { event_type, payload }; event_type is ${describeValue(event_type)}. ${hint}`);
  }
  requireThat(isPlainObject(payload), `fire takes { event_type, payload }; the payload of ${event_type} must be an object`, payload);
}

/** Throws for an unknown option. It may be misspelt, and without its effect a guard might never match. */
export function requireKnownOptions(what: string, options: object, known: readonly string[]): void {
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    throw new TypeError(`${what} has no option "${option}". ${suggestName(option, known, `Its options are ${known.join(', ')}.`)}`);
  }
}

/** Throws if the value is not a bus. Passing a transport is the most likely mistake. */
export function requireBus(what: string, bus: unknown): void {
  const methods = ['request', 'respond', 'onConnectionChange'];
  const isBus = methods.every((name) => typeof (bus as Record<string, unknown> | null)?.[name] === 'function');
  requireThat(isBus, `${what} takes a MessageBus, such as new MessageBus({ transport })`, bus);
}
