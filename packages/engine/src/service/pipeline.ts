import { type AggregatedHookResult, eventEntry, type HookEvent, type HookOutcome, type Plan } from '@tenterhook/protocol';
import { aggregate, aggregateIdle, aggregateOutcomes } from '../aggregator/aggregate.js';
import { hooksAnsweringFor, outcomeOfRecheck, type Shown, withConfirmedAllows, withLapsedAllows } from '../aggregator/recheck.js';
import { applyRewrites, type PlanState } from '../aggregator/rewrites.js';
import { dialectsSkippingRest, endsPlan } from '../aggregator/verdict.js';
import { keyOfOutcome } from '../outcome/hook-key.js';
import { noneAnswered, planRecheck } from '../planner/plan-recheck.js';
import type { HookPlanner } from '../planner/planner.js';
import type { HookSet } from '../registry/registry.js';
import type { RecheckContext } from '../runner/run-hook.js';
import { runStage, type StageContext } from '../runner/run-stage.js';
import { Viewers } from '../viewers/viewers.js';

/** Runs an event through registry, planner, runner and aggregator, in this order. */
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
  const viewers = eventEntry(original.eventName).redacts === true ? new Viewers(original, context) : undefined;
  const skipping = new Set<string>();
  for (const stage of plan.stages) {
    if (stage.hooks.every((hook) => skipping.has(hook.dialect))) continue;
    const outcomes = await runStage(stage, original, state.event, context, plan);
    shown.push({ event: state.event, outcomes });
    const before = state.outcomes.length;
    state = viewers === undefined ? applyRewrites(state, outcomes) : await viewers.settle(state, stage, outcomes);
    // The earlier outcomes have been looked at, and do not change.
    const added = state.outcomes.slice(before);
    for (const dialect of dialectsSkippingRest(added)) skipping.add(dialect);
    if (endsPlan(original.eventName, added)) break;
  }
  if (needsRecheck(state)) state = await recheck(state, shown, set, context);
  if (viewers !== undefined) state = await viewers.finish(state);

  const result = plan.stages.length === 0 ? aggregateIdle(plan).result : aggregate(plan, state, elapsedMs(), context.dialects);
  context.report({ kind: 'aggregated', plan, result });
  return result;
}

/**
 * Asks the hooks again about an input that was rewritten after the event, by hooks of another event or by a host. Every hook that matches
 * and may deny, ask or stop is asked. An allow has no effect.
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

/**
 * Whether hooks must be asked again. If nothing was rewritten, all hooks have seen the final input. After a deny or a stop, no operation
 * uses the input.
 */
function needsRecheck({ event, changes, outcomes }: PlanState): boolean {
  return changes.length > 0 && eventEntry(event.eventName).rechecks === true && !endsPlan(event.eventName, outcomes);
}

/** Asks hooks again about the input with all rewrites, because the answer of a hook is valid only for the input that it received. */
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

/** Runs the hooks of the plan once. Their rewrites are refused, so all of them receive the same input. */
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
