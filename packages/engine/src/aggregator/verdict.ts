import { eventEntry, type HookEventName, type HookOutcome, type Verdict, type VerdictKind, verdictOf } from '@tenterhook/protocol';
import { canonicalOutputSchema, stricter } from '@tenterhook/protocol/internal';
import { keyOfOutcome } from '../outcome/hook-key.js';
import { isObeyed } from '../outcome/outcome.js';

/** Returns the decision of one outcome. A failure of a hook with `onError: 'block'` is a deny. */
export function opinionOf(outcome: HookOutcome): { kind: VerdictKind; reason: string | undefined } {
  if (outcome.failedClosed) {
    return { kind: 'deny', reason: outcome.warnings.find((warning) => warning.code === 'failed_closed')?.message };
  }
  const { status, skipReason, output } = outcome;
  // A hook that was trusted, and whose files have changed, does not run. Its outcome may still ask (`untrustedOutcome`).
  if (status === 'skipped' && skipReason === 'untrusted' && output?.decision === 'ask') return { kind: 'ask', reason: output.reason };
  const counts = isObeyed(outcome) && outcome.allowIgnored !== true;
  return { kind: counts ? verdictOf(outcome.output?.decision) : 'none', reason: outcome.output?.reason };
}

/**
 * Whether the outcome stops the agent with `continue: false`. No other hook can undo this (field failure 2). A hook whose failure denies
 * (`failedClosed`) can stop the agent too.
 */
export function isStopping(outcome: HookOutcome): boolean {
  return (isObeyed(outcome) || outcome.failedClosed === true) && outcome.output?.continue === false;
}

/**
 * Whether a deny or a stop ends the plan, so that later stages do not run (decision 17). On events where a deny cannot prevent anything,
 * the plan continues. The data are passed on anyway, so later hooks must be able to remove secrets from them. After a deny on AfterAgent,
 * SubagentStop or PostToolBatch the plan continues too. Such a deny makes the agent go on, and a later hook may stop the agent, which
 * outranks the deny (decision 20).
 */
export function endsPlan(eventName: HookEventName, outcomes: readonly HookOutcome[]): boolean {
  const { may, rewrites } = eventEntry(eventName);
  const isPrevented = may.block === true && outcomes.some((outcome) => opinionOf(outcome).kind === 'deny');
  const canStop = may.block === true || (may.block === 'feedback' && rewrites.length === 0);
  return isPrevented || (canStop && outcomes.some(isStopping));
}

/**
 * Returns the dialects whose remaining hooks are skipped, because one of their hooks returned `skipRemaining` without a decision (decision
 * 37).
 */
export function dialectsSkippingRest(outcomes: readonly HookOutcome[]): ReadonlySet<string> {
  if (!outcomes.some(isSkippingRest)) return noDialects;
  return new Set(outcomes.filter(isSkippingRest).map((outcome) => outcome.dialect));
}

const noDialects: ReadonlySet<string> = new Set();

export function isSkippingRest(outcome: HookOutcome): boolean {
  return isObeyed(outcome) && outcome.output?.hookSpecificOutput?.['skipRemaining'] === true;
}

/**
 * Returns the verdict. Its `kind` is the strictest decision (deny > ask > allow > none). Its `stop` does not depend on the decision. The
 * reasons are those of the hooks that decided (decision 70).
 */
export function verdictOfOutcomes(outcomes: readonly HookOutcome[]): Verdict {
  const kind = outcomes.reduce<VerdictKind>((strictest, outcome) => stricter(strictest, opinionOf(outcome).kind), 'none');
  const deciders = kind === 'none' ? [] : decidersOf(outcomes, kind);
  const stoppers = outcomes.filter(isStopping);
  const reason = joined(deciders.map((decider) => decider.reason || (kind === 'deny' ? defaultReason(decider.outcome) : undefined)));
  const stopReason = joined(stoppers.map((outcome) => outcome.output?.stopReason));
  const retryAfterMs = kind === 'deny' ? longestRetry(deciders.map((decider) => decider.outcome)) : undefined;
  return {
    kind,
    stop: stoppers.length > 0,
    ...(reason === undefined ? {} : { reason }),
    ...(stopReason === undefined ? {} : { stopReason }),
    by: [...new Set(deciders.map((decider) => decider.outcome.hookId))],
    stoppedBy: stoppers.map((outcome) => outcome.hookId),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/**
 * Returns the outcomes with this decision, and their reasons. If a hook was run again and decided the same, the hook is named once, with
 * its last reason.
 */
function decidersOf(outcomes: readonly HookOutcome[], kind: VerdictKind) {
  const opinions = outcomes.map((outcome) => ({ outcome, ...opinionOf(outcome) })).filter((opinion) => opinion.kind === kind);
  return [...new Map(opinions.map((opinion) => [keyOfOutcome(opinion.outcome), opinion])).values()];
}

/** Returns the texts in plan order, joined by newlines, or undefined if there are none. */
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
    // Only this field is validated. So the delay is used even if another field is invalid.
    .map((outcome) => canonicalOutputSchema.shape.retryAfterMs.safeParse(outcome.output?.hookSpecificOutput?.['retryAfterMs']).data)
    .filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}
