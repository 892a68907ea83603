import { describeThrown } from '../text/describe.js';
import { pathText } from './plain-json.js';

/**
 * The result of copying a value as plain JSON. If JSON cannot represent a part of the value, `path` is the path of this part, and
 * `message` says what to send instead.
 */
export type PlainCopy =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly path: string; readonly message: string };

/**
 * The maximum nesting depth of values that hooks receive. Real values are less deep. The limit exists because many programs cannot
 * read deeper JSON: jq 1.6 reads 256 levels. A guard that cannot read its input may still exit with 0 and so allow the call. The
 * number is below 256 because the event around the value adds levels.
 */
export const maxShownDepth = 200;

/**
 * Copies a value as plain JSON: the copy is what `JSON.parse(JSON.stringify(value))` would return. Undefined fields, symbol keys
 * and inherited fields are left out. Each field of the copy comes from one read, so that accessors, proxies and later changes cannot
 * change it. `path` is the path of `value` in its document, and paths in messages begin with `path`.
 *
 * Values that JSON would lose or change are refused: infinite numbers, Maps, errors, bytes, functions, objects with a `toJSON`.
 * `JSON.parse(JSON.stringify(value))` was rejected, because it changes such values silently.
 */
export function copyPlainJson(value: unknown, path: readonly PropertyKey[] = []): PlainCopy {
  try {
    return { ok: true, value: copyUsualSafely(value) ?? copy(value, path) };
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return { ok: false, path: error.path, message: error.message };
  }
}

/** The depth to which values are copied by recursion. */
const usualDepth = 32;

/** An error of a getter is reported by `copy`, which knows the path. */
function copyUsualSafely(value: unknown): unknown {
  try {
    return copyUsual(value, 0);
  } catch {
    return undefined;
  }
}

/**
 * Copies what most values consist of: texts, numbers, lists and objects of this realm without symbols. Returns undefined if there is
 * anything else, which `copy` then reads with more care. It takes a tenth of the time of `copy`.
 */
function copyUsual(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value !== 'object' || depth === usualDepth || 'toJSON' in value || Object.getOwnPropertySymbols(value).length > 0) {
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype) return undefined;
    const items: unknown[] = [];
    // Read once, because the length of a proxy may grow with each read.
    const { length } = value;
    for (let index = 0; index < length; index += 1) {
      const item = copyUsual(value[index], depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
  // An error, bytes or an object around a text may have this prototype too.
  if (prototype !== Object.prototype || tagOf(value) !== 'Object' || ArrayBuffer.isView(value)) return undefined;
  // A spread reads each field once, and copies a field called `__proto__` like any other. So the assignments below change own fields.
  const fields: Record<string, unknown> = { ...value };
  for (const key of Object.keys(fields)) {
    const field = copyUsual(fields[key], depth + 1);
    if (field === undefined) return undefined;
    if (field !== fields[key] || field === 0) fields[key] = field;
  }
  return fields;
}

/** Thrown to end the copying of a value that JSON cannot represent. Always caught in this file. */
class NotPlain extends Error {
  readonly path: string;

  constructor(path: readonly PropertyKey[], message: string) {
    super(message);
    this.path = shortPathText(path);
  }
}

interface Open {
  readonly source: object;
  readonly keys: readonly PropertyKey[];
  /** How many of the keys are copied. */
  done: number;
  readonly target: object;
}

/** Uses a stack of its own: recursion would overflow the call stack on deep values. */
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
    // `target[key] = …` was rejected: with the key `__proto__` it would change the prototype and add no key.
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
      // `+ 0` changes minus zero to zero.
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

/** Calls `read`, which may run a getter or a proxy of the caller. What they throw becomes an error with a path. */
function reading<Part>(here: () => readonly PropertyKey[], read: () => Part): Part {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotPlain) throw error;
    const reason = shorten(describeThrown(error));
    throw new NotPlain(here(), `The value cannot be written as JSON, because reading it failed: ${reason}`);
  }
}

/** What to do, by the tag of the object. */
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
 * Returns why an object cannot be copied, and what to send instead. Returns undefined for lists and plain objects, because they can
 * be copied.
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
 * Returns the kind of an object, e.g. `Map`, `Error`, `String`. Unlike `instanceof`, it also works for objects of another realm,
 * e.g. of a `vm` context.
 */
export function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Returns the class of an object with its article, e.g. `A Map`. Long names are shortened. */
export function kindOf(value: object): string {
  const name: unknown = value.constructor?.name;
  const kind = typeof name === 'string' && name !== '' ? shorten(name) : 'object';
  return `${/^[AEIOaeio]/.test(kind) ? 'An' : 'A'} ${kind}`;
}

/** Formats a path for a message, e.g. `hooks.BeforeTool[1]`. The result is shortened, because the sender chooses the keys. */
export function shortPathText(path: readonly PropertyKey[]): string {
  return shorten(pathText(path.slice(0, 8)));
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
