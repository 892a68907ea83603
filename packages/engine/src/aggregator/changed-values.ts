import { isPlainObject } from '@tenterhook/protocol';

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
  if (sameJson(before, after)) return [];
  if (!isPlainObject(after) || !(before === undefined || isPlainObject(before))) return [changed(path, before, after)];
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [old, now] = [before?.[key], after[key]];
    if (sameJson(old, now)) return [];
    return key === 'config' ? changedValues(`${path}.${key}`, old, now) : [changed(`${path}.${key}`, old, now)];
  });
}

function changed(path: string, before: unknown, after: unknown): ChangedValue {
  return { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}
