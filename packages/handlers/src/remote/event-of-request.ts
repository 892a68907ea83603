import { isHookEventName, type PayloadOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { eventOf } from '../canonical/handler-event.js';
import type { UntypedHookEvent } from '../definition/hook-event.js';
import { eventTypeOf } from '../definition/hook-event-type.js';

const noCounts = Object.freeze({ tokens: 0, toolCalls: 0, durationMs: 0 });

/**
 * An event that was requested on a bus as handlers see it; undefined for what is none. Nobody has filled in its base fields yet, and requests
 * are not checked on their way.
 */
export function eventOfRequest({ eventName, input }: PayloadOf<'HOOK_EXECUTION_REQUEST'>): UntypedHookEvent | undefined {
  if (!isHookEventName(eventName) || !isPlainObject(input)) return undefined;
  const type = eventTypeOf(eventName);
  if (type === undefined) return undefined;
  const known = { session_id: '', transcript_path: '', cwd: '', timestamp: '', ...input, hook_event_name: eventName };
  return eventOf(type, { eventName, input: known, projectDir: '' }, noCounts);
}
