import {
  type AggregatedHookResult,
  createHookOutput,
  type DefaultHookOutput,
  describeHook,
  eventEntry,
  type HookDefinition,
  type HookEventName,
  type HookOutcome,
  type HookOutput,
  type Plan,
  type Verdict,
} from '@tenterhook/protocol';
import { freezeDeeply } from '@tenterhook/runtime/json';
import { rankOf } from '../outcome/hook-key.js';
import { hasFailed, hasRun, isObeyed, skippedOutcome } from '../outcome/outcome.js';
import { effectiveRewrites, type PlanState } from './rewrites.js';
import { isStopping, joined, opinionOf, verdictOfOutcomes } from './verdict.js';

/** Returns the result of a plan and its outcomes. `totalDuration` is an argument, because the aggregator reads no clock. */
export function aggregate(plan: Plan, state: PlanState, totalDuration: number): AggregatedHookResult {
  return aggregateOutcomes({ ...state, outcomes: inPlanOrder(plan, state.outcomes) }, totalDuration);
}

/** The result of a plan in which every hook is skipped, frozen, and the same result as a promise that is already resolved. */
export interface IdleAnswer {
  readonly result: AggregatedHookResult;
  readonly promise: Promise<AggregatedHookResult>;
}

const idleAnswers = new WeakMap<Plan, IdleAnswer>();

