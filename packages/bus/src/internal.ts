/** Names for the other packages of this repository. They change without notice, so users must not rely on them. */

export { isCorrelationId, isResponseChannel, isUnsolicited, markUnsolicited } from './requests/responses.js';
export { createStream } from './streams.js';
export { keyOfMessage, serverKey } from './transport.js';

export type { Observable } from './streams.js';
