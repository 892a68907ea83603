import type { SkipReason } from '../codes.js';
import type { HookDefinition } from '../hooks/hook-definition.js';

/**
 * Whether a hook runs for an event, and why. If `reconsider` is set, `select` is called twice more before the stage of the hook:
 * with the original input, and with the current input, which other hooks may have rewritten. The hook runs if one of these calls
 * returns `run: true`.
 */
export type Selection =
  /**
   * `undecided` means that the dialect could not decide. The hook then runs to be safe, and no other hook is dropped as its
   * duplicate.
   */
  | { readonly run: true; readonly reason: string; readonly undecided?: true }
  | { readonly run: false; readonly skipReason: SkipReason; readonly reason: string; readonly reconsider?: true };

/** Hooks that run at the same time, within the global limit. */
export interface Stage {
  readonly hooks: readonly HookDefinition[];
}

/** A hook of the event that will not run, and why. */
export interface SkippedHook {
  readonly hook: HookDefinition;
  readonly skipReason: SkipReason;
  readonly reason: string;
  readonly duplicateOf?: string;
}

/** The hooks of one event, arranged for execution. Stages run one after another. A deny or a stop ends the plan. */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedHook[];
  /**
   * All configured hooks of the event in plan order: the order in which their results are merged. A skipped hook has the position that its
   * dialect gives it.
   */
  readonly order: readonly HookDefinition[];
  /**
   * Hooks of the stages that do not match the event. They run only if a rewrite makes them match. @default all hooks of the stages match
   */
  readonly reconsidered?: readonly HookDefinition[];
}
