import {
  type AggregatedHookResult,
  createHookOutput,
  DefaultHookOutput,
  type HookEvent,
  type HookExecutionResponse,
  type HookOutcome,
  hookOutcomeSchema,
  type Plan,
  type ResponseError,
} from '@tenterhook/protocol';
import { aggregate, aggregateOutcomes } from './aggregator/aggregate.js';
import { describeHook, outcomeBase } from './aggregator/outcome-of-hook.js';
import { applyRewrites, type PlanState } from './aggregator/rewrites.js';
import { applyFailurePolicy } from './runner/failure-policy.js';

/** The result of a response that was carried out; what came as plain JSON over a wire gets its output class back. */
export function resultOfResponse(event: Pick<HookEvent, 'eventName'>, response: HookExecutionResponse): AggregatedHookResult {
  const output = response.output as AggregatedHookResult;
  if (output.finalOutput === undefined || output.finalOutput instanceof DefaultHookOutput) return output;
  return { ...output, finalOutput: createHookOutput(event.eventName, output.finalOutput) };
}

/**
 * The result of a request that was not carried out: its code in `errors`, and the verdict of the outcomes so far. Hooks with
 * `onError: 'block'` that had no turn count as deny: an overload must not open a closed door (design §4.6).
 */
export function resultOfFailure(error: ResponseError, event: HookEvent | undefined, plan: Plan | undefined): AggregatedHookResult {
  const failure = { code: error.code, message: error.message };
  if (event === undefined || plan === undefined) {
    const verdict = { kind: 'none' as const, stop: false, by: [], stoppedBy: [] };
    return { success: false, verdict, changes: [], allOutputs: [], outcomes: [], errors: [failure], totalDuration: 0 };
  }
  const answered = outcomesSoFar(error);
  const outcomes = answered ?? plan.stages.flatMap((stage) => stage.hooks.map((hook) => notStarted(hook, error)));
  // One at a time: hooks that were in conflict said so when they ran, and hooks of two stages never are.
  const state = outcomes.reduce<PlanState>((soFar, outcome) => applyRewrites(soFar, [outcome]), { event, outcomes: [], changes: [] });
  const result = answered === undefined ? aggregate(plan, state, 0) : aggregateOutcomes(state, 0);
  return { ...result, success: false, errors: [failure, ...result.errors] };
}

function outcomesSoFar(error: ResponseError): HookOutcome[] | undefined {
  return hookOutcomeSchema.array().safeParse(error.details?.['outcomes']).data;
}

function notStarted(hook: Plan['order'][number], error: ResponseError): HookOutcome {
  const message = `${describeHook(hook)} did not run: ${error.message}`;
  return applyFailurePolicy(
    { ...outcomeBase(hook), status: 'cancelled', durationMs: 0, warnings: [{ code: 'not_started', message }] },
    hook,
  );
}
