import { eventEntry, type HookEvent, type HookOutcome, type Rewrite } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { leftBy } from './recheck.js';
import { valueAt, writes } from './rewrites.js';
import { sharedPart } from './shared-part.js';
import { opinionOf } from './verdict.js';

/** A rewrite of a hook, and the event that the hook received. */
export interface EarlierRewrite {
  readonly outcome: HookOutcome;
  readonly shown: HookEvent;
}

/**
 * The outcome of a second run that found nothing in what a hook of a lower level wrote over the hook's rewrite. That value was rejected: it
 * may lack only the words that the hook looks for. The earlier rewrite is used, but without what is no longer in the current data, because
 * the lower level may have taken it out. So nothing that one of them removed is passed on. After a deny, which removed the data, the
 * earlier rewrite is used unchanged.
 */
export function withKeptRewrite(outcome: HookOutcome, earlier: EarlierRewrite, current: HookEvent): HookOutcome {
  const written = eventEntry(current.eventName).rewrites.filter((rewrite) => writes(current.eventName, earlier.outcome, rewrite));
  const kept = written.map((rewrite) => [rewrite.field, keptPatch(rewrite, earlier, current)]);
  const hookSpecificOutput = { ...outcome.output?.hookSpecificOutput, ...Object.fromEntries(kept) };
  const message = `Hook ${outcome.hookId} found nothing in what a hook of a lower level wrote over its rewrite. Its own rewrite is used, without what the lower level took out, and nothing that the lower level added.`;
  return {
    ...outcome,
    output: { ...outcome.output, hookSpecificOutput },
    warnings: [...outcome.warnings, { code: 'rewrite_kept', message }],
  };
}

function keptPatch({ field, rule, target }: Rewrite, { outcome, shown }: EarlierRewrite, current: HookEvent): unknown {
  if (opinionOf(outcome).kind === 'deny') return outcome.output?.hookSpecificOutput?.[field];
  const [before, left, now] = [shown, leftBy(outcome, shown), current].map(({ input }) => valueAt(input, target));
  // Of model data a hook rewrites single fields. The others are those of the current data.
  if ((rule !== 'llm-request' && rule !== 'llm-response') || !isPlainObject(left) || !isPlainObject(now)) return sharedPart(left, now);
  const changed = Object.keys(left).filter((key) => !isSameJson(left[key], isPlainObject(before) ? before[key] : undefined));
  return Object.fromEntries(changed.filter((key) => Object.hasOwn(now, key)).map((key) => [key, sharedPart(left[key], now[key])]));
}
