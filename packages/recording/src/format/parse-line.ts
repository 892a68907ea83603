import { isUtf8 } from 'node:buffer';
import { isPlainObject } from '@tenterhook/runtime/json';
import { isTooDeep } from './depth.js';
import type { RecordedMessage, RecordingNote } from './recording.js';

/** What a line after the header is. */
export type ParsedLine = { readonly message: RecordedMessage } | { readonly note: RecordingNote } | { readonly problem: string };

/** Reads the bytes of a line after the header. Bytes that are not UTF-8 would be read as another text. */
export function parseBytes(bytes: Buffer, line: number): ParsedLine {
  return isUtf8(bytes) ? parseLine(bytes.toString('utf8'), line) : notUtf8;
}

/** As `parseBytes`, for a reader that cuts deep values itself. */
export function parseDeepBytes(bytes: Buffer, line: number): ParsedLine {
  return isUtf8(bytes) ? parse(bytes.toString('utf8'), line, () => false) : notUtf8;
}

const notUtf8 = { problem: 'is not valid UTF-8' };

/** Reads a line after the header. Unknown fields are kept. */
export function parseLine(text: string, line: number): ParsedLine {
  return parse(text, line, isTooDeep);
}

function parse(text: string, line: number, isRefused: typeof isTooDeep): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'is not valid JSON' };
  }
  if (!isPlainObject(value)) return { problem: 'is not an object' };
  if (isRefused(value, text)) return { problem: 'is nested too deeply' };
  if (typeof value['type'] === 'string') return { message: messageOf(value, value['type'], line) };
  if (typeof value['note'] === 'string') return { note: { ...value, line, note: value['note'] } };
  return { problem: 'has neither "type" nor "note"' };
}

const knownFields: ReadonlySet<string> = new Set(['n', 't', 'type', 'payload', 'cut', 'after', 'line']);

/** A rest pattern was rejected: it takes twice as long as reading the JSON, and a recording may have a million lines. */
function messageOf(value: Readonly<Record<string, unknown>>, type: string, line: number): RecordedMessage {
  const { n, t, payload, cut, after } = value;
  const message: { -readonly [Field in keyof RecordedMessage]: RecordedMessage[Field] } = { line, type, payload };
  if (typeof n === 'number') message.n = n;
  if (typeof t === 'number') message.t = t;
  if (Array.isArray(cut)) message.cut = cut.filter((path) => typeof path === 'string');
  if (typeof after === 'string') message.after = after;
  for (const key in value) {
    // Defined, because a key `__proto__` of the file is an ordinary key.
    if (!knownFields.has(key))
      Object.defineProperty(message, key, { value: value[key], enumerable: true, writable: true, configurable: true });
  }
  return message;
}

/** Returns a message as a line of a file, without the line break. */
export function formatMessage({ line: _line, n, t, type, payload, ...others }: RecordedMessage): string {
  return JSON.stringify({ n, t, type, payload, ...others });
}

/** Returns a note as a line of a file, without the line break. */
export function formatNote({ line: _line, t, note, ...others }: RecordingNote): string {
  return JSON.stringify({ t, note, ...others });
}
