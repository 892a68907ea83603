import { isPlainObject, tagOf } from '@tenterhook/runtime/json';
import { withFields } from '../translators/fields.js';

/**
 * Returns a request or a response in which each text is a primitive string. When an SDK writes JSON, a `String` object and an object with
 * `toJSON` become strings. Translators look only for primitive strings, so hooks would not see these texts. A value without such objects
 * is returned unchanged. Bytes, dates and URLs stay as they are.
 *
 * A copy of everything was rejected, because objects of SDKs have parts that JSON cannot represent, such as signals, functions and
 * private fields.
 */
export function withPlainTexts<Value>(value: Value): Value {
  // The outermost object may be an instance of a class, because SDKs have classes for requests and responses. Instances inside of it are
  // not read.
  return read(value, new Map(), true) as Value;
}

/**
 * `known` maps each object to its result. An object whose fields are still being read is mapped to itself, so that an object that
 * contains itself does not cause an endless loop.
 */
function read(value: unknown, known: Map<object, unknown>, isOutermost = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (known.has(value)) return known.get(value);
  known.set(value, value);
  try {
    known.set(value, readObject(value, known, isOutermost));
  } catch {
    // A getter or a `toJSON` of the caller threw. It will throw again when the value is sent, and is reported then.
  }
  return known.get(value);
}

const keptKinds: readonly string[] = ['Date', 'URL'];

function readObject(value: object, known: Map<object, unknown>, isOutermost: boolean): unknown {
  const tag = tagOf(value);
  if (tag === 'String' || tag === 'Number' || tag === 'Boolean') return value.valueOf();
  if (ArrayBuffer.isView(value) || keptKinds.includes(tag)) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') {
    const json = read(toJSON.call(value, ''), known);
    // Only a text replaces the object. Other results of `toJSON` may be meant for storage, and an SDK never sends them.
    if (typeof json === 'string') return json;
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => read(item, known));
    return items.every((item, place) => Object.is(item, value[place])) ? value : items;
  }
  if (!isOutermost && !isPlain(value)) return value;
  return withFields(value, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item, known)])));
}

/** Whether an object has no class. Works for plain objects of other realms too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return isPlainObject(value) && (prototype === null || Object.getPrototypeOf(prototype) === null);
}
