/** Names for the other packages of this repository. Users must not rely on them, because they change without notice. */

export { BoundedOutput } from './io/bounded-output.js';
export { type Nesting, readNesting } from './kill/nesting.js';
export { routeOf } from './lanes/route.js';
export { LineReader } from './resident/line-reader.js';
export { Limiter } from './limiter.js';
export { resolveLimits, resolveOptions } from './limits.js';
export { OnePerTurn } from './one-per-turn.js';
export { runAttached } from './run/run-attached.js';
export { type PipedProcess, startPiped } from './run/start-piped.js';
export { type DetachedProcess, startDetached } from './run/start-detached.js';
export { findOnPath, findShell } from './run/spawn-process.js';
