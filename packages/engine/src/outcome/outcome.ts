import { type HookDefinition, type HookOutcome, type SkippedHook, type SkipReason, shownAction } from '@tenterhook/protocol';

/** The fields of an outcome that are known before the hook runs. */
export function outcomeBase(hook: HookDefinition): Pick<HookOutcome, 'hookId' | 'name' | 'eventName' | 'source' | 'dialect' | 'command'> {
  const { command } = shownAction(hook.action);
  return {
    hookId: hook.id,
    ...(hook.name === undefined ? {} : { name: hook.name }),
    eventName: hook.eventName,
    source: hook.source,
    dialect: hook.dialect,
    ...(command === undefined ? {} : { command }),
  };
}

/** Why a hook stays out that works as its author meant it: nothing to warn of at every event. */
const asMeant: ReadonlySet<SkipReason> = new Set<SkipReason>(['matcher', 'chain-ended', 'once']);

export function skippedOutcome(entry: SkippedHook): HookOutcome {
  const warning = entry.hook.skip?.warning ?? { code: entry.skipReason, message: entry.reason };
  return {
    ...outcomeBase(entry.hook),
    status: 'skipped',
    skipReason: entry.skipReason,
    durationMs: 0,
    ...(entry.duplicateOf === undefined ? {} : { duplicateOf: entry.duplicateOf }),
    warnings: asMeant.has(entry.skipReason) ? [] : [warning],
  };
}
