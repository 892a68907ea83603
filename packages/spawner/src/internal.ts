/** Names for the other packages of this repository. Users must not rely on them, because they change without notice. */

export { BoundedOutput } from './io/bounded-output.js';
export { type Nesting, readNesting } from './kill/nesting.js';
export { Limiter } from './limiter.js';
export { resolveLimits } from './limits.js';
export { OnePerTurn } from './one-per-turn.js';
