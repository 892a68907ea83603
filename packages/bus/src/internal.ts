/** For the packages of this repository only: users must not rely on anything here, it changes without notice. */

export { createFailedResult, readOutcomes, restoreResult } from './requests/hook-result.js';
export { keyOfMessage, serverKey } from './server-key.js';
export { createStream } from './streams.js';

export type { Observable } from './streams.js';
