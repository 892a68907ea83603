import type { SkipReason } from '../codes.js';
import type { HookDefinition } from '../hooks/hook-definition.js';

/** Hooks that run concurrently, under the global limit. */
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

/** What will happen: stages run in order, a deny or a stop ends the plan. */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedHook[];
  /** Every configured hook of the event in plan order, the skipped ones where their dialect's order puts them. */
  readonly order: readonly HookDefinition[];
}
