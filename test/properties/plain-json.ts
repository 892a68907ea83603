import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * Where a value is not what it would be behind a wire: a field that is `undefined`, a number that JSON does not have, an object of a class.
 * Not by writing and reading it again: most comparisons take `undefined` and a field that is not there for the same.
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
