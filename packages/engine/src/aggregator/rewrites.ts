import {
  type Change,
  eventEntry,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  type HookToolConfig,
  type Rewrite,
} from '@tenterhook/protocol';
import { levelOf } from '@tenterhook/protocol/internal';
import { isSameJson } from '@tenterhook/runtime/json';
import { keyOfOutcome, rankOf } from '../outcome/hook-key.js';
import { isObeyed } from '../outcome/outcome.js';
import { changedValues, type Standing, writtenValues } from './changed-values.js';
import { composeRewrite, valueAt, withValueAt } from './compose-rewrite.js';
import { isOwnText } from './shared-part.js';
import { selectionOfAll, type ToolSelections, withSelection } from './tool-selection.js';
import { withIgnoredRewrites, writes } from './written-rewrites.js';

/** The state of an event during its plan: the rewritten input, the rewrites, and the outcomes so far. */
export interface PlanState {
  readonly event: HookEvent;
  readonly outcomes: readonly HookOutcome[];
  readonly changes: readonly Change[];
  /** What the hooks of each level selected, on the event that selects tools. */
  readonly selections?: ToolSelections;
}

/**
 * Applies the rewrites of the hooks of one stage, which all received the same event. The rewrites are applied in plan order, whichever hook
 * ended first (field failure 69). On events where hooks may redact data, hooks of lower levels come first, e.g. a repository's hooks before
 * the user's hooks. If two hooks write different values to one path, the later value is used, and its hook gets a warning. A value that a
 * hook returns unchanged is not a write.
 */
export function applyRewrites(state: PlanState, stageOutcomes: readonly HookOutcome[]): PlanState {
  return applyStage(state, stageOutcomes, false).state;
}

/** The state after a stage. If two rewrites conflict, only one of them is applied. */
export interface UnopposedRewrites {
  readonly state: PlanState;
  /** The keys (`keyOfOutcome`) of the hooks whose rewrites were left out, in the order in which they must be run again. */
  readonly opposed: readonly string[];
}

/**
 * Applies the rewrites of one stage that do not conflict. If two rewrites conflict, the rewrite by the hook of the lower level is applied,
 * e.g. by a repository's hook. The other hook must then be run again on the new value. There are two exceptions:
 * - A hook denied, and the text that it wrote shares no word with the data, such as "removed". Its rewrite is applied, because this text
 *   must not depend on what another hook left.
 * - The failure of a hook denies (`failedClosed`), so no data may be passed on. All rewrites are applied, and the one that removes the data
 *   comes last.
 */
export function applyUnopposed(state: PlanState, stageOutcomes: readonly HookOutcome[]): UnopposedRewrites {
  return applyStage(state, stageOutcomes, !stageOutcomes.some(({ failedClosed }) => failedClosed));
}

function applyStage(state: PlanState, stageOutcomes: readonly HookOutcome[], leavesConflicts: boolean): UnopposedRewrites {
  // Most hooks only decide. Rewrites and context are in `hookSpecificOutput`.
  if (stageOutcomes.every(({ output }) => output?.hookSpecificOutput === undefined)) {
    const { event, changes, outcomes, selections } = state;
    const next = { event, changes, outcomes: [...outcomes, ...stageOutcomes] };
    return { state: selections === undefined ? next : { ...next, selections }, opposed: [] };
  }
  let event = state.event;
  const { eventName } = event;
  const { rewrites } = eventEntry(eventName);
  const changes = [...state.changes];
  const written = new Map<string, { readonly by: HookOutcome; readonly value: unknown }>();
  const opposed: string[] = [];
  let selections: ToolSelections = state.selections ?? new Map();
  const apply = (outcome: HookOutcome): HookOutcome => {
    const conflicts = new Set<string>();
    let isLeftOut = false;
    // The input that this hook received, together with the fields that it has written so far.
    let shownInput: unknown = state.event.input;
    for (const [place, rewrite] of rewrites.entries()) {
      if (!writes(eventName, outcome, rewrite)) continue;
      const patch = outcome.output?.hookSpecificOutput?.[rewrite.field];
      const [before, shown] = [valueAt(event.input, rewrite.target), valueAt(shownInput, rewrite.target)];
      const standing: Standing = { before, shown };
      let after = composeRewrite(rewrite, patch, standing);
      if (rewrite.rule === 'tool-config') {
        selections = withSelection(selections, levelOf(outcome), patch as HookToolConfig, isSameJson(patch, shown));
        after = selectionOfAll(selections);
      }
      const values = writtenValues(rewrite, patch, standing, after);
      for (const [path, value] of values) {
        const other = written.get(path);
        if (other !== undefined && other.by !== outcome && !outcome.failedClosed && !isSameJson(other.value, value)) {
          conflicts.add(`${path} (also written by ${other.by.hookId})`);
        }
      }
      const isFinal = () => outcome.status === 'blocked' && isOwnText(composeRewrite(rewrite, patch, { before: shown, shown }), shown);
      isLeftOut = leavesConflicts && conflicts.size > 0 && !isFinal();
      if (isLeftOut) continue;
      for (const [path, value] of values) written.set(path, { by: outcome, value });
      for (const change of changedValues(rewrite.path, before, after)) changes.push({ ...change, hookId: outcome.hookId });
      event = { ...event, input: withValueAt(event.input, rewrite.target, after) as HookEvent['input'] };
      if (rewrites.slice(place + 1).some(({ path }) => path === rewrite.path)) {
        const alone = before === shown ? after : composeRewrite(rewrite, patch, { ...standing, before: shown });
        shownInput = withValueAt(shownInput, rewrite.target, alone);
      }
    }
    if (conflicts.size === 0) return withIgnoredRewrites(eventName, outcome);
    if (isLeftOut) opposed.push(keyOfOutcome(outcome));
    return withConflict(outcome, [...conflicts], isLeftOut);
  };
  const read = new Map(inOrderOfWriting(eventName, stageOutcomes).map((outcome) => [outcome, apply(outcome)]));
  const outcomes = stageOutcomes.map((outcome) => read.get(outcome) as HookOutcome);
  const next = { event: outcomes.reduce(withContext, event), changes, outcomes: [...state.outcomes, ...outcomes] };
  return { state: selections.size === 0 ? next : { ...next, selections }, opposed };
}

