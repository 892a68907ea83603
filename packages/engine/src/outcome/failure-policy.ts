import { type Dialect, describeHook, type HookDefinition, type HookOutcome } from '@tenterhook/protocol';
import { hasFailed } from './outcome.js';

/** The name of `onError` in the settings of this dialect; our own name where the dialect is unknown. */
export function failureFieldOf(dialect: Dialect | undefined): string {
  return dialect?.failureField ?? 'onError';
}

/**
 * `onError: 'block'` turns a failure, a timeout, a run that never started and an open circuit into a deny. The status does not change, so
 * that a deny by policy and a failure that was closed can be told apart (decision 26, design §4.2). An ambiguous input denies
 * whatever `onError` says: the hook did not fail, and the author of the input could otherwise disable every guard.
 */
export function applyFailurePolicy(outcome: HookOutcome, hook: HookDefinition, dialect: Dialect | undefined): HookOutcome {
  const isAmbiguous = outcome.warnings[0]?.code === 'ambiguous_input';
  if (!couldNotWork(outcome) || (hook.onError !== 'block' && !isAmbiguous)) return outcome;
  const cause = outcome.warnings[0]?.message ?? `It ${outcome.status}.`;
  const field = failureFieldOf(dialect);
  const policy = isAmbiguous ? `whatever its ${field}` : `${field}: block`;
  const message = `${describeHook(hook)} denies because it could not do its work (${policy}). ${cause}`;
  // What a deny removes after the operation was carried out: a guard that could not look must not let through what it looks for.
  const removed = dialect?.denied?.({ decision: 'deny', reason: message }, hook).hookSpecificOutput;
  return {
    ...outcome,
    failedClosed: true,
    ...(removed === undefined ? {} : { output: { ...outcome.output, hookSpecificOutput: removed } }),
    warnings: [...outcome.warnings, { code: 'failed_closed', message }],
  };
}

/** A hook whose circuit is open is skipped, but unlike other skipped hooks it was due to run. */
function couldNotWork(outcome: HookOutcome): boolean {
  return hasFailed(outcome) || outcome.skipReason === 'circuit-open';
}
