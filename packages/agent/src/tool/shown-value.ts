import { omitUndefined } from '@tenterhook/runtime/json';

/** A value as hooks receive it, and the parts of it that cannot be shown to hooks, each with its path. */
export interface Shown {
  readonly value: unknown;
  readonly problems: readonly string[];
}

/** The maximum depth. It is more than results of tools have, and far below the depth at which writing JSON overflows the stack. */
const maxDepth = 1000;

/** Replaces what cannot be shown. */
const placeholder = '[unserialisable]';

/**
 * Converts the result of a tool to plain JSON, so that hooks see what the model receives. `JSON.stringify` was rejected: it writes a Map, a
 * Set and bytes as `{}` or as numbers, in which a redaction finds nothing.
 * - Bytes become their text in UTF-8. Bytes that are not UTF-8 become U+FFFD, so that the text between them remains readable for a
 *   redaction. Base64 was rejected, because it hides this text.
 * - A typed array of 16-bit or 32-bit integers becomes its numbers, and the text that results if they are read as character codes. Other
 *   numbers stay numbers.
 * - A Map becomes an object, or pairs if a key is not a string. A Set becomes an array, and a bigint its digits.
 * - An error becomes its message with its fields, its cause, and the errors in it.
 * - A value that only code can read (a stream, a Blob, a promise), a cycle, and a value that is nested too deeply are replaced, and
 *   reported as problems.
 */
export function showValue(value: unknown, path: string): Shown {
  const problems: string[] = [];
  return { value: show(value, path, [], problems), problems };
}

function show(value: unknown, path: string, above: readonly object[], problems: string[]): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const hide = (what: string) => {
    problems.push(`${path} ${what}`);
    return placeholder;
  };
  if (above.includes(value)) return hide('contains itself');
  if (above.length >= maxDepth) return hide(`is nested deeper than ${maxDepth} levels`);
  try {
    const inside = [...above, value];
    const readable = toReadable(value);
    if (readable === undefined) return hide(`is a ${value.constructor?.name ?? 'value'}, which cannot be shown to hooks`);
    if (typeof readable !== 'object' || readable === null) return typeof readable === 'bigint' ? String(readable) : readable;
    if (Array.isArray(readable)) return readable.map((item, index) => show(item, `${path}[${index}]`, inside, problems));
    const entries = Object.entries(readable).map(([key, item]) => [key, show(item, `${path}.${key}`, inside, problems)] as const);
    return Object.fromEntries(entries);
  } catch {
    return hide('cannot be read');
  }
}

/**
 * Returns the readable form of an object: an array, an object whose own fields are its content, or a primitive value. Returns undefined for
 * an object that hides its content.
 */
function toReadable(value: object): unknown {
  if (Array.isArray(value)) return value;
  // For wrapper objects, the primitive value. The own fields of a `String` object are its single letters, in which a redaction finds
  // nothing.
  if (value instanceof String || value instanceof Number || value instanceof Boolean) return value.valueOf();
  if (value instanceof Map) return [...value.keys()].every((key) => typeof key === 'string') ? Object.fromEntries(value) : [...value];
  if (value instanceof Set) return [...value];
  if (value instanceof Error) return toReadableError(value);
  const bytes = bytesOf(value);
  if (bytes !== undefined) return textOf(bytes);
  if (ArrayBuffer.isView(value)) return toReadableNumbers(value as unknown as ArrayLike<number>);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return toJSON.call(value, '');
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain || Object.keys(value).length > 0 ? value : undefined;
}

/** The cause and the errors are fields that JSON.stringify and a spread leave out. */
function toReadableError(error: Error): object {
  const { message, cause, errors } = error as Error & { readonly errors?: unknown };
  return { message, ...(error as object), ...omitUndefined({ cause, errors }) };
}

function toReadableNumbers(numbers: ArrayLike<number>): unknown {
  const list = Array.from(numbers);
  const areCodes = [Uint16Array, Int16Array, Uint32Array, Int32Array].some((kind) => numbers instanceof kind);
  return areCodes ? { numbers: list, text: list.map(toCharacter).join('') } : list;
}

function toCharacter(code: number): string {
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** The bytes of a value, including Node's `Buffer`. */
function bytesOf(value: object): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Uint8Array || value instanceof Uint8ClampedArray || value instanceof DataView) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  return undefined;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
