/** For the packages of this repository only: users must not rely on anything here, it changes without notice. */

export { BoundedOutput } from './io/bounded-output.js';
export { Limiter } from './limiter.js';
export { resolveLimits } from './job.js';
