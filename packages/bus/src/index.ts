export { MemoryTransport } from './memory-transport.js';
export { MessageBus } from './message-bus.js';
export { parseMessage } from './parse-message.js';

export type { EventRecord, LateEnd } from './event-records.js';
export type { ExchangeMessage, MessageBusOptions, RespondOptions } from './message-bus.js';
export type { MessageIterator, SubscribeOptions } from './message-iterator.js';
export type { RequestOptions } from './requests/pending-requests.js';
export type { ProgressPayload, RequestContext, RequestHandler } from './requests/responders.js';
export type { Answer } from './requests/responses.js';
export type { BusStream, StreamIterator } from './streams.js';
export type { ConnectionState, Delivery, ListenerScope, Transport, TransportListener } from './transport.js';
