/** Names for the other packages of this repository. They change without notice, so users must not rely on them. */

export { BoundedStream } from './bounded-stream.js';
export { EventRecords } from './event-records.js';
export { streamOriginals } from './message-bus.js';
export { RecentMap } from './requests/recent-map.js';
export { isCorrelationId, isResponseChannel, isUnsolicited, markUnsolicited } from './requests/responses.js';
export { createStream } from './streams.js';
export { keyOfMessage, serverKey } from './transport.js';
