import { eventEntry, type HookEvent, type HookOutcome, type HookWarning, type Rewrite } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { valueAt } from './compose-rewrite.js';
import { leftBy } from './recheck.js';
import { isOwnText, sharedPart } from './shared-part.js';
import { writtenPaths } from './written-paths.js';
import { writes } from './written-rewrites.js';

/** A rewrite that a hook made in its first run, and the event that the hook then received. */
export interface EarlierRewrite {
  readonly outcome: HookOutcome;
  readonly shown: HookEvent;
}

/**
 * Adds the first rewrite of a hook (`earlier`) to the outcome of its second run, in which the hook rewrote nothing.
 *
 * The hook was run a second time, because a hook of a lower level, such as one of a repository, had overwritten its rewrite. The new data
 * may still contain the secret, but without the words by which the hook finds the secret. So the first rewrite is used, without the parts
 * that are missing in the new data. Then nothing is passed on that one of the two hooks removed. If the first rewrite shares no word with
 * the data, such as the reason of a deny, it is used unchanged.
 */
export function withKeptRewrite(outcome: HookOutcome, earlier: EarlierRewrite, current: HookEvent): HookOutcome {
  const written = eventEntry(current.eventName).rewrites.filter((rewrite) => writes(current.eventName, earlier.outcome, rewrite));
  if (written.length === 0) return outcome;
  const hasFound = writtenPaths(earlier.outcome, earlier.shown).length > 0;
  // If the hook returned the data unchanged in its first run, there is no rewrite to keep.
  const kept = written.map((rewrite) => [rewrite.field, hasFound ? keptPatch(rewrite, earlier, current) : undefined]);
  const hookSpecificOutput = { ...outcome.output?.hookSpecificOutput, ...Object.fromEntries(kept) };
  const message = `Hook ${outcome.hookId} rewrote data, and a hook of a lower level replaced them. Hook ${outcome.hookId} ran again on the new data and rewrote nothing. So its first rewrite is used, without the parts that the other hook removed. What the other hook added is dropped.`;
  const warnings: HookWarning[] = hasFound ? [{ code: 'rewrite_kept', message }] : [];
  return { ...outcome, output: { ...outcome.output, hookSpecificOutput }, warnings: [...outcome.warnings, ...warnings] };
}

function keptPatch({ rule, target }: Rewrite, { outcome, shown }: EarlierRewrite, current: HookEvent): unknown {
  const [before, left, now] = [shown, leftBy(outcome, shown), current].map(({ input }) => valueAt(input, target));
  if (isOwnText(left, before)) return left;
  // In model data a hook rewrites single fields. The other fields come from the current data.
  if ((rule !== 'llm-request' && rule !== 'llm-response') || !isPlainObject(left) || !isPlainObject(now)) return sharedPart(left, now);
  const changed = Object.keys(left).filter((key) => !isSameJson(left[key], isPlainObject(before) ? before[key] : undefined));
  return Object.fromEntries(changed.filter((key) => Object.hasOwn(now, key)).map((key) => [key, sharedPart(left[key], now[key])]));
}
