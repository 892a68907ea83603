/** Names for the other packages of this repository. Users must not rely on them, because they change without notice. */

export { isCorrelationId, isResponseChannel, isUnsolicited, markUnsolicited } from './requests/responses.js';
export { createStream } from './streams.js';
export { keyOfMessage, serverKey } from './transport.js';

export type { Observable } from './streams.js';
