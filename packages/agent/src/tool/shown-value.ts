import { kindOf, maxShownDepth, omitUndefined, shortPathText, tagOf } from '@tenterhook/runtime/json';

/** A value as hooks receive it, and the parts of it that cannot be shown to hooks. */
export interface Shown {
  /** A copy as plain JSON. */
  readonly value: unknown;
  readonly problems: readonly Unshown[];
}

/** A part of a value that cannot be shown to hooks. */
export interface Unshown {
  /** The problem, as the rest of a sentence. The text contains no part of the value, so the model may read it. */
  readonly kind: string;
  /** The path and the class of the part that cannot be shown. They contain text of the value, so only the user sees them. */
  readonly detail: string;
}

/** Replaces what cannot be shown. */
const placeholder = '[unserialisable]';

/**
 * Copies the result of a tool as plain JSON, for hooks and for the model. `JSON.stringify` was rejected: it writes a Map, a Set and bytes
 * as `{}` or as numbers, in which hooks do not find a secret.
 * - Bytes become their UTF-8 text. Invalid bytes become U+FFFD, and the text between them stays readable. Base64 was rejected, because it
 *   hides that text.
 * - Another typed array of integers becomes its numbers, and the text that they spell as character codes. A typed array of floats becomes
 *   its numbers.
 * - A Map becomes an object, or pairs if a key is not a string. A Set becomes an array. A bigint, NaN and an infinite number become
 *   texts.
 * - An error becomes its message with its fields, its cause and its inner errors.
 * - Functions, symbols and undefined fields are left out, as in JSON.
 * - What JSON cannot represent is replaced and reported as a problem: a stream, a Blob, a promise, a cycle, too deep nesting.
 */
export function showValue(value: unknown, field: string): Shown {
  const problems: Unshown[] = [];
  return { value: show(value, [field], [], problems), problems };
}

function show(value: unknown, path: readonly PropertyKey[], above: readonly object[], problems: Unshown[]): unknown {
  if (typeof value !== 'object' || value === null) return showPrimitive(value);
  const hide = (kind: string, detail = `It ${kind}.`) => {
    problems.push({ kind, detail: `${shortPathText(path)}: ${detail}` });
    return placeholder;
  };
  if (above.includes(value)) return hide('contains itself');
  if (above.length >= maxShownDepth) return hide(`is nested deeper than ${maxShownDepth} levels`);
  try {
    const inside = [...above, value];
    const readable = toReadable(value);
    if (readable === undefined) return hide('contains a value that only code can read', `${kindOf(value)} cannot be shown to hooks.`);
    if (typeof readable !== 'object' || readable === null) return showPrimitive(readable);
    if (Array.isArray(readable)) {
      return Array.from(readable, (item: unknown, index) => show(item, [...path, index], inside, problems) ?? null);
    }
    const entries = Object.entries(readable).map(([key, item]) => [key, show(item, [...path, key], inside, problems)] as const);
    return omitUndefined(Object.fromEntries(entries));
  } catch {
    return hide('cannot be read');
  }
}

function showPrimitive(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value === 'bigint') return String(value);
  // Minus zero becomes zero, as in JSON.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
  return value;
}

/**
 * Returns the readable form of an object: an array, an object with its fields, or a primitive value. Returns undefined if the object hides
 * its content.
 */
function toReadable(value: object): unknown {
  if (Array.isArray(value)) return value;
  if (ArrayBuffer.isView(value))
    return isOfBytes(value) ? textOf(value) : toReadableNumbers(value as unknown as ArrayLike<number | bigint>);
  if (value instanceof Error) return toReadableError(value);
  switch (tagOf(value)) {
    // The own fields of a `String` object are its single letters. Hooks would not find a secret in them.
    case 'String':
    case 'Number':
    case 'Boolean':
      return value.valueOf();
    case 'Map':
      return toReadableMap([...Map.prototype.entries.call(value)]);
    case 'Set':
      return [...Set.prototype.values.call(value)];
    case 'Error':
      return toReadableError(value);
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      return textOf(new Uint8Array(value as ArrayBuffer));
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return toJSON.call(value, '') ?? null;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain || Object.keys(value).length > 0 ? value : undefined;
}

function toReadableMap(entries: readonly (readonly [unknown, unknown])[]): unknown {
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries;
}

/** Returns an error as a plain object. It includes the cause and the inner errors, which JSON.stringify and a spread leave out. */
function toReadableError(error: object): object {
  const { message, cause, errors } = error as { readonly message?: unknown; readonly cause?: unknown; readonly errors?: unknown };
  return { message, ...error, ...omitUndefined({ cause, errors }) };
}

function toReadableNumbers(numbers: ArrayLike<number | bigint>): unknown {
  const list = Array.from(numbers);
  const areCodes = list.every((number) => typeof number === 'bigint' || Number.isInteger(number));
  return areCodes ? { numbers: list, text: list.map(toCharacter).join('') } : list;
}

function toCharacter(number: number | bigint): string {
  const code = Number(number);
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** Whether a view consists of bytes, like Node's `Buffer` or a `DataView`. */
function isOfBytes(view: ArrayBufferView): boolean {
  return ((view as { readonly BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1) === 1;
}

function textOf({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  // The bytes are copied, because shared memory cannot be decoded.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(buffer, byteOffset, byteLength).slice());
}
