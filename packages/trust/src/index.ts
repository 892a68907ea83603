export { canonicalJson, sha256 } from './pin/canonical-json.js';
export { contentOf, type PinnedHook, pinOf } from './pin/pin.js';
export type { HookCommand } from './reach/command/read-command.js';
export { type FoundReach, findReach, findReaches, isUntouched, look } from './reach/files/find-reach.js';
export { defaultLimits, type ProjectOptions, type ReachLimits, ReachProject } from './reach/files/project.js';
export type { HookPlace } from './reach/files/walk.js';
export type { Reach, ReachedEntry, Refusal } from './reach/reach.js';
