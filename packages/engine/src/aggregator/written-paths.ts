import { eventEntry, type HookEvent, type HookOutcome } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { type Standing, writtenValues } from './changed-values.js';
import { composeRewrite, valueAt, writes } from './rewrites.js';

/**
 * Returns the paths that the outcome rewrites, if the hook received this event. A hook that changes any part of a result replaces the
 * result as a whole: what another hook adds to it, such as an error, is not what this hook left. A hook that returns the data unchanged
 * rewrites nothing.
 */
export function writtenPaths(outcome: HookOutcome, event: HookEvent): string[] {
  const written = eventEntry(event.eventName).rewrites.filter((rewrite) => writes(event.eventName, outcome, rewrite));
  return written.flatMap((rewrite) => {
    const patch = outcome.output?.hookSpecificOutput?.[rewrite.field];
    const shown = valueAt(event.input, rewrite.target);
    const standing: Standing = { before: shown, shown };
    const after = composeRewrite(rewrite, patch, standing);
    if (rewrite.rule === 'tool-output') return isSameResult(after, shown) ? [] : [rewrite.path];
    return [...writtenValues(rewrite, patch, standing, after).keys()];
  });
}

/** Whether two results are equal. A hook that returns the text for the model has not changed it, although it is then also that for the user. */
function isSameResult(after: unknown, shown: unknown): boolean {
  if (isSameJson(after, shown)) return true;
  if (!isPlainObject(after) || !isPlainObject(shown)) return false;
  const [{ returnDisplay, ...rest }, { returnDisplay: _, ...old }] = [after, shown];
  return isSameJson(rest, old) && isSameJson(returnDisplay, rest['llmContent']);
}
