import { isPlainObject } from '@tenterhook/runtime/json';

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object of an SDK; of anything else, none. */
export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}

/** The items of a list; of anything else, none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The items of a list, each read for its fields. */
export function fieldsOfAll(value: unknown): readonly Fields[] {
  return listOf(value).map(fieldsOf);
}
