import { parseMessage } from '@tenterhook/bus';
import { type BusMessage, type Channel, exchanges } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { log } from './wire/frame-socket.js';

const responseChannels: ReadonlySet<unknown> = new Set<Channel>(Object.values(exchanges).map(({ response }) => response));

/**
 * What came from the hub as a message; undefined where it is none, which is logged. A response that is malformed is replaced by one that says
 * so, because somebody here may be waiting for it, and would wait for ever.
 */
export function readMessage(value: unknown): BusMessage | undefined {
  const message = parseMessage(value);
  if (!('problem' in message)) return message;
  log('a malformed message: %s', message.problem);
  if (!isPlainObject(value) || !responseChannels.has(value['type']) || !isPlainObject(value['payload'])) return undefined;
  const { correlationId } = value['payload'];
  const error = { code: 'internal_error', message: `The response was malformed: ${message.problem}.` };
  const instead = parseMessage({ type: value['type'], payload: { correlationId, success: false, error } });
  return 'problem' in instead ? undefined : instead;
}
