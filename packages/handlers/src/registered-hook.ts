import type { HookHandler } from './calling/handler.js';
import type { Hook } from './definition/hook.js';
import type { CompiledMatcher } from './matching/compile-matcher.js';

/** A hook with what runs it. Never changed: an event in flight keeps those it began with. */
export interface RegisteredHook {
  readonly hook: Hook;
  readonly matcher: CompiledMatcher;
  /** Absent: nothing was registered for it, and it means Continue. */
  readonly handler: HookHandler | undefined;
  /** Where it is, and whether it can be reached, for `explain`. @default here */
  readonly standing?: () => string;
}
