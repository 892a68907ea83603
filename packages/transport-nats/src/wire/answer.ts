import type { BusMessage, Channel, RequestChannel } from '@tenterhook/protocol';
import { exchanges } from '@tenterhook/protocol/internal';
import { freezeDeeply } from '@tenterhook/runtime/json';
import { decodeMessage, idOf } from './codec.js';

/** A request, as far as its answer depends on it. */
interface Answerable {
  readonly message: Pick<BusMessage, 'type'>;
  readonly correlationId: string | undefined;
}

/**
 * Reads the answer to a request. `isOpen` tests whether another request has an id. Returns a problem as a sentence for a log if the data is
 * malformed, or is the answer to another request.
 */
export function readAnswer(
  { correlationId, message: { type } }: Answerable,
  data: Uint8Array,
  isOpen: (correlationId: string | undefined) => boolean,
): BusMessage | { readonly problem: string } {
  const message = decodeMessage(data);
  if ('problem' in message) return message;
  const id = idOf(message);
  // A request without a valid id is answered under another one, which must not be the id of another request.
  const isMeant = correlationId === undefined ? !isOpen(id) : id === correlationId;
  return message.type === responseChannelOf(type) && isMeant ? message : { problem: 'it is the answer to another request' };
}

/** Returns the answer to a request that no worker answers. Undefined if the request has no valid id: no answer would belong to it. */
export function failedAnswer({ correlationId, message: { type } }: Answerable, code: string, message: string): BusMessage | undefined {
  if (correlationId === undefined) return undefined;
  const payload = { correlationId, success: false, error: { code, message } };
  return freezeDeeply({ type: responseChannelOf(type), payload } as BusMessage);
}

function responseChannelOf(type: Channel): Channel {
  return exchanges[type as RequestChannel].response;
}
