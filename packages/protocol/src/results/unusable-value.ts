import type { HookWarning } from './outcome.js';

/** The maximum depth of a field. Real answers are never deeper. The limit is needed because code that reads them later is recursive. */
const maxDepth = 256;

/** The number of values on a level above which duplicates are removed. */
const maxHolders = 100_000;

/**
 * Why a value cannot be used, whatever its field accepts: it is too deep, or JSON cannot represent it. Undefined if it can be used. The
 * value is searched level by level, because recursion would overflow the stack on a deep value. Only non-empty objects and lists are put on
 * the next level, because a list may contain millions of numbers. On a large level duplicates are removed, because an object made by a
 * program may contain one object in many places, or itself.
 */
export function unusableValue(path: string, value: unknown): HookWarning | undefined {
  let level: readonly object[] = [[value]];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const next: object[] = [];
    for (const holder of level) {
      for (const item of Array.isArray(holder) ? holder : Object.values(holder)) {
        if (typeof item === 'number' && !Number.isFinite(item)) return infinite(path);
        if (typeof item === 'bigint') return wrongType(path, `a BigInt (${item}n), which JSON cannot represent`);
        if (typeof item === 'object' && item !== null && (depth === maxDepth || !isEmpty(item))) next.push(item);
      }
    }
    if (next.length === 0) return undefined;
    // Only a large level is put into a set to remove duplicates, because a set is slow with millions of values. A value that was parsed
    // from text has no duplicates; a value that contains one object in many places would grow from level to level.
    level = next.length > maxHolders ? [...new Set(next)] : next;
  }
  return { code: 'too_deep', message: `${path} is nested deeper than ${maxDepth} levels. It was dropped.` };
}

/**
 * A number that is too large is an error and is not kept as `Infinity`, which would become `null` in the JSON for the next hook or another
 * process.
 */
function infinite(path: string): HookWarning {
  return wrongType(path, 'a number that is too large, such as 1e999');
}

function wrongType(path: string, what: string): HookWarning {
  return { code: 'wrong_type', message: `${path} contains ${what}. It was dropped.` };
}

function isEmpty(holder: object): boolean {
  if (Array.isArray(holder)) return holder.length === 0;
  for (const _field in holder) return false;
  return true;
}
