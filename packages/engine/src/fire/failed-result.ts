import { createFailedResult, readOutcomes, restoreResult } from '@tenterhook/bus/internal';
import {
  type AggregatedHookResult,
  type Dialect,
  describeHook,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookExecutionResponse,
  type HookOutcome,
  type Plan,
  type ResponseError,
} from '@tenterhook/protocol';
import { aggregate, aggregateOutcomes } from '../aggregator/aggregate.js';
import { applyRewrites, type PlanState } from '../aggregator/rewrites.js';
import { applyFailurePolicy } from '../outcome/failure-policy.js';
import { outcomeBase } from '../outcome/outcome.js';

/** What would have run, as far as that is known without the answer. */
export interface Situation {
  readonly eventName: HookEventName;
  /** Hooks of the event that nothing rules out. */
  readonly hooks: readonly HookDefinition[];
  /** Absent when the input is not valid. */
  readonly event?: HookEvent;
  readonly plan?: Plan;
  /** Those of the hooks, for the words of a failure. */
  readonly dialects: readonly Dialect[];
}

/** The result of a response that was carried out; what came as plain JSON over a wire gets its output class back. */
export function resultOfResponse(
  event: Pick<HookEvent, 'eventName'>,
  response: Pick<HookExecutionResponse, 'output'>,
): AggregatedHookResult {
  const output = response.output as AggregatedHookResult | undefined;
  if (output === undefined) {
    return resultOfFailure({ code: 'internal_error', message: 'The response says success and carries no result.' }, undefined, 0);
  }
  return restoreResult(event.eventName, output);
}

/**
 * The result of a request that was not carried out: its code in `errors`, and the verdict of the outcomes so far. Hooks with
 * `onError: 'block'` that had no turn count as deny, whatever kept them from it: an overload, or an input that cannot be shown to
 * them, must not open a closed door (design §4.6).
 */
export function resultOfFailure(error: ResponseError, situation: Situation | undefined, totalDuration: number): AggregatedHookResult {
  const failed = createFailedResult(error, totalDuration);
  if (situation === undefined) return failed;
  const result = resultOfSituation(error, situation, totalDuration);
  return { ...result, success: false, errors: [...failed.errors, ...result.errors] };
}

function resultOfSituation(
  error: ResponseError,
  { eventName, hooks, event, plan, dialects }: Situation,
  totalDuration: number,
): AggregatedHookResult {
  const begin: PlanState = { event: event ?? emptyEvent(eventName), outcomes: [], changes: [] };
  const answered = readOutcomes(error);
  const noTurn = plan === undefined ? hooks : plan.stages.flatMap((stage) => stage.hooks);
  const outcomes = answered ?? noTurn.map((hook) => notStarted(hook, error, dialects));
  // Stage by stage, as they ran; what they warned of then stands in them, so it is not said again.
  const { event: rewritten, changes } = stagesOf(outcomes, plan).reduce<PlanState>(applyRewrites, begin);
  const state: PlanState = { event: rewritten, changes, outcomes };
  return answered === undefined && plan !== undefined ? aggregate(plan, state, totalDuration) : aggregateOutcomes(state, totalDuration);
}

/** Without a plan nobody knows who ran side by side; then each is taken for itself. */
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

/** Nothing that hooks would see: it only says which event is aggregated. */
function emptyEvent(eventName: HookEventName): HookEvent {
  const input = { session_id: '', transcript_path: '', cwd: '', hook_event_name: eventName, timestamp: '' };
  return { eventName, input, projectDir: '' };
}
