import { eventEntry, type HookEvent } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

type Fields = Readonly<Record<string, unknown>>;

/** What was read of an event beyond its name. */
export interface Reads {
  /** The field that matchers look at. */
  subject: boolean;
  /** The MCP context: its server, and the name of the tool there. */
  context: boolean;
  /** Anything else. */
  more: boolean;
}

/** The event, and a record of what is read of it from now on. A reader sees the same values as in the event itself. */
export function recordReads(event: HookEvent): { readonly event: HookEvent; readonly reads: Reads } {
  const reads: Reads = { subject: false, context: false, more: false };
  const readMore = () => {
    reads.more = true;
  };
  const { matcherField } = eventEntry(event.eventName);
  const given = (event.input as Fields)['mcp_context'];
  const context = isPlainObject(given) ? recordedFields(given, (key) => key === 'server_name' || key === 'tool_name', readMore) : given;
  // A copy: the proxy of a frozen input could not return the proxy of the context.
  const input = recordedFields(
    { ...event.input, mcp_context: context },
    (key) => {
      if (key === 'mcp_context') reads.context = true;
      if (key === matcherField) reads.subject = true;
      return key === 'mcp_context' || key === 'hook_event_name' || key === matcherField;
    },
    readMore,
  );
  const recorded: HookEvent = {
    ...event,
    input: input as HookEvent['input'],
    get projectDir() {
      readMore();
      return event.projectDir;
    },
  };
  return { event: recorded, reads };
}

/** A proxy that reports every read, except the plain read of a field for which `isKnown` is true. */
function recordedFields(fields: Fields, isKnown: (key: PropertyKey) => boolean, readMore: () => void): Fields {
  return new Proxy(fields, {
    get(target, key) {
      if (!isKnown(key)) readMore();
      return Reflect.get(target, key);
    },
    has(target, key) {
      readMore();
      return Reflect.has(target, key);
    },
    ownKeys(target) {
      readMore();
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor(target, key) {
      readMore();
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}
