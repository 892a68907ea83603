import type { HookDefinition, HookOutcome, HookWarning, SkippedHook, SkipReason } from '@tenterhook/protocol';
import { levelOf, shownAction } from '@tenterhook/protocol/internal';

/** An outcome that is being built. Fields are added one by one: on Node 20, fields that follow a spread take a microsecond each. */
type Draft = { -readonly [Field in keyof HookOutcome]?: HookOutcome[Field] };

type BaseField = 'hookId' | 'name' | 'eventName' | 'source' | 'level' | 'dialect' | 'file' | 'line' | 'command' | 'engine';

/** Returns the fields of an outcome that are known before the hook runs, in a new object. */
export function outcomeBase(hook: HookDefinition): Pick<HookOutcome, BaseField> {
  const { command } = shownAction(hook.action);
  const base: Draft = { hookId: hook.id };
  if (hook.name !== undefined) base.name = hook.name;
  base.eventName = hook.eventName;
  base.source = hook.source;
  base.level = levelOf(hook);
  base.dialect = hook.dialect;
  if (hook.file !== undefined) base.file = hook.file;
  if (hook.line !== undefined) base.line = hook.line;
  if (command !== undefined) base.command = command;
  if (hook.engine !== undefined) base.engine = hook.engine;
  return base as Pick<HookOutcome, BaseField>;
}

/** Reasons to skip a hook that need no warning. They are expected, and a warning would appear at every event. */
const expectedSkips: ReadonlySet<SkipReason> = new Set<SkipReason>(['matcher', 'chain-ended', 'once']);

export function skippedOutcome(entry: SkippedHook): HookOutcome {
  const warning: HookWarning = entry.hook.skip?.warning ?? { code: entry.skipReason, message: entry.reason };
  return Object.assign(outcomeBase(entry.hook), {
    status: 'skipped' as const,
    skipReason: entry.skipReason,
    durationMs: 0,
    ...(entry.duplicateOf === undefined ? {} : { duplicateOf: entry.duplicateOf }),
    warnings: expectedSkips.has(entry.skipReason) ? [] : [warning],
  });
}

/** Whether the output of the hook has an effect. */
export function isObeyed({ status }: HookOutcome): boolean {
  return status === 'succeeded' || status === 'blocked';
}

/** Whether the hook is listed in `errors`: it failed, timed out, was cancelled, or was skipped in a way that denies (`failedClosed`). */
export function hasFailed({ status, failedClosed }: HookOutcome): boolean {
  return status === 'failed' || status === 'timed-out' || status === 'cancelled' || failedClosed === true;
}

/** Whether the hook was started. */
export function hasRun({ status, warnings }: HookOutcome): boolean {
  return status !== 'skipped' && !(status === 'cancelled' && warnings[0]?.code === 'not_started');
}

/** Tests whether an async hook ended in such a way that the agent wakes. */
export function wakesAgent({ rewake }: HookDefinition, { exitCode }: HookOutcome): boolean {
  return rewake === true && exitCode === 2;
}
