import { type AggregatedHookResult, eventEntry, type HookEvent, type HookOutcome, type Plan } from '@tenterhook/protocol';
import { aggregate, aggregateIdle, aggregateOutcomes } from './aggregator/aggregate.js';
import { hooksAnsweringFor, outcomeOfRecheck, type Shown, withConfirmedAllows, withLapsedAllows } from './aggregator/recheck.js';
import { applyRewrites, type PlanState } from './aggregator/rewrites.js';
import { dialectsSkippingRest, endsPlan } from './aggregator/verdict.js';
import { keyOfOutcome } from './outcome/hook-key.js';
import { noneAnswered, planRecheck } from './planner/plan-recheck.js';
import type { HookPlanner } from './planner/planner.js';
import type { HookSet } from './registry/registry.js';
import type { RecheckContext } from './runner/run-hook.js';
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
  const shown: Shown[] = [];
  for (const stage of plan.stages) {
    const skipping = dialectsSkippingRest(state.outcomes);
    if (stage.hooks.every((hook) => skipping.has(hook.dialect))) continue;
    const outcomes = await runStage(stage, original, state.event, context);
    shown.push({ event: state.event, outcomes });
    state = applyRewrites(state, outcomes);
    if (endsPlan(original.eventName, state.outcomes)) break;
  }
  if (needsRecheck(state)) state = await recheck(state, shown, set, context);

  const result = plan.stages.length === 0 ? aggregateIdle(plan).result : aggregate(plan, state, elapsedMs());
  context.report({ kind: 'aggregated', plan, result });
  return result;
}

/**
 * The same for an input that was rewritten after the event, by hooks of another event or by a host: every hook that may object and fits it is asked,
 * and only a deny, an ask and a stop count.
 */
export async function runRecheck(
  set: HookSet,
  event: HookEvent,
  context: StageContext,
  elapsedMs: () => number,
): Promise<AggregatedHookResult> {
  const plan = planRecheck(set.hooks[event.eventName], set.dialects, event, noneAnswered);
  context.report({ kind: 'planned', plan });
  const outcomes = withConfirmedAllows(await askAgain(plan, event, context, new Set()), []);
  const result = aggregateOutcomes({ event, outcomes, changes: [] }, elapsedMs());
  context.report({ kind: 'aggregated', plan, result });
  return result;
}

/** Nothing is computed for an event without a rewrite. A deny or a stop leaves nothing to check. */
function needsRecheck({ event, changes, outcomes }: PlanState): boolean {
  return changes.length > 0 && eventEntry(event.eventName).rechecks === true && !endsPlan(event.eventName, outcomes);
}

/** What a hook says holds for the input that it was shown. So hooks are asked once more about the input as all of them together left it. */
async function recheck(state: PlanState, shown: readonly Shown[], set: HookSet, context: StageContext): Promise<PlanState> {
  const { event } = state;
  const answering = hooksAnsweringFor(event, shown);
  const lapsed = withLapsedAllows(state, answering.vouching);
  const plan = planRecheck(set.hooks[event.eventName], set.dialects, event, answering);
  if (plan.stages.length === 0) return lapsed;
  context.report({ kind: 'recheck-planned', plan });
  const ran = new Set(state.outcomes.flatMap((outcome) => (outcome.status === 'skipped' ? [] : [keyOfOutcome(outcome)])));
  const rechecks = withConfirmedAllows(await askAgain(plan, event, context, ran), state.outcomes);
  return { ...lapsed, outcomes: [...lapsed.outcomes, ...rechecks] };
}

/** One round: a rewrite in it is refused, so every hook of it is shown the same input. */
async function askAgain(plan: Plan, event: HookEvent, context: StageContext, ran: ReadonlySet<string>): Promise<HookOutcome[]> {
  const outcomes: HookOutcome[] = [];
  const recheck: RecheckContext = { ran, outcomeOf: (outcome, hook) => outcomeOfRecheck(outcome, hook, event) };
  for (const stage of plan.stages) {
    const skipping = dialectsSkippingRest(outcomes);
    if (stage.hooks.every((hook) => skipping.has(hook.dialect))) continue;
    outcomes.push(...(await runStage(stage, event, event, { ...context, recheck })));
    if (endsPlan(event.eventName, outcomes)) break;
  }
  return outcomes;
}
