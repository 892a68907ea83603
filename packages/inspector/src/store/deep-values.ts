import { hasMoreLevels, mostLevels } from '@tenterhook/recording/internal';
import { isPlainObject } from '@tenterhook/runtime/json';

/** Copies a value with everything below 500 levels replaced by a sentence. A value that is not that deep is returned as it is. */
export function cutDeep(value: unknown): unknown {
  return hasMoreLevels(value, mostLevels) ? cut(value, 0) : value;
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= mostLevels) return `… What is nested deeper than ${mostLevels} levels is not shown.`;
  if (Array.isArray(value)) return value.map((item) => cut(item, depth + 1));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, depth + 1)]));
}
