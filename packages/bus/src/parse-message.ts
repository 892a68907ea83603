import type { BusMessage } from '@tenterhook/protocol';
import { acceptsPayload, channelPayloadSchemas, isRequestChannel } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';
import { isResponseChannel } from './requests/responses.js';
import { findChannel } from './require-argument.js';

/** The maximum number of problems that are reported for a message. The first one usually causes the others. */
const mostIssues = 5;

/**
 * Reads a value from another process as a message, or returns the problem as a sentence for a log. Every transport must use it, because the
 * bus does not check messages again.
 * - The payload of a request is not checked here. The bus answers an invalid one with an error, so that the sender gets an answer.
 * - Unknown fields are kept, because a process with a later version may send more fields.
 * - Responses are frozen, like those of this process.
 */
export function parseMessage(value: unknown): BusMessage | { problem: string } {
  if (!isPlainObject(value)) return { problem: `a message must be an object, and is ${describeValue(value)}` };
  const { payload } = value;
  const type = typeof value['type'] === 'string' ? findChannel(value['type']) : undefined;
  if (type === undefined) {
    const channels = Object.keys(channelPayloadSchemas).join(', ');
    return { problem: `the type of a message must be one of ${channels}, and is ${describeValue(value['type'])}` };
  }
  if (isRequestChannel(type)) return { type, payload } as BusMessage;
  if (!acceptsPayload(type, payload)) {
    const issues = (channelPayloadSchemas[type].safeParse(payload).error?.issues ?? [])
      .slice(0, mostIssues)
      .map(({ path, message }) => `${['payload', ...path].join('.')}: ${message}`);
    return { problem: `${type}: ${issues.join('; ')}` };
  }
  const message = { type, payload } as BusMessage;
  if (!isResponseChannel(type)) return message;
  try {
    freezeParsed(message);
    return message;
  } catch {
    return { problem: `${type}: it is nested too deeply` };
  }
}

/** Freezes what `JSON.parse` has made. Unlike other data, it contains no cycle, no inherited field and no object that is frozen already. */
function freezeParsed(value: object): void {
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null) freezeParsed(item);
    return;
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === 'object' && item !== null) freezeParsed(item);
  }
}
