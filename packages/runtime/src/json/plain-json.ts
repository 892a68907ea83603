/** Tests whether a value is a JSON object: not null, and not an array. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As `isPlainObject`, but false for a `Map`, whose entries are not fields and so would be ignored. */
export function hasFields(value: unknown): value is object {
  return isPlainObject(value) && !(Symbol.iterator in value);
}

export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]));
}

/**
 * Returns the value at a path into nested objects, or undefined if a key is missing. Inherited properties are ignored: a key may
 * come from a document and be `constructor`.
 */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

/** Formats a path into a document for messages, e.g. `hooks.BeforeTool[1]["a b"]`. Returns `''` for an empty path. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key);
    if (!/^[\w$-]+$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Returns a copy without the fields whose value is undefined. Such a copy equals its own JSON, which has no `undefined`. */
export function omitUndefined<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

/**
 * Freezes plain data deeply and in place. Objects that are already frozen are skipped, so an object that contains itself does not
 * cause an endless loop. Class instances keep their class. If a proxy or a getter throws, the error is rethrown, and the objects
 * frozen up to then stay frozen.
 */
export function freezeDeeply<Value extends object>(value: Value): Value {
  freeze(value);
  return value;
}

function freeze(value: object): void {
  // Node throws if an ArrayBuffer view, such as a Buffer, is frozen.
  if (Object.isFrozen(value) || ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object' && item !== null) freeze(item);
    }
    return;
  }
  // `Object.keys()` was rejected: creating its array would take a tenth of the time of a request.
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === 'object' && item !== null && Object.hasOwn(value, key)) freeze(item);
  }
}
