import type { AggregatedHookResult, HookEvent } from '@tenterhook/protocol';
import { aggregate } from './aggregator/aggregate.js';
import { applyRewrites, type PlanState } from './aggregator/rewrites.js';
import { endsPlan } from './aggregator/verdict.js';
import type { HookSet } from './registry/hook-registry.js';
import { runStage, type StageContext } from './runner/run-stage.js';

/** An event through its plan, once and never back: registry → planner → runner → aggregator. */
export async function carryOut(
  set: HookSet,
  original: HookEvent,
  context: StageContext,
  elapsedMs: () => number,
): Promise<AggregatedHookResult> {
  const plan = set.plans.plan(set.hooks[original.eventName], original);
  context.report.planned(plan);

  if (plan.stages.length === 0) return set.plans.idleResult(plan);

  let state: PlanState = { event: original, outcomes: [], changes: [] };
  for (const stage of plan.stages) {
    state = applyRewrites(state, await runStage(stage, original, state.event, context));
    if (endsPlan(state.outcomes)) break;
  }

  const result = aggregate(plan, state, elapsedMs());
  context.report.skippedOf(plan, result.outcomes);
  return result;
}
