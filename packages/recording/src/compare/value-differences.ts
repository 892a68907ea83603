import { isPlainObject } from '@tenterhook/runtime/json';

/** A place where two values differ. A side without a value is absent. */
export interface ValueDifference {
  /** For example `output.verdict.kind`. */
  readonly path: string;
  readonly recorded?: unknown;
  readonly now?: unknown;
}

/** Compares normalised values. Objects are compared without regard to the order of their keys, and lists in order. */
export function findDifferences(recorded: unknown, now: unknown, path = ''): ValueDifference[] {
  if (Object.is(recorded, now)) return [];
  const bothLists = Array.isArray(recorded) && Array.isArray(now);
  if (!bothLists && !(isPlainObject(recorded) && isPlainObject(now))) return [difference(path, recorded, now)];
  const [before, after] = [recorded, now] as unknown as [Record<string, unknown>, Record<string, unknown>];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const at = path === '' ? key : `${path}.${key}`;
    return findDifferences(own(before, key), own(after, key), at);
  });
}

function difference(path: string, recorded: unknown, now: unknown): ValueDifference {
  return { path, ...(recorded === undefined ? {} : { recorded }), ...(now === undefined ? {} : { now }) };
}

/** A key of a recording may be `constructor`. */
function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
