import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';

/** An object of more keys is told as a whole: nobody reads a thousand lines of changes. */
const maxKeys = 1000;

/** A place whose value differs, named by its path. A side that has no value has no field: `undefined` would not survive a wire. */
export interface ChangedValue {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * What differs between two JSON values, a field at a time: `tool_input.path`, `llm_request.config.temperature`.
 * One level deep, and two for `config`: deeper paths would tell a reader less than the two values themselves.
 */
export function changedValues(path: string, before: unknown, after: unknown): ChangedValue[] {
  if (isSameJson(before, after)) return [];
  if (isTooWide(before) || isTooWide(after)) return [changed(path, before, after)];
  if (!isPlainObject(after) || !(before === undefined || isPlainObject(before))) return [changed(path, before, after)];
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [old, now] = [ownValue(before, key), ownValue(after, key)];
    if (isSameJson(old, now)) return [];
    return key === 'config' ? changedValues(`${path}.${key}`, old, now) : [changed(`${path}.${key}`, old, now)];
  });
}

function changed(path: string, before: unknown, after: unknown): ChangedValue {
  return { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** Whether an object has more keys than anybody reads. */
export function isTooWide(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length > maxKeys;
}

/** Never an inherited one: a hook may write `__proto__` or `constructor`, and what it would find there belongs to the whole program. */
export function ownValue(value: unknown, key: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
