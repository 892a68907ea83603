import type { Dialect, HookDefinition, HookEvent, Plan, Selection, SkippedHook, Stage } from '@tenterhook/protocol';
import { keepOneOfEach } from './duplicates.js';

/**
 * The plan of an event: dialect by dialect in the given order, inside one in its own order and stages (design §6).
 * Pure: the same hooks and event give the same plan. The set of hooks is fixed when the event begins.
 */
export function planEvent(hooks: readonly HookDefinition[], dialects: readonly Dialect[], event: HookEvent): Plan {
  const stages: Stage[] = [];
  const skipped: SkippedHook[] = [];
  const order: HookDefinition[] = [];

  for (const dialect of dialects) {
    const own = hooks.filter((hook) => hook.dialect === dialect.name);
    if (own.length === 0) continue;
    order.push(...dialect.layOut(own).flatMap((stage) => stage.hooks));

    const candidates: { hook: HookDefinition; isSure: boolean }[] = [];
    for (const hook of own) {
      const selection = selectHook(dialect, hook, event);
      if (selection.run || selection.reconsider) candidates.push({ hook, isSure: selection.run });
      else skipped.push({ hook, skipReason: selection.skipReason, reason: selection.reason });
    }
    const { kept, dropped } = keepOneOfEach(candidates);
    skipped.push(...dropped);
    if (kept.length > 0) stages.push(...dialect.layOut(kept));
  }
  return { stages, skipped, order };
}

/** Whether a hook runs. The dialect is not asked about a hook that is known not to run. */
export function selectHook(dialect: Dialect, hook: HookDefinition, event: HookEvent): Selection {
  if (hook.skip !== undefined) return { run: false, skipReason: hook.skip.skipReason, reason: hook.skip.reason };
  return dialect.select(hook, event);
}

/**
 * Asks again before the stage of the hook, on the original and on the current input. A match on either runs it: a rewrite by another hook
 * must not slip past a guard (design §6).
 */
export function reselect(dialect: Dialect, hook: HookDefinition, original: HookEvent, current: HookEvent): Selection {
  const before = selectHook(dialect, hook, original);
  return before.run || original === current ? before : selectHook(dialect, hook, current);
}