/**
 * Returns the answer for a plan in which no hook runs. It is built once per plan, so that such an event costs only a lookup, and it is
 * garbage-collected with the plan. It is frozen because all callers share it.
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

/** Returns the result without a plan, for the outcomes in the details of a failed request. */
export function aggregateOutcomes(state: PlanState, totalDuration: number): AggregatedHookResult {
  const { outcomes } = state;
  const verdict = verdictOfOutcomes(outcomes);
  const finalOutput = mergeOutput(state, verdict);
  return {
    success: outcomes.every(isHealthy),
    ...(finalOutput === undefined ? {} : { finalOutput }),
    verdict,
    changes: [...state.changes],
    allOutputs: outcomes.flatMap(({ output, recheck }) => (output === undefined || recheck ? [] : [output])),
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
 * Whether a hook was healthy. A hook that denies with exit code 0 is healthy. A hook that exits with 2 is not, even if it means a deny
 * (seed 001 §7.2).
 */
function isHealthy(outcome: HookOutcome): boolean {
  return !hasFailed(outcome) && (outcome.exitCode === undefined || outcome.exitCode === 0);
}

/**
 * Returns one outcome for every configured hook, in plan order, and after them the outcomes of rechecks. A hook has no outcome yet if a
 * deny or a stop ended the plan before it; it becomes `skipped`.
 */
function inPlanOrder(plan: Plan, answered: readonly HookOutcome[]): HookOutcome[] {
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

/** Fields whose texts are joined on every event. If they kept only the last value, as other fields do, messages would be lost. */
const joinedFields = ['additionalContext', 'userMessage'];

/** Fields that concern only one hook. They take effect in the outcome of this hook and are not merged. */
const perHookFields = new Set(['permissionDecision', 'permissionDecisionReason', 'skipRemaining', 'retryAfterMs']);

/**
 * Merges all outputs into one: the fields of the verdict, joined messages, rewrites as whole effective values, and the last value of every
 * other field (seed 000 "Aggregation Strategies"). The output of a recheck is not merged, because it only contributes to the verdict.
 * Undefined if no hook ran.
 */
export function mergeOutput(state: PlanState, verdict: Verdict): DefaultHookOutput | undefined {
  const { eventName } = state.event;
  if (verdict.kind === 'none' && !state.outcomes.some(hasRun)) return undefined;
  const counted = state.outcomes.filter((outcome) => isObeyed(outcome) && !outcome.recheck);
  const outputs = withAnswersOfHighestLevel(counted, state).flatMap(({ output }) => (output === undefined ? [] : [output]));

  const isAllowed = eventEntry(eventName).strategy === 'or-decision' && nobodyObjected(state.outcomes);
  const specific = mergeSpecific(eventName, outputs, effectiveRewrites(state));
  const merged: HookOutput = {
    ...spread(outputs.map(withoutMergedFields)),
    systemMessage: joined(outputs.map((output) => output.systemMessage)),
    suppressOutput: outputs.some((output) => output.suppressOutput === true) ? true : undefined,
    continue: verdict.stop ? false : undefined,
    stopReason: verdict.stopReason,
    decision: verdict.kind === 'none' ? (isAllowed ? 'allow' : undefined) : verdict.kind,
    reason: verdict.reason,
    hookSpecificOutput: Object.keys(specific).length > 0 ? specific : undefined,
  };
  return createHookOutput(eventName, merged);
}

/**
 * Removes `llm_response` from the outputs of hooks that may not answer in place of the model. If there are several answers, that of the
 * highest level is used. If hooks deny, ask or stop, only hooks of the level of the highest of them, or of a level above, may answer; and if
 * hooks deny, only one that denies. Otherwise a repository could supply the response to a request about which a guard of the user objects.
 */
function withAnswersOfHighestLevel(counted: readonly HookOutcome[], { event, outcomes }: PlanState): readonly HookOutcome[] {
  const hasAnswer = ({ output }: HookOutcome) => (output?.hookSpecificOutput?.['llm_response'] ?? undefined) !== undefined;
  if (event.eventName !== 'BeforeModel' || !counted.some(hasAnswer)) return counted;
  const denies = (outcome: HookOutcome) => opinionOf(outcome).kind === 'deny';
  const isDenied = outcomes.some(denies);
  const objecting = outcomes.filter((outcome) => isStopping(outcome) || opinionOf(outcome).kind === (isDenied ? 'deny' : 'ask'));
  const least = Math.max(0, ...objecting.map(rankOf));
  const answering = counted.filter((outcome) => hasAnswer(outcome) && rankOf(outcome) >= least && (!isDenied || denies(outcome)));
  const highest = Math.max(0, ...answering.map(rankOf));
  return counted.map((outcome) => {
    if (!hasAnswer(outcome) || (answering.includes(outcome) && rankOf(outcome) === highest)) return outcome;
    const { llm_response: _answer, ...rest } = outcome.output?.hookSpecificOutput ?? {};
    return { ...outcome, output: { ...outcome.output, hookSpecificOutput: rest } };
  });
}

/**
 * Merges objects into one that has the last value of each field. The fields are not assigned one by one, because assigning a `__proto__`
 * that a hook printed would set the prototype.
 */
function spread(objects: readonly object[]): Record<string, unknown> {
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
}

/**
 * Whether at least one hook succeeded and no hook blocked, asked or stopped. On events with the strategy `or-decision`, the decision is
 * then `allow` (decision 9).
 */
function nobodyObjected(outcomes: readonly HookOutcome[]): boolean {
  return (
    outcomes.some((outcome) => outcome.status === 'succeeded') &&
    !outcomes.some((outcome) => opinionOf(outcome).kind !== 'none' || isStopping(outcome))
  );
}

/**
 * Returns the fields that are not merged by a rule. These include fields that the catalogue does not define, which are passed on (decision
 * 7).
 */
function withoutMergedFields(output: HookOutput): HookOutput {
  const {
    continue: _c,
    stopReason: _s,
    suppressOutput: _o,
    systemMessage: _m,
    decision: _d,
    reason: _r,
    hookSpecificOutput: _h,
    ...rest
  } = output;
  return rest;
}

function mergeSpecific(
  eventName: HookEventName,
  outputs: readonly HookOutput[],
  rewrites: Record<string, unknown>,
): Record<string, unknown> {
  const specifics = outputs.map((output) => output.hookSpecificOutput ?? {});
  const merged: Record<string, unknown> = spread(specifics);
  for (const field of perHookFields) delete merged[field];
  for (const field of joinedFields) {
    const text = joined(specifics.map((specific) => (typeof specific[field] === 'string' ? (specific[field] as string) : undefined)));
    if (text !== undefined) merged[field] = text;
  }
  // The merged output has the effective values, after all rewrites. The rewrites of single hooks are removed, because readers could mistake
  // them for further values.
  for (const { field } of eventEntry(eventName).rewrites) delete merged[field];
  return { ...merged, ...rewrites };
}
