/** The maximum depth of recursion, which real events do not reach. Deeper values are copied without recursion. */
const maxDepth = 200;

/** Thrown for deeper values. Recursion would overflow the stack on them, and would never end in an object that contains itself. */
const isTooDeep = Symbol('too deep');

/**
 * Returns a copy of plain data, so that a handler can change its event without side effects: the copy shares no mutable value with the
 * original, at any depth. `structuredClone` was rejected: every handler of every event receives a copy, and for a small object it takes
 * twenty times as long. Other values (a Date, a Map) are cloned by the platform; if that fails, their fields are copied. Functions are not
 * copied. If a getter throws, the copy throws the same error.
 */
export function copyPlain<Value>(value: Value): Value {
  try {
    return copy(value, 0) as Value;
  } catch (error) {
    if (error !== isTooDeep) throw error;
    return copyStepwise(value) as Value;
  }
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw isTooDeep;
  if (Array.isArray(value)) {
    const items = new Array(value.length);
    for (let index = 0; index < value.length; index += 1) items[index] = copy(value[index], depth + 1);
    return items;
  }
  if (!isPlain(value)) return cloned(value) ?? copyStepwise(value);
  // A spread copies all fields at once, and keeps a field called `__proto__` a field. The loop below only replaces values.
  const fields: Record<string, unknown> = { ...value };
  // Object.entries() was rejected, because creating its arrays takes longer than copying a small object.
  for (const key in fields) {
    const field = fields[key];
    if (typeof field === 'object') fields[key] = copy(field, depth + 1);
  }
  return fields;
}

/** Copies deep values and values that contain themselves. It uses no recursion, and records the objects that it has copied. */
function copyStepwise(value: unknown): unknown {
  const copies = new Map<object, unknown>();
  const open: { readonly source: object; readonly target: Record<PropertyKey, unknown> }[] = [];
  const copyOf = (original: unknown, isOutermost: boolean): unknown => {
    if (typeof original !== 'object' || original === null) return original;
    const known = copies.get(original);
    if (known !== undefined) return known;
    // The outermost value is not cloned by the platform, because this function is called for it only after that has failed.
    const clone = isOutermost || Array.isArray(original) || isPlain(original) ? undefined : cloned(original);
    const target = clone ?? (Array.isArray(original) ? [] : {});
    copies.set(original, target);
    if (clone === undefined) open.push({ source: original, target: target as Record<PropertyKey, unknown> });
    return target;
  };
  const result = copyOf(value, true);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { source, target } = next;
    for (const key of Object.keys(source)) {
      const field = copyOf((source as Record<string, unknown>)[key], false);
      Object.defineProperty(target, key, { value: field, enumerable: true, writable: true, configurable: true });
    }
  }
  return result;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function cloned(value: object): object | undefined {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}
