import {
  type AggregatedHookResult,
  type Dialect,
  describeHook,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  type Plan,
  type ResponseError,
} from '@tenterhook/protocol';
import { createFailedResult, readOutcomes } from '@tenterhook/protocol/internal';
import { aggregate, aggregateOutcomes } from '../aggregator/aggregate.js';
import { applyRewrites, type PlanState } from '../aggregator/rewrites.js';
import { applyFailurePolicy } from '../outcome/failure-policy.js';
import { outcomeBase } from '../outcome/outcome.js';

/** What the caller knows about the hooks that would have run. */
export interface FailureContext {
  readonly eventName: HookEventName;
  /** Hooks of the event that may run. */
  readonly hooks: readonly HookDefinition[];
  /** Absent if the input is invalid. */
  readonly event?: HookEvent;
  readonly plan?: Plan;
  /** The dialects of the hooks, for the messages about failures. */
  readonly dialects: readonly Dialect[];
}

/**
 * Returns the result of an event that was not carried out. It has the error in `errors`, and the verdict of the outcomes so far. A hook
 * with `onError: 'block'` that did not run denies, whatever the cause. Otherwise an overload, or an input that cannot be passed to a
 * hook, would disable a guard.
 */
export function resultOfFailure(error: ResponseError, context: FailureContext | undefined, totalDuration: number): AggregatedHookResult {
  const failed = createFailedResult(error, totalDuration);
  if (context === undefined) return failed;
  const result = resultInContext(error, context, totalDuration);
  return { ...result, success: false, errors: [...failed.errors, ...result.errors] };
}

function resultInContext(
  error: ResponseError,
  { eventName, hooks, event, plan, dialects }: FailureContext,
  totalDuration: number,
): AggregatedHookResult {
  const begin: PlanState = { event: event ?? emptyEvent(eventName), outcomes: [], changes: [] };
  const answered = readOutcomes(error);
  const noTurn = plan === undefined ? hooks : plan.stages.flatMap((stage) => stage.hooks);
  const outcomes = answered ?? noTurn.map((hook) => notStarted(hook, error, dialects));
  // The rewrites are applied in the order of the stages. Rewrites of hooks that were run again come last. Warnings about rewrites are
  // already in the outcomes.
  const again = outcomes.filter(({ recheck }) => recheck && eventEntry(eventName).redacts);
  const stages = stagesOf(
    outcomes.filter(({ recheck }) => !recheck),
    plan,
  );
  const { event: rewritten, changes } = [...stages, ...again.map((outcome) => [outcome])].reduce<PlanState>(applyRewrites, begin);
  const state: PlanState = { event: rewritten, changes, outcomes };
  return answered === undefined && plan !== undefined
    ? aggregate(plan, state, totalDuration, dialects)
    : aggregateOutcomes(state, totalDuration, dialects);
}

/** Returns the outcomes by stage. Without a plan the stages are unknown, so each outcome counts as a stage. */
function stagesOf(outcomes: readonly HookOutcome[], plan: Plan | undefined): readonly (readonly HookOutcome[])[] {
  if (plan === undefined) return outcomes.map((outcome) => [outcome]);
  const byId = new Map(outcomes.map((outcome) => [outcome.hookId, outcome]));
  return plan.stages.map((stage) => stage.hooks.flatMap((hook) => byId.get(hook.id) ?? []));
}

function notStarted(hook: HookDefinition, error: ResponseError, dialects: readonly Dialect[]): HookOutcome {
  const message = `${describeHook(hook)} did not run: ${error.message}`;
  return applyFailurePolicy(
    { ...outcomeBase(hook), status: 'cancelled', durationMs: 0, warnings: [{ code: 'not_started', message }] },
    hook,
    dialects.find(({ name }) => name === hook.dialect),
  );
}

/** Returns an event that no hook receives. The aggregator only reads its name. */
function emptyEvent(eventName: HookEventName): HookEvent {
  const input = { session_id: '', transcript_path: '', cwd: '', hook_event_name: eventName, timestamp: '' };
  return { eventName, input, projectDir: '' };
}
