import { isPlainObject } from '@tenterhook/runtime/json';

/** Deeper values are not read, and functions that call themselves for each level must not run out of stack. */
const deepest = 500;

/** Copies a value with everything below 500 levels replaced by a sentence. A value that is not that deep is returned as it is. */
export function cutDeep(value: unknown): unknown {
  return isDeep(value, 0) ? cut(value, 0) : value;
}

function isDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= deepest || Object.values(value).some((item) => isDeep(item, depth + 1));
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return `… What is nested deeper than ${deepest} levels is not shown.`;
  if (Array.isArray(value)) return value.map((item) => cut(item, depth + 1));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, depth + 1)]));
}
