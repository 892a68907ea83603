import { type AggregatedHookResult, describeHook, type HookDefinition, type HookOutcome, type Plan } from '@tenterhook/protocol';
import { freezeDeeply } from '@tenterhook/runtime/json';
import { hasFailed, skippedOutcome } from '../outcome/outcome.js';
import type { ContextDialect } from './joined-context.js';
import { mergeOutput, outputsOf } from './merge-output.js';
import type { PlanState } from './rewrites.js';
import { verdictOfOutcomes } from './verdict.js';

/** Returns the result of a plan and its outcomes. The aggregator has no clock, so the caller passes `totalDuration`. */
export function aggregate(
  plan: Plan,
  state: PlanState,
  totalDuration: number,
  dialects: readonly ContextDialect[] = [],
): AggregatedHookResult {
  return aggregateOutcomes({ ...state, outcomes: inPlanOrder(plan, state.outcomes) }, totalDuration, dialects);
}

/** The frozen result of a plan in which no hook runs, and a promise that has resolved to it. */
export interface IdleAnswer {
  readonly result: AggregatedHookResult;
  readonly promise: Promise<AggregatedHookResult>;
}

const idleAnswers = new WeakMap<Plan, IdleAnswer>();

/**
 * Returns the answer for a plan in which no hook runs. The answer is built once per plan, so later events cost only a lookup. It is
 * frozen, because all callers share it.
 */
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

/** Returns the result for outcomes without a plan, for example those in the details of a failed request. */
export function aggregateOutcomes(state: PlanState, totalDuration: number, dialects: readonly ContextDialect[] = []): AggregatedHookResult {
  const { outcomes } = state;
  const verdict = verdictOfOutcomes(outcomes);
  const finalOutput = mergeOutput(state, verdict, dialects);
  return {
    success: outcomes.every(isHealthy),
    ...(finalOutput === undefined ? {} : { finalOutput }),
    verdict,
    changes: [...state.changes],
    allOutputs: outputsOf(outcomes.filter(({ recheck }) => !recheck)),
    outcomes: [...outcomes],
    errors: outcomes.filter(hasFailed).map((outcome) => ({
      code: outcome.warnings[0]?.code ?? 'hook_failed',
      message: outcome.warnings[0]?.message ?? `Hook ${outcome.hookId} ${outcome.status}.`,
      hookId: outcome.hookId,
    })),
    totalDuration,
  };
}

/**
 * Whether a hook ran without a problem. True for a hook that denies with exit code 0. False for a hook with exit code 2, even if exit code
 * 2 means a deny in its format.
 */
function isHealthy(outcome: HookOutcome): boolean {
  return !hasFailed(outcome) && (outcome.exitCode === undefined || outcome.exitCode === 0);
}

/**
 * Returns one outcome for every configured hook, in plan order, followed by the outcomes of rechecks. Hooks that a deny or a stop kept from
 * running become `skipped`.
 */
function inPlanOrder(plan: Plan, answered: readonly HookOutcome[]): readonly HookOutcome[] {
  if (isInOrder(plan, answered)) return answered;
  const rechecks = answered.filter(({ recheck }) => recheck);
  const byId = new Map<string, HookOutcome>();
  for (const outcome of answered) if (!outcome.recheck) byId.set(outcome.hookId, outcome);
  const skipped = new Map(plan.skipped.map((entry) => [entry.hook.id, entry]));
  const first = plan.order.map((hook: HookDefinition) => {
    const entry = skipped.get(hook.id);
    if (entry !== undefined) return skippedOutcome(entry);
    return (
      byId.get(hook.id) ??
      skippedOutcome({
        hook,
        skipReason: 'chain-ended',
        reason: `${describeHook(hook)} did not run, because an earlier hook blocked, stopped or skipped the rest.`,
      })
    );
  });
  return rechecks.length === 0 ? first : [...first, ...rechecks];
}

/** Whether every hook answered once, in the order of the plan. This is so if all hooks run, and no hook rewrites. */
function isInOrder({ order }: Plan, answered: readonly HookOutcome[]): boolean {
  return answered.length === order.length && answered.every(({ hookId, recheck }, index) => hookId === order[index]?.id && !recheck);
}
