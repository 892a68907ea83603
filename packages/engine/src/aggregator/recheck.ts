import {
  describeHook,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookOutcome,
  type HookOutput,
  type HookWarning,
  verdictOf,
} from '@tenterhook/protocol';
import { isSameJson } from '@tenterhook/runtime/json';
import { keyOfOutcome } from '../outcome/hook-key.js';
import { hasFailed, hasRun, isObeyed } from '../outcome/outcome.js';
import { changedValues } from './changed-values.js';
import { composeRewrite, valueAt, withValueAt } from './compose-rewrite.js';
import type { PlanState } from './rewrites.js';
import { isSkippingRest } from './verdict.js';
import { writes } from './written-rewrites.js';

/** A stage that ran: the event that its hooks received, and their outcomes. */
export interface Shown {
  readonly event: HookEvent;
  readonly outcomes: readonly HookOutcome[];
}

/**
 * Returns the hooks that have answered for the current input (`vouching`), and those of them that skip the rest of their dialect
 * (`skipping`).
 *
 * A hook has answered for the current input if it received this input, apart from its own rewrites. So the hook that wrote last is not
 * asked again. If it were, a hook that adds a prefix to a command would add the prefix twice. A hook whose rewrite was undone is asked
 * again.
 */
export function hooksAnsweringFor(event: HookEvent, shown: readonly Shown[]): { vouching: Set<string>; skipping: Set<string> } {
  const vouching = shown.flatMap((stage) =>
    stage.outcomes.filter((outcome) => hasRun(outcome) && isSameInput(leftBy(outcome, stage.event), event)),
  );
  return { vouching: keysOf(vouching), skipping: keysOf(vouching.filter(isSkippingRest)) };
}

/** Marks an allow as having no effect if the input was rewritten after the hook had allowed it. */
export function withLapsedAllows(state: PlanState, vouching: ReadonlySet<string>): PlanState {
  const outcomes = state.outcomes.map((outcome) => {
    if (!isAllow(outcome) || vouching.has(keyOfOutcome(outcome))) return outcome;
    const by = [...new Set(state.changes.map(({ hookId }) => hookId).filter((id) => id !== outcome.hookId))];
    const message = `Hook ${outcome.hookId} allowed an input that was rewritten afterwards${by.length === 0 ? '' : ` (by ${by.join(', ')})`}. The allow has no effect, unless the hook also allows the rewritten input.`;
    return withIgnoredAllow(outcome, { code: 'allow_lapsed', message });
  });
  return { ...state, outcomes };
}

/**
 * Marks an allow of a recheck as having no effect if the hook had not allowed before. A recheck can confirm an allow but cannot give a
 * new one.
 */
export function withConfirmedAllows(rechecks: readonly HookOutcome[], before: readonly HookOutcome[]): HookOutcome[] {
  const allowed = keysOf(before.filter(isAllow));
  return rechecks.map((outcome) => {
    if (!isAllow(outcome) || allowed.has(keyOfOutcome(outcome))) return outcome;
    const message = `Hook ${outcome.hookId} ran again, because another hook had rewritten the input, and allowed the new input. This allow has no effect: in a second run only a deny, an ask or a stop counts.`;
    return withIgnoredAllow(outcome, { code: 'no_effect', message });
  });
}

/**
 * Returns the outcome of a recheck, in which a hook is asked about an input that was rewritten after its answer. If the hook rewrites the
 * input again, it has failed, and this failure denies whatever `onError` is. Asking the other hooks about that input was rejected,
 * because it could go on forever. If the hook denies, its rewrite is ignored.
 */
export function outcomeOfRecheck(outcome: HookOutcome, hook: HookDefinition, event: HookEvent): HookOutcome {
  const recheck: HookOutcome = { ...outcome, recheck: true };
  if (!isObeyed(outcome) || verdictOf(outcome.output?.decision) === 'deny') return recheck;
  const left = leftBy(outcome, event);
  if (isSameInput(left, event)) return recheck;
  const { rewrites } = eventEntry(event.eventName);
  const changes = rewrites.flatMap(({ path, target }) => changedValues(path, valueAt(event.input, target), valueAt(left.input, target)));
  const paths = [...new Set(changes.map(({ path }) => path))];
  const message = `${describeHook(hook)} ran again on the input that another hook had rewritten, and rewrote it again (${paths.join(', ')}). Return no rewrite for an input that needs no change, or set "recheck": false for a hook that never denies.`;
  const { output, ...rest } = recheck;
  const stop: { output?: HookOutput } = output?.continue === false ? { output: stopOf(output) } : {};
  return { ...rest, ...stop, status: 'failed', warnings: [{ code: 'unstable_rewrite', message }, ...outcome.warnings] };
}

/**
 * Returns the outcome of a hook that was run again on data that another hook wrote. In a recheck of an input, a rewrite is a failure.
 * Here a rewrite is applied, so that the hook can remove what the other hook brought back.
 *
 * `mustAnswer` is true if a hook of a lower level, such as one of a repository, wrote the data. If the hook then fails, the data are
 * withheld, whatever its `onError` is. Otherwise a repository could bypass a guard with data on which the guard fails.
 */
export function outcomeOfSecondRun(outcome: HookOutcome, hook: HookDefinition, mustAnswer: boolean): HookOutcome {
  const again: HookOutcome = { ...outcome, recheck: true };
  const [cause] = outcome.warnings;
  if (!mustAnswer || isObeyed(outcome) || cause?.code === 'rewrite_unchecked') return again;
  const why = cause === undefined ? '' : ` ${cause.message}`;
  const message = `${describeHook(hook)} ran again on data that a hook of a lower level had written, but did not check the data.${why}`;
  return {
    ...again,
    status: hasFailed(outcome) ? outcome.status : 'failed',
    warnings: [{ code: 'rewrite_unchecked', message }, ...outcome.warnings],
  };
}

function stopOf({ stopReason }: HookOutput): HookOutput {
  return { continue: false, ...(stopReason === undefined ? {} : { stopReason }) };
}

/** Returns the event as it would be if only this hook had rewritten it. */
export function leftBy(outcome: HookOutcome, event: HookEvent): HookEvent {
  let input: unknown = event.input;
  for (const rewrite of eventEntry(event.eventName).rewrites) {
    if (!writes(event.eventName, outcome, rewrite)) continue;
    const before = valueAt(input, rewrite.target);
    const patch = outcome.output?.hookSpecificOutput?.[rewrite.field];
    input = withValueAt(input, rewrite.target, composeRewrite(rewrite, patch, { before, shown: before }));
  }
  return input === event.input ? event : { ...event, input: input as HookEvent['input'] };
}

/** Whether two events are equal in all values that hooks may rewrite. */
function isSameInput(one: HookEvent, other: HookEvent): boolean {
  if (one.input === other.input) return true;
  return eventEntry(one.eventName).rewrites.every(({ target }) => isSameJson(valueAt(one.input, target), valueAt(other.input, target)));
}

function isAllow(outcome: HookOutcome): boolean {
  return isObeyed(outcome) && verdictOf(outcome.output?.decision) === 'allow';
}

function withIgnoredAllow(outcome: HookOutcome, warning: HookWarning): HookOutcome {
  return { ...outcome, allowIgnored: true, warnings: [...outcome.warnings, warning] };
}

function keysOf(outcomes: readonly HookOutcome[]): Set<string> {
  return new Set(outcomes.map(keyOfOutcome));
}
