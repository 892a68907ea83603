/** The maximum depth of recursion, far above that of real events. Deeper values are copied without recursion. */
const maxDepth = 200;

/** Thrown to leave the recursion. Recursion could overflow the stack, and would never end for an object that contains itself. */
const isTooDeep = Symbol('too deep');

/**
 * Returns a copy of plain data that shares no mutable value with the original, so that a handler can change its event.
 * `structuredClone` was rejected: every handler of every event receives a copy, and for a small object `structuredClone` takes
 * twenty times as long. Other values (a Date, a Map) are cloned by the platform. If that fails, their fields are copied. Functions
 * are not copied. Throws what a getter throws.
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
  // The spread copies a field called `__proto__` like any other field, without setting the prototype. The loop below only replaces
  // values of existing fields.
  const fields: Record<string, unknown> = { ...value };
  // Object.entries() was rejected: creating its arrays takes longer than copying a small object.
  for (const key in fields) {
    const field = fields[key];
    if (typeof field === 'object') fields[key] = copy(field, depth + 1);
  }
  return fields;
}

/** Copies deep values, and values that contain themselves. It uses no recursion, and records which objects are already copied. */
function copyStepwise(value: unknown): unknown {
  const copies = new Map<object, unknown>();
  const open: { readonly source: object; readonly target: Record<PropertyKey, unknown> }[] = [];
  const copyOf = (original: unknown, isOutermost: boolean): unknown => {
    if (typeof original !== 'object' || original === null) return original;
    const known = copies.get(original);
    if (known !== undefined) return known;
    // Cloning the outermost value by the platform was tried before and failed.
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
