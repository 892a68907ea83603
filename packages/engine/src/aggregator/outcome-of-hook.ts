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

/** A hook in a sentence: its event and its name, or what it runs. */
export function describeHook(hook: HookDefinition): string {
  const label = hook.name ?? (hook.action.kind === 'command' ? hook.action.command : hook.id);
  return `${hook.eventName} hook "${label.length > 80 ? `${label.slice(0, 79)}…` : label}"`;
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
