import { describeHook, type HookDefinition, type HookOutcome } from '@tenterhook/protocol';
import { hasFailed } from '../outcome-status.js';

/**
 * `onError: 'block'` turns a failure, a timeout and a lost turn into a deny. The status stays what it was, so that a deny
 * of policy and a failure that was closed can be told apart (decision 26, design §4.2).
 */
export function applyFailurePolicy(outcome: HookOutcome, hook: HookDefinition): HookOutcome {
  if (!hasFailed(outcome) || hook.onError !== 'block') return outcome;
  const cause = outcome.warnings[0]?.message ?? `It ${outcome.status}.`;
  const message = `${describeHook(hook)} denies because it could not do its work (onError: block). ${cause}`;
  return { ...outcome, failedClosed: true, warnings: [...outcome.warnings, { code: 'failed_closed', message }] };
}
