export { canonicalJson, sha256 } from './pin/canonical-json.js';
export { contentOf, type PinnedHook, pinOf } from './pin/pin.js';
export { createOwnerCheck, type OwnerCheck } from './policy/owner-check.js';
export { findTrustedOwners, judgeOwner, type OwnedStats, type OwnProcess, type TrustedOwners } from './policy/owners.js';
export type { Reach, ReachedEntry, Refusal } from './reach/reach.js';
