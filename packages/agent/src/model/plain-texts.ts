import { isPlainObject, tagOf } from '@tenterhook/runtime/json';
import { withFields } from '../translators/fields.js';

/**
 * Returns a request or an answer in which each text is a string. SDKs send JSON, in which a `String` object and an object with a `toJSON`
 * are what their value is; a translator looks for strings, so hooks would not be shown such a text. What has none of these stays the same
 * object. Bytes, dates and URLs stay too: they are not texts that hooks read, and some SDKs accept them as they are.
 *
 * A copy of the whole was rejected. Objects of SDKs have parts that are no JSON: signals, functions, instances with private fields.
 */
export function withPlainTexts<Value>(value: Value): Value {
  // Of an instance of a class only the outermost is read, because it is the SDK's own request or answer.
  return read(value, new Map(), true) as Value;
}

/** `known` has the result of each object, or the object itself while its fields are read, which ends cycles. */
function read(value: unknown, known: Map<object, unknown>, isOutermost = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (known.has(value)) return known.get(value);
  known.set(value, value);
  try {
    known.set(value, readObject(value, known, isOutermost));
  } catch {
    // A getter or a `toJSON` is code of the caller. If it throws, it will throw again where the value is sent.
  }
  return known.get(value);
}

const keptKinds: readonly string[] = ['Date', 'URL'];

function readObject(value: object, known: Map<object, unknown>, isOutermost: boolean): unknown {
  const tag = tagOf(value);
  if (tag === 'String' || tag === 'Number' || tag === 'Boolean') return value.valueOf();
  if (ArrayBuffer.isView(value) || keptKinds.includes(tag)) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return read(toJSON.call(value, ''), known);
  if (Array.isArray(value)) {
    const items = value.map((item) => read(item, known));
    return items.every((item, place) => Object.is(item, value[place])) ? value : items;
  }
  if (!isOutermost && !isPlain(value)) return value;
  return withFields(value, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item, known)])));
}

/** Whether an object is a literal, of any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return isPlainObject(value) && (prototype === null || Object.getPrototypeOf(prototype) === null);
}
