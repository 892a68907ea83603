import {
  type Change,
  eventEntry,
  type HookEvent,
  type HookOutcome,
  type HookToolConfig,
  isPlainObject,
  type LLMRequest,
  type LLMResponse,
  mergeLlmRequest,
  mergeLlmResponse,
  mergeToolConfig,
  type Rewrite,
} from '@tenterhook/protocol';
import { isObeyed } from '../outcome-status.js';
import { changedValues, isTooWide, ownValue, sameJson } from './changed-values.js';

/** An event half way through its plan: the input as rewritten so far, who rewrote it, and what has been answered. */
export interface PlanState {
  readonly event: HookEvent;
  readonly outcomes: readonly HookOutcome[];
  readonly changes: readonly Change[];
}

/**
 * Composes what the hooks of one stage returned onto the event, in plan order whatever the order in which they ended
 * (field failure 69). Two hooks of one stage that write different values to one place: the later counts, and says so.
 */
export function applyRewrites(state: PlanState, stageOutcomes: readonly HookOutcome[]): PlanState {
  let event = state.event;
  const changes = [...state.changes];
  const written = new Map<string, WrittenValue>();
  const outcomes = stageOutcomes.map((outcome, index) => {
    const specific = rewritingOutput(outcome);
    if (specific === undefined) return outcome;
    const conflicts = new Set<string>();
    for (const rewrite of eventEntry(event.eventName).rewrites) {
      if (!isComposable(rewrite, specific[rewrite.field])) continue;
      const before = valueAt(event.input, rewrite.target);
      const after = compose(
        rewrite,
        before,
        specific[rewrite.field],
        isWritten([...state.outcomes, ...stageOutcomes.slice(0, index)], rewrite),
      );
      for (const [path, value] of rewrite.rule === 'tool-config' ? [] : writtenValues(rewrite, specific[rewrite.field], after)) {
        const earlier = written.get(path);
        if (earlier !== undefined && earlier.hookId !== outcome.hookId && !sameJson(earlier.value, value)) {
          conflicts.add(`${path} (also written by ${earlier.hookId})`);
        }
        written.set(path, { hookId: outcome.hookId, value });
      }
      for (const change of changedValues(rewrite.path, before, after)) changes.push({ ...change, hookId: outcome.hookId });
      event = { ...event, input: withValueAt(event.input, rewrite.target, after) as HookEvent['input'] };
    }
    const context = specific['additionalContext'];
    if (typeof context === 'string' && context !== '') {
      event = { ...event, contextSoFar: event.contextSoFar === undefined ? context : `${event.contextSoFar}\n${context}` };
    }
    return conflicts.size === 0 ? outcome : withConflict(outcome, [...conflicts]);
  });
  return { event, changes, outcomes: [...state.outcomes, ...outcomes] };
}

/** The effective values of everything that was rewritten, under the names of the final `hookSpecificOutput`. */
export function effectiveRewrites(state: PlanState): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const rewrite of eventEntry(state.event.eventName).rewrites) {
    if (isWritten(state.outcomes, rewrite)) values[rewrite.finalField] = valueAt(state.event.input, rewrite.target);
  }
  return values;
}

function rewritingOutput(outcome: HookOutcome): Record<string, unknown> | undefined {
  return isObeyed(outcome) ? outcome.output?.hookSpecificOutput : undefined;
}

/** Whether any of the hooks wrote the field; also to the value that stood there, which is no change. */
function isWritten(outcomes: readonly HookOutcome[], rewrite: Rewrite): boolean {
  return outcomes.some((outcome) => isComposable(rewrite, rewritingOutput(outcome)?.[rewrite.field]));
}

interface WrittenValue {
  readonly hookId: string;
  readonly value: unknown;
}

/** What a hook wrote, a place at a time, also where it wrote what was there already: that, too, is its word on the value. */
function writtenValues(rewrite: Rewrite, patch: unknown, after: unknown): [path: string, value: unknown][] {
  if (rewrite.rule === 'replace' || !isPlainObject(patch) || isTooWide(patch)) return [[rewrite.path, after]];
  return Object.entries(patch).flatMap(([key, value]): [string, unknown][] => {
    const path = `${rewrite.path}.${key}`;
    return key === 'config' && isPlainObject(value)
      ? Object.entries(value).map(([name, each]) => [`${path}.${name}`, each])
      : [[path, value]];
  });
}

/** A dialect's adapter that hands over something else must not take the answers of the other hooks with it (decision 34). */
function isComposable(rewrite: Rewrite, patch: unknown): boolean {
  const isAnyValue = rewrite.rule === 'tool-output' || (rewrite.rule === 'replace' && rewrite.path === 'prompt');
  return isAnyValue ? patch !== undefined && patch !== null : isPlainObject(patch);
}

function compose(rewrite: Rewrite, before: unknown, patch: unknown, writtenBefore: boolean): unknown {
  switch (rewrite.rule) {
    case 'replace':
      return patch;
    case 'merge':
      return isPlainObject(before) && isPlainObject(patch) ? { ...before, ...patch } : patch;
    case 'llm-request':
      return mergeLlmRequest((before ?? {}) as LLMRequest, patch as LLMRequest);
    case 'llm-response':
      return mergeLlmResponse((before ?? {}) as LLMResponse, patch as LLMResponse);
    // Names are united across hooks, not with what the request came with: a list that restricts could else only ever widen.
    case 'tool-config':
      return mergeToolConfig(writtenBefore ? (before as HookToolConfig | undefined) : undefined, patch as HookToolConfig);
    // A redacted text must not leave the original behind in what the user is shown.
    case 'tool-output':
      return isPlainObject(patch)
        ? patch
        : {
            ...(isPlainObject(before) && before['error'] !== undefined ? { error: before['error'] } : {}),
            llmContent: patch,
            returnDisplay: patch,
          };
  }
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
