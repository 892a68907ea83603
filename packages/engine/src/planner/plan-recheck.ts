import type { Dialect, HookDefinition, HookEvent, Plan, Stage } from '@tenterhook/protocol';
import { keyOfHook } from '../outcome/hook-key.js';
import { keepOneOfEach, ofDialect, selectHook } from './plan-event.js';

/** The hooks that have already answered for exactly the input of the recheck, as keys (`keyOfHook`). */
export interface Answered {
  /** All of these hooks. They are not asked again. */
  readonly vouching: ReadonlySet<string>;
  /** Those that asked to skip the following hooks of their dialect. */
  readonly skipping: ReadonlySet<string>;
}

export const noneAnswered: Answered = { vouching: new Set(), skipping: new Set() };

/**
 * Returns the plan of a recheck: every hook that may object and that matches the rewritten input, in the order and stages of its dialect,
 * except those that have answered for this input. Hooks that have not run before are included, because their matcher may match only the
 * rewritten input. Pure.
 */
export function planRecheck(
  hooks: readonly HookDefinition[],
  dialects: readonly Dialect[],
  event: HookEvent,
  { vouching, skipping }: Answered,
): Plan {
  const stages: Stage[] = [];
  for (const dialect of dialects) {
    const fitting = ofDialect(hooks, dialect).flatMap((hook) => {
      const selection = mayObject(hook) ? selectHook(dialect, hook, event) : undefined;
      return selection?.run ? [{ hook, isSure: selection.undecided !== true }] : [];
    });
    if (fitting.length === 0) continue;
    for (const { hooks: own } of dialect.layOut(keepOneOfEach(fitting).kept)) {
      const asked = own.filter((hook) => !vouching.has(keyOfHook(hook)));
      if (asked.length > 0) stages.push({ hooks: asked });
      if (own.some((hook) => skipping.has(keyOfHook(hook)))) break;
    }
  }
  return { stages, skipped: [], order: stages.flatMap((stage) => stage.hooks) };
}

/** Whether a hook can object. An async hook cannot, because the event does not wait for it. */
function mayObject({ recheck, async }: HookDefinition): boolean {
  return recheck !== false && async !== true;
}
