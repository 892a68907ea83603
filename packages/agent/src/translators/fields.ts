import { isPlainObject } from '@tenterhook/runtime/json';

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an object of an SDK. Empty for every other value. */
export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}

/** Returns the items of a list. Empty for every other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the fields of each item of a list. */
export function fieldsOfAll(value: unknown): readonly Fields[] {
  return listOf(value).map(fieldsOf);
}

/**
 * Returns a copy with these fields, or the same object if it already has these values. `undefined` removes a field. A spread was rejected,
 * because an SDK's response may be an instance of a class with getters and non-enumerable fields, which a spread loses.
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
    // The copy belongs to the caller, so it is writable even if the original is frozen.
    if ('value' in descriptor) Object.assign(descriptor, { writable: true, configurable: true });
  }
  return Object.create(Object.getPrototypeOf(value), descriptors) as Value;
}

/** Whether two lists have the same items, compared by identity. */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, place) => item === b[place]);
}
