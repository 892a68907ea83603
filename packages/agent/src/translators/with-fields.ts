/**
 * A copy with these fields, or the very same object when it has all these values already; `undefined` takes a field away.
 * Not a spread: an SDK's response can be a class with getters, and carries its request id in a field that is not enumerable.
 */
export function withFields<Value extends object>(value: Value, fields: Readonly<Record<string, unknown>>): Value {
  const changed = Object.entries(fields).filter(([key, field]) => !Object.is((value as Record<string, unknown>)[key], field));
  if (changed.length === 0) return value;
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(value);
  for (const [key, field] of changed) {
    if (field === undefined) delete descriptors[key];
    else descriptors[key] = { value: field, enumerable: true };
  }
  for (const key of Reflect.ownKeys(descriptors)) {
    const descriptor = descriptors[key as string]!;
    // The copy of a frozen object is the caller's own, and not frozen: this object, not what is in it. What it holds of the original is the
    // original's own. What it holds of a hook's answer is no frozen part of a result, because `callModelWithHooks` hands translators a clone.
    if ('value' in descriptor) Object.assign(descriptor, { writable: true, configurable: true });
  }
  return Object.create(Object.getPrototypeOf(value), descriptors) as Value;
}
