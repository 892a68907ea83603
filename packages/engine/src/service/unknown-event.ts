import { type Dialect, type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';

/** A suggestion for an unknown event name. */
export interface UnknownEvent {
  /** A sentence that says what to write. */
  readonly hint: string;
  readonly nearest?: HookEventName;
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
