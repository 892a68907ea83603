import { type AggregatedHookResult, describeHook, type HookDefinition, type HookOutcome, type Plan } from '@tenterhook/protocol';
import { freezeDeeply } from '@tenterhook/runtime/json';
import { hasFailed, skippedOutcome } from '../outcome/outcome.js';
import { mergeOutput } from './merge-output.js';
import type { PlanState } from './rewrites.js';
import { verdictOfOutcomes } from './verdict.js';

/** The answer of a plan and its outcomes. `totalDuration` is an argument, because nothing here reads a clock. */
export function aggregate(plan: Plan, state: PlanState, totalDuration: number): AggregatedHookResult {
  return aggregateOutcomes({ ...state, outcomes: inPlanOrder(plan, state.outcomes) }, totalDuration);
}

/** The answer of a plan in which nothing runs: every hook is skipped, for its reason. Frozen, and the promise is resolved. */
export interface IdleAnswer {
  readonly result: AggregatedHookResult;
  readonly promise: Promise<AggregatedHookResult>;
}

const idleAnswers = new WeakMap<Plan, IdleAnswer>();

/** Made once for a plan, and collected with it: an event that no hook runs for costs a lookup. Frozen, because all callers share the result. */
export function aggregateIdle(plan: Plan): IdleAnswer {
  let answer = idleAnswers.get(plan);
  if (answer === undefined) {
    const outcomes = inPlanOrder(plan, []);
    const verdict = verdictOfOutcomes(outcomes);
    const result = freezeDeeply({ success: true, verdict, changes: [], allOutputs: [], outcomes, errors: [], totalDuration: 0 });
    answer = { result, promise: Promise.resolve(result) };
    idleAnswers.set(plan, answer);
  }
  return answer;
}

/** The same without a plan: for outcomes in the details of a failed request. */
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

/** Every configured hook has an outcome, in plan order; a hook without an answer comes after a deny or a stop. */
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
