import { describeValue, nearestName } from '@tenterhook/runtime/text';
import { hookEventTypes, isHookEventType } from '../definition/hook-event-type.js';
import { longestTimerMs } from '../longest-timer.js';

/** Wrong use of an engine is a TypeError that says what was given and what to write. */
export function requireEvent(event: unknown): void {
  const { event_type, payload } = (event ?? {}) as { event_type?: unknown; payload?: unknown };
  if (!isHookEventType(event_type)) {
    const nearest = typeof event_type === 'string' ? nearestName(event_type, hookEventTypes) : undefined;
    const hint = nearest === undefined ? `Write one of ${hookEventTypes.join(', ')}.` : `Did you mean "${nearest}"?`;
    throw new TypeError(`fire takes { event_type, payload }; event_type is ${describeValue(event_type)}. ${hint}`);
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new TypeError(
      `fire takes { event_type, payload }; the payload of ${event_type} must be an object, not ${describeValue(payload)}.`,
    );
  }
}

export function requireName(name: unknown): void {
  if (name === undefined || (typeof name === 'string' && name !== '')) return;
  throw new TypeError(`connect takes { name }, a text that is not empty, not ${describeValue(name)}.`);
}

/** A misspelt option would be a guard that never matches. */
export function requireOptions(what: string, options: object, known: readonly string[]): void {
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    const nearest = nearestName(option, known);
    const hint = nearest === undefined ? `It has ${known.join(', ')}.` : `Did you mean "${nearest}"?`;
    throw new TypeError(`${what} has no option "${option}". ${hint}`);
  }
}

/** A transport given in the place of its bus is the likely slip. */
export function requireBus(what: string, bus: unknown): void {
  if (['request', 'respond', 'onConnectionChange'].every((name) => typeof (bus as Record<string, unknown> | null)?.[name] === 'function'))
    return;
  throw new TypeError(`${what} takes a MessageBus, such as new MessageBus({ transport }), not ${describeValue(bus)}.`);
}

export function requireAccept<Accept>(options: { readonly accept?: Accept } | undefined): Accept {
  const accept = options?.accept;
  if (typeof accept === 'function') {
    requireOptions('remoteHandlers', options as object, ['accept']);
    return accept;
  }
  throw new TypeError('remoteHandlers takes { accept }, a function that says whose handlers take part; () => true takes all on the bus.');
}

export function requireTimeoutMs(timeoutMs: unknown): void {
  if (typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= longestTimerMs) return;
  throw new TypeError(`timeoutMs must be a number of milliseconds from 1 to ${longestTimerMs}, not ${describeValue(timeoutMs)}.`);
}

export function requireSignal(signal: unknown): void {
  if (signal === undefined || typeof (signal as AbortSignal | null)?.addEventListener === 'function') return;
  throw new TypeError(`fire takes { signal }, an AbortSignal, not ${describeValue(signal)}.`);
}
