import type { HookDefinition, HookOutcome, SkippedHook } from '@tenterhook/protocol';

/** The fields of an outcome that are known before the hook runs. */
export function outcomeBase(hook: HookDefinition): Pick<HookOutcome, 'hookId' | 'name' | 'eventName' | 'source' | 'dialect' | 'command'> {
  return {
    hookId: hook.id,
    ...(hook.name === undefined ? {} : { name: hook.name }),
    eventName: hook.eventName,
    source: hook.source,
    dialect: hook.dialect,
    ...(hook.action.kind === 'command' && hook.action.command !== '' ? { command: hook.action.command } : {}),
  };
}

export function skippedOutcome(entry: SkippedHook): HookOutcome {
  const warning = entry.hook.skip?.warning ?? { code: entry.skipReason, message: entry.reason };
  return {
    ...outcomeBase(entry.hook),
    status: 'skipped',
    skipReason: entry.skipReason,
    durationMs: 0,
    ...(entry.duplicateOf === undefined ? {} : { duplicateOf: entry.duplicateOf }),
    warnings: entry.skipReason === 'matcher' || entry.skipReason === 'chain-ended' ? [] : [warning],
  };
}
