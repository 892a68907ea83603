import type { Dialect, HookDefinition, HookEvent, Plan, Stage } from '@tenterhook/protocol';
import { keyOfHook } from '../outcome/hook-key.js';
import { keepOneOfEach, ofDialect, selectHook } from './plan-event.js';

/** Keys (`keyOfHook`) of hooks that have answered for exactly the input of the recheck. */
export interface Answered {
  /** They are not asked again. */
  readonly vouching: ReadonlySet<string>;
  /** Those of them that asked to skip the hooks that follow in their dialect. */
  readonly skipping: ReadonlySet<string>;
}

export const noneAnswered: Answered = { vouching: new Set(), skipping: new Set() };

/**
 * The plan of a recheck: every hook that may object and fits the rewritten input, in the order and stages of its dialect, without those that have
 * answered for this input. Whether a hook ran before does not matter: its matcher may fit only the rewritten input. Pure.
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

/** The event does not wait for an async hook, so it cannot object. */
function mayObject({ recheck, async }: HookDefinition): boolean {
  return recheck !== false && async !== true;
}
