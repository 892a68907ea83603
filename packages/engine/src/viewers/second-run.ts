import type { HookDefinition, HookEvent, HookOutcome, Plan } from '@tenterhook/protocol';
import { outcomeOfSecondRun, withConfirmedAllows } from '../aggregator/recheck.js';
import type { PlanState } from '../aggregator/rewrites.js';
import { applyFailurePolicy } from '../outcome/failure-policy.js';
import { keyOfHook } from '../outcome/hook-key.js';
import { isObeyed } from '../outcome/outcome.js';
import { wasKilled } from '../runner/ran-ranks.js';
import { runStage, type StageContext } from '../runner/run-stage.js';

/** What is known about a hook that is run again on data that other hooks wrote. */
export interface SecondRun {
  readonly hook: HookDefinition;
  /** Whether the hook has answered in this event. If it has not, its own `onError` decides what a second failure means. */
  readonly hasAnswered: boolean;
  /**
   * Whether a hook of a lower level, such as a hook of a repository, wrote the data. Then a hook that has answered before must answer
   * again.
   */
  readonly isFromBelow: boolean;
}

/**
 * Runs a hook alone on the current data of the event. If the hook must answer and does not, the outcome denies, whatever its `onError`
 * is. Otherwise data on which a guard fails would be passed on unchecked.
 */
export async function runAgain(
  { hook, hasAnswered, isFromBelow }: SecondRun,
  original: HookEvent,
  state: PlanState,
  context: StageContext,
): Promise<HookOutcome> {
  const mustAnswer = hasAnswered && isFromBelow;
  const asked: HookDefinition = mustAnswer ? { ...hook, onError: 'block' } : hook;
  const outcomeOf = (outcome: HookOutcome): HookOutcome =>
    wasKilled(outcome) ? { ...outcome, recheck: true } : outcomeOfSecondRun(outcome, asked, mustAnswer);
  const plan: Plan = { stages: [{ hooks: [hook] }], skipped: [], order: [hook] };
  context.report({ kind: 'recheck-planned', plan });
  const recheck = { ran: new Set([keyOfHook(hook)]), outcomeOf };
  const outcomes = await runStage({ hooks: [asked] }, original, state.event, { ...context, recheck });
  const [outcome] = withConfirmedAllows(outcomes, state.outcomes) as [HookOutcome];
  if (isObeyed(outcome) || outcome.failedClosed || (!hasAnswered && outcome.status === 'skipped')) return outcome;
  // A hook that was skipped or that detached itself has not answered either. So the failure policy applies to it.
  const dialect = context.dialects.find(({ name }) => name === hook.dialect);
  return applyFailurePolicy(outcomeOf(outcome), asked, dialect);
}
