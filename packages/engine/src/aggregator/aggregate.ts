import { type AggregatedHookResult, describeHook, type HookDefinition, type HookOutcome, type Plan } from '@tenterhook/protocol';
import { skippedOutcome } from '../outcome/outcome.js';
import { hasFailed } from '../outcome/outcome-status.js';
import { mergeOutput } from './merge-output.js';
import type { PlanState } from './rewrites.js';
import { verdictOfOutcomes } from './verdict.js';

/** One answer out of a plan and what became of it. `totalDuration` is given, because nothing here looks at a clock. */
export function aggregate(plan: Plan, state: PlanState, totalDuration: number): AggregatedHookResult {
  return aggregateOutcomes({ ...state, outcomes: inPlanOrder(plan, state.outcomes) }, totalDuration);
}

/** The answer of a plan in which nothing runs. */
export function aggregateIdle(plan: Plan): AggregatedHookResult {
  const outcomes = inPlanOrder(plan, []);
  const verdict = verdictOfOutcomes(outcomes);
  return { success: true, verdict, changes: [], allOutputs: [], outcomes, errors: [], totalDuration: 0 };
}

/** The same without a plan: for outcomes that came back in the details of a failed request. */
export function aggregateOutcomes(state: PlanState, totalDuration: number): AggregatedHookResult {
  const { outcomes } = state;
  const verdict = verdictOfOutcomes(outcomes);
  const finalOutput = mergeOutput(state, verdict);
  return {
    success: outcomes.every(isHealthy),
    ...(finalOutput === undefined ? {} : { finalOutput }),
    verdict,
    changes: [...state.changes],
    allOutputs: outcomes.flatMap((outcome) => (outcome.output === undefined ? [] : [outcome.output])),
    outcomes: [...outcomes],
    errors: outcomes.filter(hasFailed).map((outcome) => ({
      code: outcome.warnings[0]?.code ?? 'hook_failed',
      message: outcome.warnings[0]?.message ?? `Hook ${outcome.hookId} ${outcome.status}.`,
      hookId: outcome.hookId,
    })),
    totalDuration,
  };
}

/** Seed 001 §7.2: an intended exit 2 is not healthy, a deny with exit 0 is. */
function isHealthy(outcome: HookOutcome): boolean {
  return !hasFailed(outcome) && (outcome.exitCode === undefined || outcome.exitCode === 0);
}

/** Every configured hook has an outcome, in plan order; one without an answer stands behind a deny or a stop. */
function inPlanOrder(plan: Plan, answered: readonly HookOutcome[]): HookOutcome[] {
  const byId = new Map(answered.map((outcome) => [outcome.hookId, outcome]));
  const skipped = new Map(plan.skipped.map((entry) => [entry.hook.id, entry]));
  return plan.order.map((hook: HookDefinition) => {
    const entry = skipped.get(hook.id);
    if (entry !== undefined) return skippedOutcome(entry);
    return (
      byId.get(hook.id) ??
      skippedOutcome({
        hook,
        skipReason: 'chain-ended',
        reason: `${describeHook(hook)} did not run, because a hook before it blocked, stopped or skipped the rest.`,
      })
    );
  });
}
