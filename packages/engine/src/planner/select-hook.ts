import type { Dialect, HookDefinition, HookEvent, Selection } from '@tenterhook/protocol';

/**
 * Whether a hook runs. One that is known not to run is not asked about. One whose dialect throws runs: to leave a guard out
 * because of a bug would open what it guards, and its decode has the last word.
 */
export function selectHook(dialect: Dialect, hook: HookDefinition, event: HookEvent): Selection {
  if (hook.skip !== undefined) return { run: false, skipReason: hook.skip.skipReason, reason: hook.skip.reason };
  try {
    return dialect.select(hook, event);
  } catch (error) {
    return { run: true, reason: `the dialect "${dialect.name}" could not decide whether it runs, so it does: ${String(error)}` };
  }
}
