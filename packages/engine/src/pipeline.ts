import type { AggregatedHookResult, HookEvent } from '@tenterhook/protocol';
import { aggregate } from './aggregator/aggregate.js';
import { idleAnswer } from './aggregator/idle-answer.js';
import { applyRewrites, type PlanState } from './aggregator/rewrites.js';
import { dialectsSkippingRest, endsPlan } from './aggregator/verdict.js';
import type { HookPlanner } from './planner/planner.js';
import type { HookSet } from './registry/hook-set.js';
import { runStage, type StageContext } from './runner/run-stage.js';

/** An event through its plan, once and never back: registry → planner → runner → aggregator. */
export async function carryOut(
  set: HookSet,
  planner: HookPlanner,
  original: HookEvent,
  context: StageContext,
  elapsedMs: () => number,
): Promise<AggregatedHookResult> {
  const plan = planner.plan(set, original);
  context.report.planned(plan);
  if (plan.stages.length === 0) return idleAnswer(plan).result;

  let state: PlanState = { event: original, outcomes: [], changes: [] };
  for (const stage of plan.stages) {
    const skipping = dialectsSkippingRest(state.outcomes);
    if (stage.hooks.every((hook) => skipping.has(hook.dialect))) continue;
    state = applyRewrites(state, await runStage(stage, original, state.event, context));
    if (endsPlan(state.outcomes)) break;
  }

  const result = aggregate(plan, state, elapsedMs());
  context.report.skippedOf(plan, result.outcomes);
  return result;
}
