import type { HookWarning } from './outcome.js';

/**
 * The maximum nesting depth of an output field. Real answers are less deep. The limit exists because later code reads the fields
 * recursively.
 */
const maxDepth = 256;

/** If a level of nesting has more values than this, its duplicates are removed. */
const maxHolders = 100_000;

/**
 * Returns why a hook's output field cannot have this value: it is nested too deeply, or JSON cannot represent it. Returns undefined
 * if the value is usable. The value is searched level by level, because recursion could overflow the stack. Only objects and lists
 * are put into a level. Numbers and texts are checked at once, because a list may contain millions of them.
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
    // An object of a program may contain itself, or one object many times, so levels could grow without end. Duplicates are removed
    // only from a large level, because building a set takes time.
    level = next.length > maxHolders ? [...new Set(next)] : next;
  }
  return { code: 'too_deep', message: `${path} is nested deeper than ${maxDepth} levels. It was dropped.` };
}

/**
 * Returns the warning for a number such as 1e999. JavaScript reads it as `Infinity`, which would become `null` in the JSON for the
 * next hook.
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
