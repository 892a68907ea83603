/** A difference between two JSON values. A value that is missing is undefined. */
export interface JsonChange {
  /** `tool_input.edits[2].text`. Empty for the whole value. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** More differences than this help no reader. */
const mostChanges = 1_000;
const deepest = 100;

/**
 * Compares two JSON values by path, in the order of their keys. Of arrays the same beginning and the same end are left out, and what
 * remains is compared by index. The best alignment of arrays was rejected: it takes quadratic time, and hooks rarely insert.
 */
export function diffJsonValues(before: unknown, after: unknown): JsonChange[] {
  const changes: JsonChange[] = [];
  compare(before, after, '', changes, 0);
  return changes;
}

function compare(before: unknown, after: unknown, path: string, changes: JsonChange[], depth: number): void {
  if (changes.length >= mostChanges || Object.is(before, after)) return;
  if (depth < deepest && Array.isArray(before) && Array.isArray(after)) {
    compareArrays(before, after, path, changes, depth);
  } else if (depth < deepest && isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const key of keys) compare(own(before, key), own(after, key), pathOf(path, key), changes, depth + 1);
  } else if (!isEqual(before, after)) {
    changes.push({ path, before, after });
  }
}

function compareArrays(before: readonly unknown[], after: readonly unknown[], path: string, changes: JsonChange[], depth: number): void {
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && isEqual(before[first], after[first])) first += 1;
  let rest = 0;
  while (rest < shorter - first && isEqual(before[before.length - 1 - rest], after[after.length - 1 - rest])) rest += 1;
  const longest = Math.max(before.length, after.length) - rest;
  for (let index = first; index < longest; index += 1) {
    const one = index < before.length - rest ? before[index] : undefined;
    const other = index < after.length - rest ? after[index] : undefined;
    compare(one, other, `${path}[${index}]`, changes, depth + 1);
  }
}

function isEqual(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || JSON.stringify(one) === JSON.stringify(other);
}

/** A key may be `__proto__`, which every object seems to have. */
function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function pathOf(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
