import {
  type Change,
  eventEntry,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  type HookToolConfig,
  type LLMRequest,
  type LLMResponse,
  type Rewrite,
  verdictOf,
} from '@tenterhook/protocol';
import {
  levelOf,
  mergeLlmRequest,
  mergeLlmResponse,
  mergeToolConfig,
  toolConfigSchema,
  writtenFields,
} from '@tenterhook/protocol/internal';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { keyOfOutcome, rankOf } from '../outcome/hook-key.js';
import { isObeyed } from '../outcome/outcome.js';
import { changedValues, ownValue, type Standing, writtenValues } from './changed-values.js';
import { isOwnText } from './shared-part.js';
import { selectionOfAll, type ToolSelections, withSelection } from './tool-selection.js';

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

/**
 * Whether the outcome writes the field. A hook whose failure denies (`failedClosed`) may write it too: its dialect may have added a rewrite
 * that removes the data.
 */
export function writes(eventName: HookEventName, outcome: HookOutcome, rewrite: Rewrite): boolean {
  if (outcome.output === undefined) return false;
  const counts = isObeyed(outcome) || outcome.failedClosed === true;
  return counts && !isDenied(eventName, outcome) && isComposable(rewrite, outcome.output?.hookSpecificOutput?.[rewrite.field]);
}

/**
 * Whether the hook prevented the operation. If so, its rewrite is ignored, as after exit code 2 (decision 3). A deny after an operation
 * prevents nothing. In that case the rewrite is applied, because it may remove parts of a result (decisions 63 and 67).
 */
function isDenied(eventName: HookEventName, outcome: HookOutcome): boolean {
  return eventEntry(eventName).may.block === true && verdictOf(outcome.output?.decision) === 'deny';
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

function withIgnoredRewrites(eventName: HookEventName, outcome: HookOutcome): HookOutcome {
  if (!isObeyed(outcome)) return outcome;
  const specific = outcome.output?.hookSpecificOutput ?? {};
  if (!isDenied(eventName, outcome)) return withMalformedRewrites(eventName, outcome, specific);
  const fields = eventEntry(eventName)
    .rewrites.filter((rewrite) => isComposable(rewrite, specific[rewrite.field]))
    .map(({ field }) => field);
  // After a failed request the outcomes are aggregated a second time. They then already have the warning.
  if (fields.length === 0 || outcome.warnings.some(({ code }) => code === 'rewrite_ignored')) return outcome;
  const message = `The hook denied ${eventName}, so its ${fields.join(', ')} was not applied.`;
  return { ...outcome, warnings: [...outcome.warnings, { code: 'rewrite_ignored', message }] };
}

/**
 * Adds warnings for rewrites that cannot be applied. Most dialects check rewrites themselves. For the other dialects, this warning is the
 * only sign.
 */
function withMalformedRewrites(eventName: HookEventName, outcome: HookOutcome, specific: Record<string, unknown>): HookOutcome {
  const malformed = eventEntry(eventName).rewrites.filter((rewrite) => {
    return isPresent(specific[rewrite.field]) && !isComposable(rewrite, specific[rewrite.field]);
  });
  const messages = malformed.map(({ field }) => `The value of hookSpecificOutput.${field} is not valid. It was not applied.`);
  const fresh = messages.filter((message) => outcome.warnings.every((warning) => warning.message !== message));
  if (fresh.length === 0) return outcome;
  return { ...outcome, warnings: [...outcome.warnings, ...fresh.map((message) => ({ code: 'wrong_type' as const, message }))] };
}

function withConflict(outcome: HookOutcome, places: readonly string[], isRunAgain: boolean): HookOutcome {
  const { hookId } = outcome;
  const what = isRunAgain
    ? `${hookId} is run again on that value. To avoid the second run, configure the hooks to run one after the other.`
    : `The value of ${hookId} is used, because ${hookId} is later in the order of hooks. If one hook needs the rewrite of the other, configure them to run one after the other.`;
  const message = `Hook ${hookId} ran in parallel with a hook that wrote another value to ${places.join(', ')}. ${what}`;
  return { ...outcome, warnings: [...outcome.warnings, { code: 'rewrite_conflict', message }] };
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(ownValue, value);
}

export function withValueAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const base = isPlainObject(value) ? value : {};
  return { ...base, [key]: withValueAt(base[key], rest, replacement) };
}

