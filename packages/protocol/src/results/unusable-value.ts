import type { HookWarning } from './outcome.js';

/** How deep a field may be nested: deeper is no answer a person would write, and later code recurses over it. */
const maxDepth = 256;

/** More of them than a text of the largest size holds on a level would be worth looking at twice. */
const maxHolders = 100_000;

/**
 * Why a value cannot be passed on, whatever its field takes; undefined when it can. A level at a time and without recursion, which is what
 * a value that is too deep would break; only what holds something is put on the next level, because a list may hold millions of numbers.
 * Each thing once a level where there are many, because an object that a program made may hold one in many places, or itself.
 */
export function unusableValue(path: string, value: unknown): HookWarning | undefined {
  let level: readonly object[] = [[value]];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const next: object[] = [];
    for (const holder of level) {
      for (const item of Array.isArray(holder) ? holder : Object.values(holder)) {
        if (typeof item === 'number' && !Number.isFinite(item)) return infinite(path);
        if (typeof item === 'bigint') return wrongType(path, `a BigInt (${item}n), which cannot be written as JSON`);
        if (typeof item === 'object' && item !== null && (depth === maxDepth || !isEmpty(item))) next.push(item);
      }
    }
    if (next.length === 0) return undefined;
    // What holds one thing many times over grows from level to level; what was parsed cannot, and a set of millions is slow.
    level = next.length > maxHolders ? [...new Set(next)] : next;
  }
  return { code: 'too_deep', message: `${path} is nested deeper than ${maxDepth} levels; it was dropped.` };
}

/** Not kept as `Infinity`: written as JSON again, for the next hook or another process, it would be `null`. */
function infinite(path: string): HookWarning {
  return wrongType(path, 'a value that is too large for a number, such as 1e999');
}

function wrongType(path: string, what: string): HookWarning {
  return { code: 'wrong_type', message: `${path} holds ${what}; it was dropped.` };
}

function isEmpty(holder: object): boolean {
  if (Array.isArray(holder)) return holder.length === 0;
  for (const _field in holder) return false;
  return true;
}
