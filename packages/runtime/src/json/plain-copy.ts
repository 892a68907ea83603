import { describeThrown } from '../text/describe.js';
import { pathText } from './plain-json.js';

/** A copy as plain JSON. If there is none, the path of the value that prevents it, what that value is, and what to send in its place. */
export type PlainCopy =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly path: string; readonly message: string };

/**
 * The maximum nesting depth of what hooks are shown. No useful value reaches it. Programs cannot read much deeper JSON: jq 1.6 reads 256
 * levels, the library of Python about 1000, and an event and a format add some levels of their own. A guard that cannot read its input may
 * still end with 0, for example if jq is in the condition of an `if`.
 */
export const maxShownDepth = 200;

/**
 * Copies a value as plain JSON. The copy equals the JSON of the value, so that programs that read the JSON, and code that gets the copy,
 * see the same. Each field is read only once, so accessors, proxies and later changes cannot make the two differ. Undefined fields, fields
 * with symbols as keys, and inherited fields are left out, as in JSON. `path` is the path of the value itself, for the message.
 *
 * There is no copy of a value that JSON would lose or change: an infinite number (null in JSON), a Map or an error (`{}`), bytes, an object
 * with a `toJSON`, a function. `JSON.parse(JSON.stringify(value))` was rejected, because it changes all of these silently.
 */
export function copyPlainJson(value: unknown, path: readonly PropertyKey[] = []): PlainCopy {
  try {
    return { ok: true, value: copy(value, path) };
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return { ok: false, path: error.path, message: error.message };
  }
}

/** Ends the walk. It never leaves this file. */
class NotPlain extends Error {
  readonly path: string;

  constructor(path: readonly PropertyKey[], message: string) {
    super(message);
    this.path = shortPathText(path);
  }
}

/** An object whose fields are being copied. A list of them is the path from the outermost value to the field that is copied now. */
interface Open {
  readonly source: object;
  readonly keys: readonly PropertyKey[];
  /** The number of keys that are done. */
  done: number;
  readonly target: object;
}

/** Copies without recursion, which would overflow the stack on deep values that JSON can still write. */
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
    // Not an assignment: a key `__proto__` must stay a key.
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
      // Minus zero is written as zero.
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

/** Reads a part of a value. An accessor or a trap of a proxy is code of the caller and may throw. */
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

/**
 * Returns why an object has no copy, and what to send in its place. Undefined for a list, and for an object whose fields are its whole
 * content, which can be copied.
 */
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

/**
 * Returns the kind of an object as `Object.prototype.toString` names it: `Map`, `Error`, `String`. It also works for objects of another
 * realm, for which `instanceof` fails.
 */
export function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Names the class of an object for a message, with its article: `A Map`. The name is bounded. */
export function kindOf(value: object): string {
  const name: unknown = value.constructor?.name;
  const kind = typeof name === 'string' && name !== '' ? shorten(name) : 'object';
  return `${/^[AEIOaeio]/.test(kind) ? 'An' : 'A'} ${kind}`;
}

/** Formats a path like `pathText`, and bounds it, because keys are text of the sender. */
export function shortPathText(path: readonly PropertyKey[]): string {
  return shorten(pathText(path.slice(0, 8)));
}

/** Keys and texts of the sender may have any length. */
function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
