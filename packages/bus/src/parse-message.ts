import type { BusMessage } from '@tenterhook/protocol';
import { channelPayloadSchemas, isRequestChannel } from '@tenterhook/protocol/internal';
import { freezeDeeply, isPlainObject } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';
import { isResponseChannel } from './requests/responses.js';
import { isChannel } from './require-argument.js';

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
  const { type, payload } = value;
  if (typeof type !== 'string' || !isChannel(type)) {
    return {
      problem: `the type of a message must be one of ${Object.keys(channelPayloadSchemas).join(', ')}, and is ${describeValue(type)}`,
    };
  }
  if (isRequestChannel(type)) return { type, payload } as BusMessage;
  const parsed = channelPayloadSchemas[type].safeParse(payload);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, mostIssues).map(({ path, message }) => `${['payload', ...path].join('.')}: ${message}`);
    return { problem: `${type}: ${issues.join('; ')}` };
  }
  const message = { type, payload } as BusMessage;
  return isResponseChannel(type) ? freezeDeeply(message) : message;
}
