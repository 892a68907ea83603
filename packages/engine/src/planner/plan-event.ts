import type { Dialect, HookDefinition, HookEvent, Plan, Selection, SkippedHook, Stage } from '@tenterhook/protocol';
import { keepOneOfEach } from './duplicates.js';

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
    order.push(...dialect.layOut(own).flatMap((stage) => stage.hooks));

    const candidates: HookDefinition[] = [];
    for (const hook of own) {
      const selection = selectSafely(dialect, hook, event);
      if (selection.run || selection.reconsider) candidates.push(hook);
      else skipped.push({ hook, skipReason: selection.skipReason, reason: selection.reason });
    }
    const { kept, dropped } = keepOneOfEach(candidates);
    skipped.push(...dropped);
    if (kept.length > 0) stages.push(...dialect.layOut(kept));
  }
  return { stages, skipped, order };
}

/** What `select` answers; a hook known not to run is not asked about, and a dialect that throws harms this hook alone. */
export function selectSafely(dialect: Dialect, hook: HookDefinition, event: HookEvent): Selection {
  if (hook.skip !== undefined) return { run: false, skipReason: hook.skip.skipReason, reason: hook.skip.reason };
  try {
    return dialect.select(hook, event);
  } catch (error) {
    return {
      run: false,
      skipReason: 'invalid',
      reason: `The dialect "${dialect.name}" could not decide whether this hook runs: ${String(error)}`,
    };
  }
}
