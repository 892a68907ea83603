import { describeThrown } from '../text/describe.js';
import { pathText } from './plain-json.js';

/**
 * The result of copying a value as plain JSON. If the value cannot be copied, `path` is the path of the part that JSON cannot represent,
 * and `message` says what to send instead.
 */
export type PlainCopy =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly path: string; readonly message: string };

/**
 * The maximum nesting depth of what hooks receive. Real values are less deep. Many programs cannot read deeper JSON: jq 1.6 reads 256
 * levels, and the fields of the event around the value need some of them. A guard that cannot read its input may still exit with 0 and so
 * allow the call.
 */
export const maxShownDepth = 200;

/**
 * Copies a value as plain JSON. The copy equals the JSON of the value. Undefined fields, symbol keys and inherited fields are left out.
 * Each field is read only once, so that accessors, proxies and later changes cannot change the copy. `path` is the path of `value` in its
 * document. Paths in messages begin with it.
 *
 * Values that JSON would lose or change are refused: infinite numbers, Maps, errors, bytes, functions, objects with a `toJSON`.
 * `JSON.parse(JSON.stringify(value))` was rejected, because it changes them silently.
 */
export function copyPlainJson(value: unknown, path: readonly PropertyKey[] = []): PlainCopy {
  try {
    return { ok: true, value: copy(value, path) };
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return { ok: false, path: error.path, message: error.message };
  }
}

/** Thrown to end the copying of a value that JSON cannot represent. Always caught in this file. */
class NotPlain extends Error {
  readonly path: string;

  constructor(path: readonly PropertyKey[], message: string) {
    super(message);
    this.path = shortPathText(path);
  }
}

/** An object whose fields are being copied. */
interface Open {
  readonly source: object;
  readonly keys: readonly PropertyKey[];
  /** The number of keys that are done. */
  done: number;
  readonly target: object;
}

/** Copies without recursion. Recursion would overflow the stack on deep values. */
function copy(value: unknown, path: readonly PropertyKey[]): unknown {
  const opened: Open[] = [];
  const above = new Set<object>();
  const here = () => [...path, ...opened.map(({ keys, done }) => keys[done - 1] as PropertyKey)];
  const copyOne = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return copyPrimitive(item, here);
    if (above.has(item))
      throw new NotPlain(here(), 'The value contains itself and cannot be written as JSON. Send a copy without the cycle.');
    if (opened.length >= maxShownDepth)
      throw new NotPlain(here(), `The value is nested deeper than ${maxShownDepth} levels. Send a flatter value.`);
    const next: Open = { source: item, keys: keysOf(item, here), done: 0, target: Array.isArray(item) ? [] : {} };
    above.add(item);
    opened.push(next);
    return next.target;
  };
  const copied = copyOne(value);
  for (let last = opened.at(-1); last !== undefined; last = opened.at(-1)) {
    const key = last.keys[last.done];
    if (key === undefined) {
      above.delete(last.source);
      opened.pop();
      continue;
    }
    last.done += 1;
    const { source, target } = last;
    const item = reading(here, () => (source as Readonly<Record<PropertyKey, unknown>>)[key]);
    if (item === undefined && !Array.isArray(source)) continue;
    // An assignment was rejected: with the key `__proto__` it would change the prototype and add no key.
    Object.defineProperty(target, key, { value: copyOne(item), writable: true, enumerable: true, configurable: true });
  }
  return copied;
}

function copyPrimitive(value: unknown, here: () => readonly PropertyKey[]): unknown {
  switch (typeof value) {
    case 'object':
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // The addition changes minus zero to zero.
      if (Number.isFinite(value)) return value + 0;
      throw new NotPlain(here(), `The number ${value} cannot be written as JSON: it would become null. Send a finite number or a text.`);
    case 'bigint':
      throw new NotPlain(here(), `A BigInt (${shorten(`${value}n`)}) cannot be written as JSON. Send a number or a string.`);
    case 'undefined':
      throw new NotPlain(here(), 'An undefined value cannot be written as JSON: in a list it would become null. Send null.');
    default:
      throw new NotPlain(here(), `A ${typeof value} cannot be written as JSON. Leave it out.`);
  }
}

function keysOf(value: object, here: () => readonly PropertyKey[]): readonly PropertyKey[] {
  return reading(here, () => {
    const remedy = remedyFor(value);
    if (remedy !== undefined) throw new NotPlain(here(), `${kindOf(value)} ${remedy}`);
    return Array.isArray(value) ? Array.from({ length: value.length }, (_, index) => index) : Object.keys(value);
  });
}

/** Reads a part of a value. Getters and proxies run code of the caller, which may throw. */
function reading<Part>(here: () => readonly PropertyKey[], read: () => Part): Part {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotPlain) throw error;
    const reason = shorten(describeThrown(error));
    throw new NotPlain(here(), `The value cannot be written as JSON, because reading it failed: ${reason}`);
  }
}

/** Remedies by the tag of an object. */
const remedies: Readonly<Record<string, string>> = {
  Map: 'cannot be written as JSON. Send a plain object.',
  Set: 'cannot be written as JSON. Send a list.',
  ArrayBuffer: 'cannot be written as JSON. Send a text, for example in base64.',
  SharedArrayBuffer: 'cannot be written as JSON. Send a text, for example in base64.',
  Error: 'cannot be written as JSON. Send its message.',
  String: 'is an object around a value. Send the value itself.',
  Number: 'is an object around a value. Send the value itself.',
  Boolean: 'is an object around a value. Send the value itself.',
};

/** Returns why an object cannot be copied, and what to send instead. Undefined for lists and plain objects, which can be copied. */
function remedyFor(value: object): string | undefined {
  const kind = tagOf(value);
  if (ArrayBuffer.isView(value)) return remedies['ArrayBuffer'];
  if (value instanceof Error) return remedies['Error'];
  if (Object.hasOwn(remedies, kind)) return remedies[kind];
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') {
    return 'with a toJSON function would be written as a different value. Send the value that toJSON returns.';
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain || Object.keys(value).length > 0
    ? undefined
    : 'cannot be written as JSON, because its content is hidden. Send plain JSON.';
}

/** Returns the kind of an object: `Map`, `Error`, `String`. Unlike `instanceof`, it also works for objects of another realm. */
export function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Returns the class of an object for a message, with its article: `A Map`. Long names are shortened. */
export function kindOf(value: object): string {
  const name: unknown = value.constructor?.name;
  const kind = typeof name === 'string' && name !== '' ? shorten(name) : 'object';
  return `${/^[AEIOaeio]/.test(kind) ? 'An' : 'A'} ${kind}`;
}

/** Formats a path like `pathText`, and shortens it, because the sender chooses the keys. */
export function shortPathText(path: readonly PropertyKey[]): string {
  return shorten(pathText(path.slice(0, 8)));
}

/** Keys and texts of the sender may have any length. */
function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
