import { pathText } from '@tenterhook/runtime/json';

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
  for (const key of Object.keys(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    const child = readAsJson(value, key);
    if ('failure' in child) {
      return {
        path: pathText(at.slice(0, 8)),
        message: `The value cannot be written as JSON, because reading it failed: ${child.failure}`,
      };
    }
    const found = findUnserialisable(child.value, at, [...ancestors, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** As JSON.stringify reads it: a getter and a `toJSON` are code of the sender, and may throw. */
function readAsJson(holder: object, key: string): { readonly value: unknown } | { readonly failure: string } {
  try {
    const value = (holder as Readonly<Record<string, unknown>>)[key];
    const toJson = typeof value === 'object' && value !== null ? (value as { readonly toJSON?: unknown }).toJSON : undefined;
    return { value: typeof toJson === 'function' ? toJson.call(value, key) : value };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
