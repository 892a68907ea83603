/** Deeper than any event that means something. */
const maxDepth = 200;

/** Thrown by what is deeper. Going on from there would end, and take for ever: an object that holds itself twice has 2^200 ways down. */
const isTooDeep = Symbol('too deep');

/**
 * A copy of plain data, so that a handler that changes what it is given harms nobody. Written by hand because every handler of every event
 * gets one, and structuredClone takes twenty times as long for a small object. What is no plain data (a Date, a Map) is cloned by the
 * platform, and what cannot be cloned (a function) is handed on as it is.
 */
export function copyPlain<Value>(value: Value): Value {
  try {
    return copy(value, 0) as Value;
  } catch (error) {
    if (error !== isTooDeep) throw error;
    // The platform's own copy knows circles.
    return clone(value as object) as Value;
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
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return clone(value);
  // Spread first: the platform copies all fields in one go, and one that is called `__proto__` stays a field, here and below.
  const fields: Record<string, unknown> = { ...value };
  // Not Object.entries(): its arrays cost more than the copy of a small object.
  for (const key in fields) {
    const field = fields[key];
    if (typeof field === 'object') fields[key] = copy(field, depth + 1);
  }
  return fields;
}

function clone(value: object): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
