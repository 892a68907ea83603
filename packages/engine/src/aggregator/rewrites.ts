import {
  type Change,
  eventEntry,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  type Rewrite,
  verdictOf,
} from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { isObeyed } from '../outcome/outcome.js';
import { changedValues, ownValue, writtenValues } from './changed-values.js';
import { composeRewrite, isComposable, isPresent, type Standing } from './compose-rewrite.js';

/** An event half way through its plan: the input as rewritten so far, who rewrote it, and what has been answered. */
export interface PlanState {
  readonly event: HookEvent;
  readonly outcomes: readonly HookOutcome[];
  readonly changes: readonly Change[];
}

/**
 * Composes what the hooks of one stage returned onto the event, in plan order whatever the order in which they ended
 * (field failure 69). Two hooks of one stage that write different values to one place: the later counts, and says so. All of them were
 * shown the event as it stands before the stage; what a hook returns as it was shown it has not written.
 */
export function applyRewrites(state: PlanState, stageOutcomes: readonly HookOutcome[]): PlanState {
  let event = state.event;
  const { eventName } = event;
  const { rewrites } = eventEntry(eventName);
  const changes = [...state.changes];
  const written = new Map<string, { readonly hookId: string; readonly value: unknown }>();
  const outcomes = stageOutcomes.map((outcome, index) => {
    const earlier = [...state.outcomes, ...stageOutcomes.slice(0, index)];
    const conflicts = new Set<string>();
    // The event as this hook alone would have left it: what it was shown, with what it wrote in the fields before.
    let shownInput: unknown = state.event.input;
    for (const [place, rewrite] of rewrites.entries()) {
      if (!writes(eventName, outcome, rewrite)) continue;
      const patch = outcome.output?.hookSpecificOutput?.[rewrite.field];
      const [before, shown] = [valueAt(event.input, rewrite.target), valueAt(shownInput, rewrite.target)];
      const standing: Standing = { before, shown, writtenBefore: isWritten(eventName, earlier, rewrite) };
      const after = composeRewrite(rewrite, patch, standing);
      for (const [path, value] of writtenValues(rewrite, patch, standing, after)) {
        const other = written.get(path);
        if (other !== undefined && other.hookId !== outcome.hookId && !isSameJson(other.value, value)) {
          conflicts.add(`${path} (also written by ${other.hookId})`);
        }
        written.set(path, { hookId: outcome.hookId, value });
      }
      for (const change of changedValues(rewrite.path, before, after)) changes.push({ ...change, hookId: outcome.hookId });
      event = { ...event, input: withValueAt(event.input, rewrite.target, after) as HookEvent['input'] };
      if (rewrites.slice(place + 1).some(({ path }) => path === rewrite.path)) {
        const alone = before === shown ? after : composeRewrite(rewrite, patch, { ...standing, before: shown });
        shownInput = withValueAt(shownInput, rewrite.target, alone);
      }
    }
    event = withContext(event, outcome);
    return conflicts.size === 0 ? withIgnoredRewrites(eventName, outcome) : withConflict(outcome, [...conflicts]);
  });
  return { event, changes, outcomes: [...state.outcomes, ...outcomes] };
}

/** The effective values of everything that was rewritten, under the names of the final `hookSpecificOutput`. */
export function effectiveRewrites(state: PlanState): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const rewrite of eventEntry(state.event.eventName).rewrites) {
    if (isWritten(state.event.eventName, state.outcomes, rewrite)) values[rewrite.finalField] = valueAt(state.event.input, rewrite.target);
  }
  return values;
}

/** Whether what the outcome says of the field counts; of a failure that was closed it is its dialect's word, and not the hook's. */
function writes(eventName: HookEventName, outcome: HookOutcome, rewrite: Rewrite): boolean {
  const counts = isObeyed(outcome) || outcome.failedClosed === true;
  return counts && !isDenied(eventName, outcome) && isComposable(rewrite, outcome.output?.hookSpecificOutput?.[rewrite.field]);
}

/**
 * Whether the hook kept the operation from being carried out: then there is nothing left that its rewrite could be of, as with exit code
 * 2 (decision 3). Where a deny undoes nothing it does count: what it takes out of a result is gone (decisions 63 and 67).
 */
function isDenied(eventName: HookEventName, outcome: HookOutcome): boolean {
  return eventEntry(eventName).may.block === true && verdictOf(outcome.output?.decision) === 'deny';
}

/** Whether any of the hooks wrote the field; also to the value that stood there, which is no change. */
function isWritten(eventName: HookEventName, outcomes: readonly HookOutcome[], rewrite: Rewrite): boolean {
  return outcomes.some((outcome) => writes(eventName, outcome, rewrite));
}

/** A blank line between them, as between the prompt and the first: each is appended to what the hook before it saw (decision 18). */
function withContext(event: HookEvent, outcome: HookOutcome): HookEvent {
  const context = isObeyed(outcome) ? outcome.output?.hookSpecificOutput?.['additionalContext'] : undefined;
  if (typeof context !== 'string' || context === '') return event;
  return { ...event, contextSoFar: event.contextSoFar === undefined ? context : `${event.contextSoFar}\n\n${context}` };
}

function withIgnoredRewrites(eventName: HookEventName, outcome: HookOutcome): HookOutcome {
  if (!isObeyed(outcome)) return outcome;
  const specific = outcome.output?.hookSpecificOutput ?? {};
  if (!isDenied(eventName, outcome)) return withMalformedRewrites(eventName, outcome, specific);
  const fields = eventEntry(eventName)
    .rewrites.filter((rewrite) => isComposable(rewrite, specific[rewrite.field]))
    .map(({ field }) => field);
  // Outcomes that came back in the details of a failed request have been here before.
  if (fields.length === 0 || outcome.warnings.some(({ code }) => code === 'rewrite_ignored')) return outcome;
  const message = `The hook denied ${eventName}; its ${fields.join(', ')} is not applied.`;
  return { ...outcome, warnings: [...outcome.warnings, { code: 'rewrite_ignored', message }] };
}

/** Most dialects have checked what a hook printed; whatever another adapter hands over must not be lost without a word either. */
function withMalformedRewrites(eventName: HookEventName, outcome: HookOutcome, specific: Record<string, unknown>): HookOutcome {
  const malformed = eventEntry(eventName).rewrites.filter((rewrite) => {
    return isPresent(specific[rewrite.field]) && !isComposable(rewrite, specific[rewrite.field]);
  });
  const messages = malformed.map(({ field }) => `hookSpecificOutput.${field} is not what this field takes; it is not applied.`);
  const fresh = messages.filter((message) => outcome.warnings.every((warning) => warning.message !== message));
  if (fresh.length === 0) return outcome;
  return { ...outcome, warnings: [...outcome.warnings, ...fresh.map((message) => ({ code: 'wrong_type', message }))] };
}

function withConflict(outcome: HookOutcome, places: readonly string[]): HookOutcome {
  const message = `Hook ${outcome.hookId} ran side by side with a hook that wrote another value to ${places.join(', ')}; the value of ${outcome.hookId} counts, because it comes later in plan order. Let them run one after the other to chain them.`;
  return { ...outcome, warnings: [...outcome.warnings, { code: 'rewrite_conflict', message }] };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(ownValue, value);
}

function withValueAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const base = isPlainObject(value) ? value : {};
  return { ...base, [key]: withValueAt(base[key], rest, replacement) };
}
