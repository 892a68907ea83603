import { type HookEventName, isHookEventName } from '@tenterhook/protocol';
import type { GroupFormat, KeyedEvent } from './group-format.js';
import { formatMisspelled, misspelledEvent, sameEvent } from './known-event.js';

/** A format with its own names of events. */
export interface OwnEvents {
  /** The agent's name in messages. */
  readonly agent: string;
  /** The canonical event of each name, in the order in which remedies list the names. */
  readonly events: Readonly<Record<string, { readonly eventName: HookEventName }>>;
  readonly toolNames: readonly string[];
  /** Returns the event before a tool, with a hook for the tool of this name, as text for a remedy. */
  exampleOf(toolName: string): string;
}

/** Returns the functions that explain keys that are not events of a format with its own names of events. */
export function eventKeys({ agent, events, toolNames, exampleOf }: OwnEvents): Pick<GroupFormat<unknown>, 'meantEvent' | 'remedyForEvent'> {
  const names = Object.keys(events);
  const nameOf = (eventName: HookEventName) => names.find((event) => events[event]?.eventName === eventName);
  const meantEvent = (name: string): KeyedEvent | undefined => {
    const own = names.find((event) => normalize(event) === normalize(name));
    const eventName = own === undefined ? sameEvent(name)?.eventName : events[own]?.eventName;
    const dialectEvent = own ?? (eventName === undefined ? undefined : nameOf(eventName));
    return eventName === undefined || dialectEvent === undefined ? undefined : { eventName, dialectEvent };
  };
  return {
    meantEvent,
    remedyForEvent(key) {
      const meant = meantEvent(key)?.dialectEvent;
      if (meant !== undefined && normalize(meant) !== normalize(key)) return `Other agents use that name; in this format it is "${meant}".`;
      if (toolNames.includes(key)) return `"${key}" is the name of a tool. Write ${exampleOf(key)}.`;
      if (meant !== undefined) return `Did you mean "${meant}"?`;
      const misspelled = formatMisspelled(misspelledEvent(key, names), nameOf);
      if (misspelled !== undefined) return misspelled;
      return isHookEventName(key)
        ? `${agent} has no such event; write the hook in the format of LLxprt Code.`
        : `The events are ${names.join(', ')}.`;
    },
  };
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/[_ -]/g, '');
}
