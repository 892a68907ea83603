import type { Dialect, HookDefinition, HookEvent, Plan, Stage } from '@tenterhook/protocol';
import { keyOfHook } from '../outcome/hook-key.js';
import { keepOneOfEach, ofDialect, selectHook } from './plan-event.js';

/** The hooks that have already answered for the current input. Hooks are given by their keys (`keyOfHook`). */
export interface Answered {
  /** All hooks that have answered. They are not asked again. */
  readonly vouching: ReadonlySet<string>;
  /** The hooks that asked to skip the following hooks of their dialect. */
  readonly skipping: ReadonlySet<string>;
}

export const noneAnswered: Answered = { vouching: new Set(), skipping: new Set() };

/**
 * Returns the plan of a recheck, in which hooks are asked about a rewritten input. The plan has every hook that matches this input and
 * can deny, ask or stop, except those that have already answered for this input. A hook of the plan may be new, if its matcher matches
 * only the rewritten input. Pure.
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

/** Whether a hook can deny, ask or stop. An async hook cannot, because the event does not wait for it. */
function mayObject({ recheck, async }: HookDefinition): boolean {
  return recheck !== false && async !== true;
}
