import { isPlainObject } from '@tenterhook/runtime/json';
import type { Message } from '../wire/message.js';
import type { OpenRequest, OpenRequests } from './open-requests.js';

/** Messages about a subscription have the id of the request that opened it (protocol 2026-07-28). */
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

/** Returns the request as the server receives it. */
export function withServerId(message: Message, { id, serverId }: OpenRequest): Message {
  return id === serverId ? message : { ...message, id: serverId };
}

/** Returns the cancelling of a request as the server receives it. */
export function cancelWithServerId(message: Message, params: Message, request: OpenRequest | undefined): Message {
  if (request === undefined || request.id === request.serverId) return message;
  return { ...message, params: { ...params, requestId: request.serverId } };
}

/** Returns the response as the client receives it. */
export function withClientId(response: Message, { id, serverId }: OpenRequest): Message {
  const { result } = response;
  const named = response['id'] === id ? response : { ...response, id };
  return id === serverId || !isPlainObject(result) ? named : { ...named, result: withSubscription(result, serverId, id) };
}

/** Returns a message of the server about a subscription as the client receives it. */
export function noteWithClientId(message: Message, params: Message, open: OpenRequests): Message {
  const { _meta: meta } = params;
  const request = isPlainObject(meta) && Object.hasOwn(meta, subscriptionKey) ? open.ofServer(meta[subscriptionKey]) : undefined;
  if (request === undefined || request.id === request.serverId) return message;
  return { ...message, params: withSubscription(params, request.serverId, request.id) };
}

function withSubscription(fields: Message, from: unknown, to: unknown): Message {
  const { _meta: meta } = fields;
  if (!isPlainObject(meta) || meta[subscriptionKey] !== from) return fields;
  return { ...fields, _meta: { ...meta, [subscriptionKey]: to } };
}
