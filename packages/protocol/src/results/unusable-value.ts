import type { HookWarning } from './outcome.js';

/** The maximum depth of a field. No person writes a deeper answer, and later code recurses over it. */
const maxDepth = 256;

/** The number of values on a level above which duplicates are removed. */
const maxHolders = 100_000;

/**
 * Why a value cannot be used, whatever its field accepts: it is too deep, or JSON cannot represent it. Undefined if it can be used. The
 * value is walked level by level, because recursion would overflow the stack on a deep value. Only containers that are not empty are put on
 * the next level, because a list may hold millions of numbers. On a large level duplicates are removed, because an object made by a program
 * may hold one object in many places, or itself.
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
    // A value that holds one object in many places grows from level to level. Parsed text cannot grow in this way, so the usual level is
    // not put into a set, which is slow with millions of values.
    level = next.length > maxHolders ? [...new Set(next)] : next;
  }
  return { code: 'too_deep', message: `${path} is nested deeper than ${maxDepth} levels. It was dropped.` };
}

/** Such a number is not kept as `Infinity`: in the JSON for the next hook or another process it would become `null`. */
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
