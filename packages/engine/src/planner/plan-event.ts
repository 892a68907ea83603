import type { Dialect, HookDefinition, HookEvent, Plan, SkippedHook, Stage } from '@tenterhook/protocol';
import { keepOneOfEach } from './duplicates.js';
import { selectHook } from './select-hook.js';

/**
 * What will happen for an event: dialect by dialect in the order given, inside one in its own order and stages (design §6).
 * Pure: the same hooks and event give the same plan, and the set is fixed when the event begins.
 */
export function planEvent(hooks: readonly HookDefinition[], dialects: readonly Dialect[], event: HookEvent): Plan {
  const stages: Stage[] = [];
  const skipped: SkippedHook[] = [];
  const order: HookDefinition[] = [];

  for (const dialect of dialects) {
    const own = hooks.filter((hook) => hook.dialect === dialect.name);
    if (own.length === 0) continue;
    order.push(...layOut(dialect, own).flatMap((stage) => stage.hooks));

    const candidates: { hook: HookDefinition; isSure: boolean }[] = [];
    for (const hook of own) {
      const selection = selectHook(dialect, hook, event);
      if (selection.run || selection.reconsider) candidates.push({ hook, isSure: selection.run });
      else skipped.push({ hook, skipReason: selection.skipReason, reason: selection.reason });
    }
    const { kept, dropped } = keepOneOfEach(candidates);
    skipped.push(...dropped);
    if (kept.length > 0) stages.push(...layOut(dialect, kept));
  }
  return { stages, skipped, order };
}

/**
 * A dialect that cannot say the order of its hooks must not lose them: they run as they stand, one after another. One that leaves a hook out
 * has it run last, and what it made up or named twice counts once or not at all.
 */
function layOut(dialect: Dialect, hooks: readonly HookDefinition[]): readonly Stage[] {
  const left = new Set(hooks);
  const one = (hook: HookDefinition): Stage => ({ hooks: [hook] });
  try {
    const stages = dialect.layOut(hooks).map((stage) => ({ hooks: stage.hooks.filter((hook) => left.delete(hook)) }));
    return [...stages.filter((stage) => stage.hooks.length > 0), ...[...left].map(one)];
  } catch {
    return hooks.map(one);
  }
}
