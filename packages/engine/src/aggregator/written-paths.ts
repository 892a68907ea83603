import { eventEntry, type HookEvent, type HookOutcome } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { type Standing, writtenValues } from './changed-values.js';
import { composeRewrite, valueAt } from './compose-rewrite.js';
import { writes } from './written-rewrites.js';

/**
 * Returns the paths that the hook rewrites if it receives this event. Values that the hook returns unchanged are not rewritten. If the
 * hook changes a part of a tool's result, the whole result counts as rewritten. Otherwise another hook could add something to the result
 * that this hook has not seen, such as an error.
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

/**
 * Whether two results are equal. If a hook returns only the text for the model, `returnDisplay` becomes this text too. That does not
 * count as a difference.
 */
function isSameResult(after: unknown, shown: unknown): boolean {
  if (isSameJson(after, shown)) return true;
  if (!isPlainObject(after) || !isPlainObject(shown)) return false;
  const [{ returnDisplay, ...rest }, { returnDisplay: _, ...old }] = [after, shown];
  return isSameJson(rest, old) && isSameJson(returnDisplay, rest['llmContent']);
}
