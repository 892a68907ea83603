/** For the packages of this repository only. Users must not rely on these names: they change without notice. */

export { isCorrelationId, isResponseChannel, isUnsolicited, markUnsolicited } from './requests/responses.js';
export { createStream } from './streams.js';
export { keyOfMessage, serverKey } from './transport.js';

export type { Observable } from './streams.js';
