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

/** Reasons that are no fault: a warning at every event would be noise. */
const expectedSkips: ReadonlySet<SkipReason> = new Set<SkipReason>(['matcher', 'chain-ended', 'once']);

export function skippedOutcome(entry: SkippedHook): HookOutcome {
  const warning = entry.hook.skip?.warning ?? { code: entry.skipReason, message: entry.reason };
  return {
    ...outcomeBase(entry.hook),
    status: 'skipped',
    skipReason: entry.skipReason,
    durationMs: 0,
    ...(entry.duplicateOf === undefined ? {} : { duplicateOf: entry.duplicateOf }),
    warnings: expectedSkips.has(entry.skipReason) ? [] : [warning],
  };
}

/** Whether the output of the hook counts. */
export function isObeyed({ status }: HookOutcome): boolean {
  return status === 'succeeded' || status === 'blocked';
}

/** Whether the hook could not do its work, so that it is listed in `errors`. A skipped hook is listed only where the skip denies (`failedClosed`). */
export function hasFailed({ status, failedClosed }: HookOutcome): boolean {
  return status === 'failed' || status === 'timed-out' || status === 'cancelled' || failedClosed === true;
}

/** Whether the hook was started. */
export function hasRun({ status, warnings }: HookOutcome): boolean {
  return status !== 'skipped' && !(status === 'cancelled' && warnings[0]?.code === 'not_started');
}
