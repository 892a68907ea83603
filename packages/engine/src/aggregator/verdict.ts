import {
  canonicalOutputSchema,
  eventEntry,
  type HookEventName,
  type HookOutcome,
  stricter,
  type Verdict,
  type VerdictKind,
  verdictOf,
} from '@tenterhook/protocol';
import { isObeyed } from '../outcome/outcome.js';

/** The decision of one outcome, or the deny of a failure with `onError: 'block'`. */
export function opinionOf(outcome: HookOutcome): { kind: VerdictKind; reason: string | undefined } {
  if (outcome.failedClosed) {
    return { kind: 'deny', reason: outcome.warnings.find((warning) => warning.code === 'failed_closed')?.message };
  }
  const counts = isObeyed(outcome) && outcome.allowIgnored !== true;
  return { kind: counts ? verdictOf(outcome.output?.decision) : 'none', reason: outcome.output?.reason };
}

/** `continue: false` of a hook whose output counts. No other hook can undo it (field failure 2). In a failure that denies, only the stop counts. */
export function isStopping(outcome: HookOutcome): boolean {
  return (isObeyed(outcome) || outcome.failedClosed === true) && outcome.output?.continue === false;
}

/**
 * A deny or a stop ends the plan: the stages that follow do not run (decision 17). Not where it undoes nothing, because the data of the event reach
 * a reader anyway: a hook that redacts them must not be skipped because of such a word.
 */
export function endsPlan(eventName: HookEventName, outcomes: readonly HookOutcome[]): boolean {
  const { may, rewrites } = eventEntry(eventName);
  const hasEffect = may.block === true || (may.block === 'feedback' && rewrites.length === 0);
  return hasEffect && outcomes.some((outcome) => opinionOf(outcome).kind === 'deny' || isStopping(outcome));
}

/** Dialects whose remaining hooks are skipped, because one of their hooks asked for it without deciding anything (decision 37). */
export function dialectsSkippingRest(outcomes: readonly HookOutcome[]): Set<string> {
  return new Set(outcomes.filter(isSkippingRest).map((outcome) => outcome.dialect));
}

export function isSkippingRest(outcome: HookOutcome): boolean {
  return isObeyed(outcome) && outcome.output?.hookSpecificOutput?.['skipRemaining'] === true;
}

/** The lattice deny > ask > allow > none over all outcomes, and the stop, which is independent of it. Only reasons of deciders count (decision 70). */
export function verdictOfOutcomes(outcomes: readonly HookOutcome[]): Verdict {
  const opinions = outcomes.map((outcome) => ({ outcome, ...opinionOf(outcome) }));
  const kind = opinions.reduce<VerdictKind>((strictest, opinion) => stricter(strictest, opinion.kind), 'none');
  const deciders = kind === 'none' ? [] : withoutRepeats(opinions.filter((opinion) => opinion.kind === kind));
  const stoppers = outcomes.filter(isStopping);
  const reason = joined(deciders.map((decider) => decider.reason || (kind === 'deny' ? defaultReason(decider.outcome) : undefined)));
  const stopReason = joined(stoppers.map((outcome) => outcome.output?.stopReason));
  const retryAfterMs = kind === 'deny' ? longestRetry(deciders.map((decider) => decider.outcome)) : undefined;
  return {
    kind,
    stop: stoppers.length > 0,
    ...(reason === undefined ? {} : { reason }),
    ...(stopReason === undefined ? {} : { stopReason }),
    by: deciders.map((decider) => decider.outcome.hookId),
    stoppedBy: stoppers.map((outcome) => outcome.hookId),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** A hook that was asked again and said the same is named once, with its later words. */
function withoutRepeats<Opinion extends { readonly outcome: HookOutcome }>(opinions: readonly Opinion[]): Opinion[] {
  return [...new Map(opinions.map((opinion) => [opinion.outcome.hookId, opinion])).values()];
}

/** The texts in plan order, joined by newlines; undefined without texts. */
export function joined(texts: readonly (string | undefined)[]): string | undefined {
  const present = texts.filter((text) => text !== undefined && text !== '');
  return present.length === 0 ? undefined : present.join('\n');
}

function defaultReason(outcome: HookOutcome): string {
  return `Hook "${outcome.name ?? outcome.hookId}" denied ${outcome.eventName} and gave no reason.`;
}

function longestRetry(outcomes: readonly HookOutcome[]): number | undefined {
  const waits = outcomes
    .filter(isObeyed)
    // Only this field is checked: an invalid field beside it must not drop the wait.
    .map((outcome) => canonicalOutputSchema.shape.retryAfterMs.safeParse(outcome.output?.hookSpecificOutput?.['retryAfterMs']).data)
    .filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}
