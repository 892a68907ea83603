import {
  createHookOutput,
  type DefaultHookOutput,
  eventEntry,
  type HookEventName,
  type HookOutcome,
  type HookOutput,
  type Verdict,
} from '@tenterhook/protocol';
import { rankOf } from '../outcome/hook-key.js';
import { hasRun, isObeyed } from '../outcome/outcome.js';
import { type ContextDialect, contextField, joinedContext } from './joined-context.js';
import { effectiveRewrites, type PlanState } from './rewrites.js';
import { isStopping, joined, opinionOf } from './verdict.js';

/** Fields whose texts are joined on every event. If only the last value were kept, as for other fields, messages would be lost. */
const joinedFields = [contextField, 'userMessage'];

/** Fields that concern only one hook. They are in the outcome of that hook and are not merged. */
const perHookFields = new Set(['permissionDecision', 'permissionDecisionReason', 'skipRemaining', 'retryAfterMs']);

/**
 * Merges all outputs into one. The merged output has the fields of the verdict, joined messages, and the values after all rewrites. Every
 * other field has its last value. Outputs of a recheck affect only the verdict. Returns undefined if no hook ran.
 */
export function mergeOutput(state: PlanState, verdict: Verdict, dialects: readonly ContextDialect[] = []): DefaultHookOutput | undefined {
  const { eventName } = state.event;
  if (verdict.kind === 'none' && !state.outcomes.some(hasRun)) return undefined;
  const counted = state.outcomes.filter((outcome) => isObeyed(outcome) && !outcome.recheck);
  const answered = withAnswersOfHighestLevel(counted, state);
  const outputs = outputsOf(answered);

  const isAllowed = eventEntry(eventName).strategy === 'or-decision' && isAllowedBySuccess(state.outcomes);
  const context = joinedContext(answered, dialects);
  const specific = {
    ...mergeSpecific(eventName, outputs, effectiveRewrites(state)),
    ...(context === undefined ? {} : { [contextField]: context }),
  };
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
 * Removes `llm_response` from the outputs of hooks that may not answer in place of the model. These are:
 * - hooks of a lower level than a hook that denies, asks or stops. Otherwise a hook of a repository could answer a request that a guard of
 *   the user denies.
 * - hooks that do not deny, if another hook denies.
 * - hooks of a lower level than another hook that may answer.
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
 * Merges objects. The last value of each field is kept. Assigning the fields one by one was rejected: if a hook printed a field
 * `__proto__`, the assignment would set the prototype.
 */
function spread(objects: readonly object[]): Record<string, unknown> {
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
}

/**
 * Whether at least one hook succeeded, and no hook blocked, asked or stopped. On events with the strategy `or-decision`, the decision is
 * then `allow` (decision 9).
 */
function isAllowedBySuccess(outcomes: readonly HookOutcome[]): boolean {
  return (
    outcomes.some((outcome) => outcome.status === 'succeeded') &&
    !outcomes.some((outcome) => opinionOf(outcome).kind !== 'none' || isStopping(outcome))
  );
}

/** Returns the fields that no rule merges. Fields that the catalogue does not define are passed on too (decision 7). */
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
  if (outputs.length === 0) return rewrites;
  const specifics = outputs.map((output) => output.hookSpecificOutput ?? {});
  const merged: Record<string, unknown> = spread(specifics);
  for (const field of perHookFields) delete merged[field];
  for (const field of joinedFields) {
    const text = joined(specifics.map((specific) => (typeof specific[field] === 'string' ? (specific[field] as string) : undefined)));
    if (text !== undefined) merged[field] = text;
  }
  // The merged output has the values after all rewrites. The rewrites of single hooks are removed, because readers would take them for
  // further values.
  for (const { field } of eventEntry(eventName).rewrites) delete merged[field];
  return { ...merged, ...rewrites };
}

export function outputsOf(outcomes: readonly HookOutcome[]): HookOutput[] {
  return outcomes.map(({ output }) => output).filter((output) => output !== undefined);
}
