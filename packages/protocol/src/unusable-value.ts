import type { HookWarning } from './outcome.js';

/** How deep a field may be nested: deeper is no answer a person would write, and later code recurses over it. */
const maxDepth = 256;

/**
 * Why a value cannot be passed on, whatever its field takes; undefined when it can. A level at a time and without recursion, which is what
 * a value that is too deep would break; only what holds something is put on the next level, because a list may hold millions of numbers.
 * Once a level, because an object that a program made may hold one thing in many places, or itself.
 */
export function unusableValue(path: string, value: unknown): HookWarning | undefined {
  let level: Iterable<object> = [[value]];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const next = new Set<object>();
    for (const holder of level) {
      for (const item of Array.isArray(holder) ? holder : Object.values(holder)) {
        if (typeof item === 'number' && !Number.isFinite(item)) return infinite(path);
        if (typeof item === 'bigint') return wrongType(path, `a BigInt (${item}n), which cannot be written as JSON`);
        if (typeof item === 'object' && item !== null) next.add(item);
      }
    }
    if (next.size === 0) return undefined;
    level = next;
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
