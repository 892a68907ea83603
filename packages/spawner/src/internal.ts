/** For the packages of this repository only. Users must not rely on these names: they change without notice. */

export { BoundedOutput } from './io/bounded-output.js';
export { type Nesting, readNesting } from './kill/nesting.js';
export { Limiter } from './limiter.js';
export { resolveLimits } from './job.js';
export { OnePerTurn } from './one-per-turn.js';