/** Returns the value after one hook has written to it. */
export function composeRewrite(rewrite: Rewrite, patch: unknown, { before, shown }: Standing): unknown {
  switch (rewrite.rule) {
    case 'replace':
      return replaced(patch, before, shown);
    case 'merge':
      return isPlainObject(before) && isPlainObject(patch) ? { ...before, ...written(patch, before, shown) } : patch;
    case 'llm-request':
      return mergeLlmRequest((before ?? {}) as LLMRequest, patch as LLMRequest, (shown ?? {}) as LLMRequest);
    case 'llm-response':
      return mergeLlmResponse((before ?? {}) as LLMResponse, patch as LLMResponse, (shown ?? {}) as LLMResponse);
    // The selections of several hooks are merged by level (`selectionOfAll`). They are not merged with the list in the request. A union
    // with that list would only make it longer, so that hooks could not restrict it.
    case 'tool-config':
      return mergeToolConfig(undefined, patch as HookToolConfig);
    case 'tool-output':
      return isPlainObject(patch) ? replaced(patch, before, shown) : withOutputText(patch, before, shown);
  }
}

/**
 * Replaces a value. A field that the hook returned unchanged keeps its current value. If another hook has removed the field, it stays
 * removed.
 */
function replaced(patch: unknown, before: unknown, shown: unknown): unknown {
  if (before === shown) return patch;
  if (isSameJson(patch, shown)) return before;
  if (!isPlainObject(patch) || !isPlainObject(before)) return patch;
  const own = written(patch, before, shown);
  const fields = Object.keys(patch).filter((field) => Object.hasOwn(own, field) || Object.hasOwn(before, field));
  return Object.fromEntries(fields.map((field) => [field, Object.hasOwn(own, field) ? own[field] : before[field]]));
}

/**
 * Returns the fields that the hook changed. If no other hook has written, returns all fields, because then the unchanged ones do no harm.
 */
function written(patch: Record<string, unknown>, before: unknown, shown: unknown): Record<string, unknown> {
  return before === shown ? patch : writtenFields(patch, objectOf(shown));
}

/**
 * Sets the text of a result for the model and for the user, so that the user does not see what was removed either. An error remains an
 * error, but its message is replaced, because it often repeats what the tool printed.
 */
function withOutputText(text: unknown, before: unknown, shown: unknown): unknown {
  const [current, old] = [objectOf(before) ?? {}, objectOf(shown) ?? {}];
  if (before !== shown && isSameJson(text, old['llmContent'])) return before;
  const error = isPresent(current['error']) ? { error: { message: typeof text === 'string' ? text : replacedError } } : {};
  return { ...error, llmContent: text, returnDisplay: text };
}

/** The message of a failed tool's result after a hook replaced that result by something other than a text. */
const replacedError = 'The tool failed. A hook replaced its result.';

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isPlainObject(value) ? value : undefined;
}

/**
 * Whether a rewrite can be applied. If not, only this rewrite is left out (decision 34). Model data are not checked with the whole
 * schema. A rewrite that removes a secret must not be lost only because a `finishReason` is null.
 */
export function isComposable({ rule, path }: Rewrite, patch: unknown): boolean {
  if (rule === 'tool-output' || (rule === 'replace' && path === 'prompt')) return isPresent(patch);
  if (!isPlainObject(patch)) return false;
  switch (rule) {
    case 'llm-request':
      return !isPresent(patch['config']) || isPlainObject(patch['config']);
    case 'llm-response':
      return (patch['text'] === undefined || typeof patch['text'] === 'string') && isListOf(patch['candidates'], isCandidate);
    // An invalid mode has no rank, so it would replace even NONE.
    case 'tool-config':
      return toolConfigSchema.safeParse(patch).success;
    default:
      return true;
  }
}

/** Whether the field has a rewrite. A null value means that it has none. */
export function isPresent(patch: unknown): boolean {
  return patch !== undefined && patch !== null;
}

function isCandidate(candidate: unknown): boolean {
  const content = isPlainObject(candidate) ? candidate['content'] : undefined;
  return isPlainObject(content) && isListOf(content['parts'], (part) => typeof part === 'string' || isPlainObject(part));
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return !isPresent(value) || (Array.isArray(value) && value.every(isItem));
}
