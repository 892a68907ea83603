export { NatsTransportError } from './nats-error.js';
export { connectToNats } from './nats-transport.js';

export type { ConnectToNatsOptions } from './client/connect-to-nats.js';
export type { DeliveryCounts } from './client/nats-client.js';
export type { AtLeastOnceOptions } from './jobs/at-least-once-options.js';
export type { NatsRecordStream } from './jetstream/record-stream.js';
export type { RecordStreamOptions, StreamOptions } from './jetstream/stream-options.js';
export type { LargeMessageOptions } from './objects/large-message-options.js';
export type { NatsErrorCode } from './nats-error.js';
export type { NatsTransport } from './nats-transport.js';
