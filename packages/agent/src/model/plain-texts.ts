import { isPlainObject, tagOf } from '@tenterhook/runtime/json';
import { withFields } from '../translators/fields.js';

/**
 * Returns a request or a response of an SDK in which each text is a string. The SDK sends it as JSON, in which a `String` object and an
 * object with `toJSON` become plain values. But translators look only for strings, so hooks would not see the text in such an object. An
 * object that contains neither is returned unchanged. Bytes, dates and URLs are kept too, because hooks do not read them as text, and some
 * SDKs accept them.
 *
 * A complete copy was rejected, because objects of SDKs have parts that JSON does not have: signals, functions, instances with private
 * fields.
 */
export function withPlainTexts<Value>(value: Value): Value {
  // An instance of a class is read only if it is the outermost object, which is the SDK's own request or response.
  return read(value, new Map(), true) as Value;
}

/** `known` maps each object to its result, or to itself while its fields are being read, so that reading a cycle ends. */
function read(value: unknown, known: Map<object, unknown>, isOutermost = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (known.has(value)) return known.get(value);
  known.set(value, value);
  try {
    known.set(value, readObject(value, known, isOutermost));
  } catch {
    // A getter or a `toJSON` is code of the caller. If it throws here, it throws again when the value is sent.
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
    // Any other JSON is left alone: a message of a class may have one that no SDK is sent, such as the form in which it is stored.
    if (typeof json === 'string') return json;
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => read(item, known));
    return items.every((item, place) => Object.is(item, value[place])) ? value : items;
  }
  if (!isOutermost && !isPlain(value)) return value;
  return withFields(value, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item, known)])));
}

/** Whether an object has no class. Plain objects of other realms are recognised too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return isPlainObject(value) && (prototype === null || Object.getPrototypeOf(prototype) === null);
}
