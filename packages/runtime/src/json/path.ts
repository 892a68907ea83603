import { isPlainObject } from './plain-object.js';

/** The value at a path into nested objects; undefined where a key is missing. Only own properties count: a key may come from a document. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

/** A path into a document as messages and diagnostics show it: `hooks.BeforeTool[1]["a b"]`; empty for the document itself. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key);
    if (!/^[\w$-]+$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
