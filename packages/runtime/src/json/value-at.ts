import { isPlainObject } from './plain-object.js';

/** The value at a path into nested objects; undefined where a key is missing. Only own properties count: a key may come from a document. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}
