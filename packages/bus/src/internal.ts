/** For the packages of this repository only: users must not rely on anything here, it changes without notice. */

export { onAbort } from './abort-listeners.js';
export { describeThrown, describeValue } from './describe-value.js';
export { escapeUnseen } from './escape-unseen.js';
export { guarded } from './guarded.js';
export { createLog } from './log.js';
export { keyOfMessage, serverKey } from './server-key.js';
export { createStream } from './streams.js';
export { wait } from './wait.js';

export type { Log } from './log.js';
export type { Observable } from './streams.js';
