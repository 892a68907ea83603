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
import { hasRun, isObeyed } from '../outcome/outcome.js';
import { changedValues } from './changed-values.js';
import { composeRewrite, type PlanState, valueAt, withValueAt, writes } from './rewrites.js';
import { isSkippingRest } from './verdict.js';

/** One stage that ran: the event that its hooks were shown, and their outcomes. */
export interface Shown {
  readonly event: HookEvent;
  readonly outcomes: readonly HookOutcome[];
}

/**
 * The hooks that have answered for the input of this event. A hook answers for the input as it left it: as it was shown, with its own rewrites. So
 * the author of the last rewrite is not asked about its own value, which a rewrite such as a prefix of a command would not survive. A hook whose
 * rewrite another hook undid is asked again, although it was shown this input.
 */
export function hooksAnsweringFor(event: HookEvent, shown: readonly Shown[]): { vouching: Set<string>; skipping: Set<string> } {
  const vouching = shown.flatMap((stage) =>
    stage.outcomes.filter((outcome) => hasRun(outcome) && isSameInput(leftBy(outcome, stage.event), event)),
  );
  return { vouching: keysOf(vouching), skipping: keysOf(vouching.filter(isSkippingRest)) };
}

/** Allows that were given to another input than that of the event lapse: they no longer count. */
export function withLapsedAllows(state: PlanState, vouching: ReadonlySet<string>): PlanState {
  const outcomes = state.outcomes.map((outcome) => {
    if (!isAllow(outcome) || vouching.has(keyOfOutcome(outcome))) return outcome;
    const by = [...new Set(state.changes.map(({ hookId }) => hookId).filter((id) => id !== outcome.hookId))];
    const message = `Hook ${outcome.hookId} allowed an input that was rewritten afterwards${by.length === 0 ? '' : ` (by ${by.join(', ')})`}. The allow does not count, unless the hook also allows the rewritten input.`;
    return withIgnoredAllow(outcome, { code: 'allow_lapsed', message });
  });
  return { ...state, outcomes };
}

/** In a recheck, an allow counts only if the hook had allowed before: it confirms an allow that lapsed, and adds none. */
export function withConfirmedAllows(rechecks: readonly HookOutcome[], before: readonly HookOutcome[]): HookOutcome[] {
  const allowed = keysOf(before.filter(isAllow));
  return rechecks.map((outcome) => {
    if (!isAllow(outcome) || allowed.has(keyOfOutcome(outcome))) return outcome;
    const message = `Hook ${outcome.hookId} allowed when it was asked about a rewritten input. In a recheck only a deny, an ask and a stop count.`;
    return withIgnoredAllow(outcome, { code: 'no_effect', message });
  });
}

/**
 * The outcome of a recheck. A hook that rewrites the input again has failed: the other hooks have not seen what it wrote, and asking them once more
 * could go on forever. The failure denies, whatever `onError` is. A deny counts as it is.
 */
export function outcomeOfRecheck(outcome: HookOutcome, hook: HookDefinition, event: HookEvent): HookOutcome {
  const recheck: HookOutcome = { ...outcome, recheck: true };
  if (!isObeyed(outcome) || verdictOf(outcome.output?.decision) === 'deny') return recheck;
  const left = leftBy(outcome, event);
  if (isSameInput(left, event)) return recheck;
  const { rewrites } = eventEntry(event.eventName);
  const changes = rewrites.flatMap(({ path, target }) => changedValues(path, valueAt(event.input, target), valueAt(left.input, target)));
  const paths = [...new Set(changes.map(({ path }) => path))];
  const message = `${describeHook(hook)} was asked about a rewritten input and rewrote it again (${paths.join(', ')}). Let it leave an input alone that needs no change, or set "recheck": false if it never denies.`;
  const { output, ...rest } = recheck;
  const stop: { output?: HookOutput } = output?.continue === false ? { output: stopOf(output) } : {};
  return { ...rest, ...stop, status: 'failed', warnings: [{ code: 'unstable_rewrite', message }, ...outcome.warnings] };
}

function stopOf({ stopReason }: HookOutput): HookOutput {
  return { continue: false, ...(stopReason === undefined ? {} : { stopReason }) };
}

/** The event as this hook alone would have left it. */
function leftBy(outcome: HookOutcome, event: HookEvent): HookEvent {
  let input: unknown = event.input;
  for (const rewrite of eventEntry(event.eventName).rewrites) {
    if (!writes(event.eventName, outcome, rewrite)) continue;
    const before = valueAt(input, rewrite.target);
    const patch = outcome.output?.hookSpecificOutput?.[rewrite.field];
    input = withValueAt(input, rewrite.target, composeRewrite(rewrite, patch, { before, shown: before, writtenBefore: false }));
  }
  return input === event.input ? event : { ...event, input: input as HookEvent['input'] };
}

/** Whether all values that hooks may rewrite are the same. */
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
