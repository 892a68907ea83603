import { eventEntry, type HookEvent, type HookOutcome, type HookWarning, type Rewrite } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { leftBy } from './recheck.js';
import { valueAt, writes } from './rewrites.js';
import { isOwnText, sharedPart } from './shared-part.js';
import { writtenPaths } from './written-paths.js';

/** A rewrite of a hook, and the event that the hook received. */
export interface EarlierRewrite {
  readonly outcome: HookOutcome;
  readonly shown: HookEvent;
}

/**
 * The outcome of a second run with the rewrite that the hook made from other data (`earlier`): it finds nothing in the current data, which a
 * hook of a lower level wrote. These may lack only the words that the hook looks for, so they are rejected. The rewrite of the hook is used,
 * but without what is no longer in the current data, because the lower level may have taken it out. So nothing that one of them removed is
 * passed on. A text that has nothing of the data, such as the reason of a deny that removed them, is used unchanged.
 */
export function withKeptRewrite(outcome: HookOutcome, earlier: EarlierRewrite, current: HookEvent): HookOutcome {
  const written = eventEntry(current.eventName).rewrites.filter((rewrite) => writes(current.eventName, earlier.outcome, rewrite));
  if (written.length === 0) return outcome;
  const hasFound = writtenPaths(earlier.outcome, earlier.shown).length > 0;
  // Data that the hook returned unchanged are not what it left.
  const kept = written.map((rewrite) => [rewrite.field, hasFound ? keptPatch(rewrite, earlier, current) : undefined]);
  const hookSpecificOutput = { ...outcome.output?.hookSpecificOutput, ...Object.fromEntries(kept) };
  const message = `A hook of a lower level replaced data that hook ${outcome.hookId} had rewritten. Hook ${outcome.hookId} was run again on the new data and rewrote nothing. Its first rewrite is used, without the parts that the lower level removed. What the lower level added is dropped.`;
  const warnings: HookWarning[] = hasFound ? [{ code: 'rewrite_kept', message }] : [];
  return { ...outcome, output: { ...outcome.output, hookSpecificOutput }, warnings: [...outcome.warnings, ...warnings] };
}

function keptPatch({ rule, target }: Rewrite, { outcome, shown }: EarlierRewrite, current: HookEvent): unknown {
  const [before, left, now] = [shown, leftBy(outcome, shown), current].map(({ input }) => valueAt(input, target));
  if (isOwnText(left, before)) return left;
  // Of model data a hook rewrites single fields. The others are those of the current data.
  if ((rule !== 'llm-request' && rule !== 'llm-response') || !isPlainObject(left) || !isPlainObject(now)) return sharedPart(left, now);
  const changed = Object.keys(left).filter((key) => !isSameJson(left[key], isPlainObject(before) ? before[key] : undefined));
  return Object.fromEntries(changed.filter((key) => Object.hasOwn(now, key)).map((key) => [key, sharedPart(left[key], now[key])]));
}
