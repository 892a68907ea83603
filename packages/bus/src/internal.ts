/** For the packages of this repository only: users must not rely on anything here, it changes without notice. */

export { describeThrown, describeValue } from './describe-value.js';
export { escapeUnseen } from './escape-unseen.js';
export { guarded } from './guarded.js';
export { createLog } from './log.js';
export { createStream } from './streams.js';

export type { Log } from './log.js';
export type { Observable } from './streams.js';
