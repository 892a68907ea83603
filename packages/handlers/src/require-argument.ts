import { nearestName } from '@tenterhook/protocol';
import { hookEventTypes, isHookEventType } from './definition/hook-event-type.js';

/** Wrong use of an engine is a TypeError that says what was given and what to write. */
export function requireEvent(event: unknown): void {
  const { event_type, payload } = (event ?? {}) as { event_type?: unknown; payload?: unknown };
  if (!isHookEventType(event_type)) {
    const nearest = typeof event_type === 'string' ? nearestName(event_type, hookEventTypes) : undefined;
    const hint = nearest === undefined ? `Write one of ${hookEventTypes.join(', ')}.` : `Did you mean "${nearest}"?`;
    throw new TypeError(`fire takes { event_type, payload }; event_type is ${JSON.stringify(event_type)}. ${hint}`);
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new TypeError(
      `fire takes { event_type, payload }; the payload of ${event_type} must be an object, not ${JSON.stringify(payload)}.`,
    );
  }
}

export function requireName(name: unknown): void {
  if (name === undefined || (typeof name === 'string' && name !== '')) return;
  throw new TypeError(`connect takes { name }, a text that is not empty, not ${JSON.stringify(name)}.`);
}
