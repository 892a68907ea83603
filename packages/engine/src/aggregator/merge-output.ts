import {
  createHookOutput,
  type DefaultHookOutput,
  eventEntry,
  type HookEventName,
  type HookOutcome,
  type HookOutput,
  type Verdict,
} from '@tenterhook/protocol';
import { hasRun, isObeyed } from '../outcome/outcome.js';
import { effectiveRewrites, type PlanState } from './rewrites.js';
import { isStopping, joined, opinionOf } from './verdict.js';

/** Fields whose texts are joined in every event: a message that is overwritten is a message lost. */
const joinedFields = ['additionalContext', 'userMessage'];

/** Fields that spoke for one hook only and have done their work in its own outcome. */
const perHookFields = new Set(['permissionDecision', 'permissionDecisionReason', 'skipRemaining', 'retryAfterMs']);

/**
 * One output out of many: the verdict's words, messages joined, rewrites as whole effective values, and of every
 * other field the last one written (seed 000 "Aggregation Strategies"). Undefined when no hook ran.
 */
export function mergeOutput(state: PlanState, verdict: Verdict): DefaultHookOutput | undefined {
  const { eventName } = state.event;
  if (verdict.kind === 'none' && !state.outcomes.some(hasRun)) return undefined;
  const outputs = state.outcomes.flatMap((outcome) => (isObeyed(outcome) && outcome.output ? [outcome.output] : []));

  const merged: HookOutput = spread(outputs.map(withoutMergedFields));
  const systemMessage = joined(outputs.map((output) => output.systemMessage));
  if (systemMessage !== undefined) merged.systemMessage = systemMessage;
  if (outputs.some((output) => output.suppressOutput === true)) merged.suppressOutput = true;
  if (verdict.stop) merged.continue = false;
  if (verdict.stopReason !== undefined) merged.stopReason = verdict.stopReason;
  if (verdict.kind !== 'none') merged.decision = verdict.kind;
  else if (eventEntry(eventName).strategy === 'or-decision' && nobodyObjected(state.outcomes)) merged.decision = 'allow';
  if (verdict.reason !== undefined) merged.reason = verdict.reason;

  const specific = mergeSpecific(eventName, outputs, effectiveRewrites(state));
  if (Object.keys(specific).length > 0) merged.hookSpecificOutput = specific;
  return createHookOutput(eventName, merged);
}

/** Of each field the last one. Not by assignment, which would take a printed `__proto__` for a prototype. */
function spread(objects: readonly Record<string, unknown>[]): Record<string, unknown> {
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
}

/** Decision 9: the OR-logic events say `allow` when at least one hook succeeded and none blocked, asked or stopped. */
function nobodyObjected(outcomes: readonly HookOutcome[]): boolean {
  return (
    outcomes.some((outcome) => outcome.status === 'succeeded') &&
    !outcomes.some((outcome) => opinionOf(outcome).kind !== 'none' || isStopping(outcome))
  );
}

/** Everything the hooks added to the format themselves: unknown fields pass through (decision 7). */
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
  // What one hook wrote has gone into the effective value; beside it, it would be read as a second, shorter one.
  for (const { field } of eventEntry(eventName).rewrites) delete merged[field];
  return { ...merged, ...rewrites };
}
