import { escapeUnseen } from '@tenterhook/runtime/text';
import { alignLists } from './align-lists.js';

/** The maximum number of lines of one diff, and of characters of one line. */
const mostLines = 12;
const longestLine = 200;
/** Longer texts are compared only at their beginning. */
const mostCompared = 500;

/** Returns the lines of a value, escaped: those of a text, or those of its JSON. None if there is no value. */
export function linesOf(value: unknown): string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  return text.split('\n', mostCompared).map((line) => {
    const escaped = escapeUnseen(line);
    return escaped.length > longestLine ? `${escaped.slice(0, longestLine)}…` : escaped;
  });
}

/** Returns the changed lines of two values, removed ones with `–` and added ones with `+`. */
export function formatLines(before: unknown, after: unknown): string[] {
  const [was, is] = [linesOf(before), linesOf(after)];
  const changed = alignLists(was, is).flatMap(([one, other]) => {
    if (one !== undefined && other !== undefined) return [];
    return one === undefined ? [`  + ${is[other as number]}`] : [`  – ${was[one]}`];
  });
  // Lines that differ only after their visible beginning.
  if (changed.length === 0) return ['  the texts differ only in parts that are not shown'];
  return changed.length <= mostLines ? changed : [...changed.slice(0, mostLines), `  … ${changed.length - mostLines} more lines`];
}
