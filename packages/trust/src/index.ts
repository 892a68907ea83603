export { canonicalJson, sha256 } from './pin/canonical-json.js';
export { contentOf, type PinnedHook, pinOf } from './pin/pin.js';
export type { Reach, ReachedEntry, Refusal } from './reach/reach.js';