/**
 * Returns the outcomes in the order in which they are applied. This is the plan order, with these exceptions:
 * - On events where hooks may redact data, hooks of higher levels come later, so that their values replace those of lower levels. Within a
 *   level, hooks that deny come later.
 * - Hooks whose failure denies (`failedClosed`) come last on all events, so that the data that they withhold stay withheld.
 */
function inOrderOfWriting(eventName: HookEventName, outcomes: readonly HookOutcome[]): HookOutcome[] {
  const redacts = eventEntry(eventName).redacts === true;
  const place = (outcome: HookOutcome) => (redacts ? rankOf(outcome) : 0);
  const failure = ({ failedClosed }: HookOutcome) => Number(failedClosed === true);
  const denial = ({ status }: HookOutcome) => Number(redacts && status === 'blocked');
  return [...outcomes].sort((one, other) => failure(one) - failure(other) || place(one) - place(other) || denial(one) - denial(other));
}

/** Returns the final values of all rewritten fields, under their names in the merged `hookSpecificOutput`. */
export function effectiveRewrites(state: PlanState): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const rewrite of eventEntry(state.event.eventName).rewrites) {
    if (isWritten(state.event.eventName, state.outcomes, rewrite)) values[rewrite.finalField] = valueAt(state.event.input, rewrite.target);
  }
  return values;
}

/** Whether a hook wrote the field, even if it wrote the same value. */
function isWritten(eventName: HookEventName, outcomes: readonly HookOutcome[], rewrite: Rewrite): boolean {
  return outcomes.some((outcome) => writes(eventName, outcome, rewrite));
}

/** Appends the context of the hook to the prompt, after a blank line (decision 18). */
function withContext(event: HookEvent, outcome: HookOutcome): HookEvent {
  // The context that a hook returns in a second run is ignored.
  const context = isObeyed(outcome) && !outcome.recheck ? outcome.output?.hookSpecificOutput?.['additionalContext'] : undefined;
  if (typeof context !== 'string' || context === '') return event;
  return { ...event, contextSoFar: event.contextSoFar === undefined ? context : `${event.contextSoFar}\n\n${context}` };
}

function withConflict(outcome: HookOutcome, places: readonly string[], isRunAgain: boolean): HookOutcome {
  const { hookId } = outcome;
  const what = isRunAgain
    ? `${hookId} is run again on that value. To avoid the second run, configure the hooks to run one after the other.`
    : `The value of ${hookId} is used, because ${hookId} is later in the order of hooks. If one hook needs the rewrite of the other, configure them to run one after the other.`;
  const message = `Hook ${hookId} ran in parallel with a hook that wrote another value to ${places.join(', ')}. ${what}`;
  return { ...outcome, warnings: [...outcome.warnings, { code: 'rewrite_conflict', message }] };
}
