import type { AggregatedHookResult, HookEvent } from '@tenterhook/protocol';
import { aggregate, aggregateIdle } from './aggregator/aggregate.js';
import { applyRewrites, type PlanState } from './aggregator/rewrites.js';
import { dialectsSkippingRest, endsPlan } from './aggregator/verdict.js';
import type { HookPlanner } from './planner/planner.js';
import type { HookSet } from './registry/registry.js';
import { runStage, type StageContext } from './runner/run-stage.js';

/** Runs an event through its plan, in one direction: registry → planner → runner → aggregator. */
export async function runPipeline(
  set: HookSet,
  planner: HookPlanner,
  original: HookEvent,
  context: StageContext,
  elapsedMs: () => number,
): Promise<AggregatedHookResult> {
  const plan = planner.plan(set, original);
  context.report({ kind: 'planned', plan });

  let state: PlanState = { event: original, outcomes: [], changes: [] };
  for (const stage of plan.stages) {
    const skipping = dialectsSkippingRest(state.outcomes);
    if (stage.hooks.every((hook) => skipping.has(hook.dialect))) continue;
    state = applyRewrites(state, await runStage(stage, original, state.event, context));
    if (endsPlan(state.outcomes)) break;
  }

  const result = plan.stages.length === 0 ? aggregateIdle(plan).result : aggregate(plan, state, elapsedMs());
  context.report({ kind: 'aggregated', plan, result });
  return result;
}
