import { type Dialect, describeHook, type HookDefinition, type HookOutcome, type HookOutput } from '@tenterhook/protocol';
import { hasFailed } from './outcome-status.js';

/** What a user of this dialect writes for `onError`; whose dialect is not known reads our own word. */
export function failureFieldOf(dialect: Dialect | undefined): string {
  return dialect?.failureField ?? 'onError';
}

/**
 * `onError: 'block'` turns a failure, a timeout, a lost turn and a circuit that is open into a deny. The status stays what it was, so
 * that a deny of policy and a failure that was closed can be told apart (decision 26, design §4.2). An input that has two meanings closes
 * whatever `onError` says: it is not the hook that failed, and whoever wrote the input could else switch every guard off.
 */
export function applyFailurePolicy(outcome: HookOutcome, hook: HookDefinition, dialect: Dialect | undefined): HookOutcome {
  const isAmbiguous = outcome.warnings[0]?.code === 'ambiguous_input';
  if (!couldNotWork(outcome) || (hook.onError !== 'block' && !isAmbiguous)) return outcome;
  const cause = outcome.warnings[0]?.message ?? `It ${outcome.status}.`;
  const field = failureFieldOf(dialect);
  const policy = isAmbiguous ? `whatever its ${field}` : `${field}: block`;
  const message = `${describeHook(hook)} denies because it could not do its work (${policy}). ${cause}`;
  const taken = takenBy(dialect, message, hook);
  return {
    ...outcome,
    failedClosed: true,
    ...(taken === undefined ? {} : { output: { ...outcome.output, hookSpecificOutput: taken } }),
    warnings: [...outcome.warnings, { code: 'failed_closed', message }],
  };
}

/** What a deny takes away where its operation has been carried out: a guard that could not look must not let through what it looks for. */
function takenBy(dialect: Dialect | undefined, reason: string, hook: HookDefinition): HookOutput['hookSpecificOutput'] {
  try {
    return dialect?.denied?.({ decision: 'deny', reason }, hook).hookSpecificOutput;
  } catch {
    return undefined;
  }
}

/** A hook whose circuit is open is skipped like others, and unlike them it was to run. */
function couldNotWork(outcome: HookOutcome): boolean {
  return hasFailed(outcome) || outcome.skipReason === 'circuit-open';
}
