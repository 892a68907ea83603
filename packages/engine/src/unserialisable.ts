import { pathText } from '@tenterhook/protocol';

/** Deeper than any input that means something; what looks deeper would run out of stack, here and in whoever reads it. */
const maxDepth = 1000;

/** Where a value stops being JSON: JSON.stringify says that it failed and not where (field failure 36). */
export function findUnserialisable(
  value: unknown,
  path: readonly PropertyKey[] = [],
  ancestors: readonly unknown[] = [],
): { path: string; message: string } | undefined {
  const problem = (message: string) => ({ path: pathText(path.slice(0, 8)), message });
  if (typeof value === 'bigint') return problem(`A BigInt (${value}n) cannot be written as JSON; send a number or a text.`);
  if (typeof value !== 'object' || value === null) return undefined;
  if (ancestors.includes(value)) return problem('The value contains itself and cannot be written as JSON.');
  if (ancestors.length >= maxDepth) return problem(`The value is nested deeper than ${maxDepth} levels; send something flatter.`);
  for (const [key, child] of Object.entries(value)) {
    const found = findUnserialisable(child, [...path, Array.isArray(value) ? Number(key) : key], [...ancestors, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}
