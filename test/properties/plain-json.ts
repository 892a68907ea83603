import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * Returns the path where JSON would change a value: a field that is `undefined`, a number that JSON does not have, an instance of a class.
 * Writing and reading the value was rejected: most comparisons treat `undefined` and a missing field as equal.
 */
export function notPlainJson(value: unknown, path = ''): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path}: ${value}`;
  const entries = Array.isArray(value) ? [...value.entries()] : isPlainObject(value) ? Object.entries(value) : undefined;
  if (entries === undefined) return `${path}: ${typeof value}`;
  for (const [key, item] of entries) {
    const found = notPlainJson(item, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
