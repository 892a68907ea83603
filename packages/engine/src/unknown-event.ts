import { type Dialect, type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';

/** What was probably meant by an event that does not exist. */
export interface UnknownEvent {
  /** A sentence that says what to write. */
  readonly hint: string;
  readonly nearest?: HookEventName;
}

/** The name that a dialect has for an event first: people bring it from there, and spelled right it is no slip. */
export function unknownEvent(eventName: string, dialects: readonly Dialect[]): UnknownEvent {
  const dialect = dialects.find(({ events }) => events !== undefined && Object.hasOwn(events, eventName));
  const nearest = dialect?.events?.[eventName] ?? (nearestName(eventName, hookEventNames) as HookEventName | undefined);
  if (nearest === undefined) return { hint: `Events are ${hookEventNames.join(', ')}.` };
  const hint =
    dialect === undefined
      ? `Did you mean "${nearest}"?`
      : `What ${dialect.agent ?? dialect.name} calls "${eventName}" is "${nearest}" here.`;
  return { hint, nearest };
}
