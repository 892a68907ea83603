import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that every event of a client carries, or what gives them at each event. */
export type ClientFields = Fields | (() => Fields);

/** Throws a TypeError for what is neither. */
export function requireFields(fields: unknown): void {
  if (fields === undefined || typeof fields === 'function' || isPlainObject(fields)) return;
  throw new TypeError(`createHookClient: fields must be an object, or a function that gives one, not ${JSON.stringify(fields)}.`);
}

/**
 * The input with the fields of its client behind it. What is no input stays none, so that it is refused as before. Throws where the function
 * throws, or gives no object: hooks that are shown less than they decide by would decide as if there were nothing to see.
 */
export function withClientFields(fields: ClientFields | undefined, input: Fields): Fields {
  if (fields === undefined || !isPlainObject(input)) return input;
  const own: unknown = typeof fields === 'function' ? fields() : fields;
  if (!isPlainObject(own) || typeof own['then'] === 'function')
    throw new TypeError('it gave no object; give one at once, without a promise');
  return { ...own, ...omitUndefined(input) };
}
