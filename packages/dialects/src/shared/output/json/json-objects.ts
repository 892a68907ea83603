import type { HookWarning } from '@tenterhook/protocol';
import { formatValue } from '../../text.js';
import type { AnswerKeywords } from '../answer-keywords.js';
import { eachJsonObject, type Span } from './each-json-object.js';

export interface FoundObjects {
  /** The last objects of the text, in order. */
  readonly objects: readonly Record<string, unknown>[];
  /** The number of objects in the text, including those that are not in `objects`. */
  readonly count: number;
  /** The beginning of the first text outside the objects. Missing if there is no such text. */
  readonly around?: string;
  /** Warnings about text that looks like an answer but is not part of an object. At most one warning of each kind. */
  readonly unparsed: readonly UnparsedAnswer[];
}

/**
 * The maximum number of objects that are returned: the last of the output, because a hook prints its own answer last. Earlier
 * objects are only searched for a deny, ask or stop.
 */
const maxObjects = 2000;

/** Finds the JSON objects that start a line, without the objects inside them (decision 6). Takes linear time. */
export function findJsonObjects(text: string, words: AnswerKeywords, stream: Stream = 'stdout'): FoundObjects {
  const unparsed = new Map<UnparsedAnswer['code'], UnparsedAnswer>();
  const objecting = new Map<string, Found>();
  let last: Span[] = [];
  let read = 0;
  let count = 0;
  let around: string | undefined;

  const readText = (end: number) => {
    around ??= /\S[^\r\n]{0,99}/.exec(text.slice(read, end))?.[0].trimEnd();
    if (end - read < 2) return;
    // The searched text begins with the last brace of the previous object. Without this brace, the text after it would look like
    // the start of a line.
    const answer = findUnparsedAnswer(text.slice(Math.max(read - 1, 0), end), words, stream);
    if (answer !== undefined && !unparsed.has(answer.code)) unparsed.set(answer.code, answer);
  };
  const passOver = (spans: readonly Span[]) => {
    for (const span of spans) {
      if (!words.objecting.test(text.slice(span.start, span.end))) continue;
      const found = parseObject(text, span);
      // Of all objects, the last deny, the last ask and the first stop are kept. Only their reasons are used.
      for (const kind of words.objectionsOf(found.value)) if (kind !== 'stop' || !objecting.has(kind)) objecting.set(kind, found);
    }
  };

  eachJsonObject(text, (found) => {
    readText(found.start);
    read = found.end;
    count += 1;
    last.push(found);
    if (last.length < 2 * maxObjects) return;
    passOver(last.slice(0, maxObjects));
    last = last.slice(maxObjects);
  });
  readText(text.length);
  passOver(last.slice(0, -maxObjects));

  const earlier = [...new Set(objecting.values())].sort((a, b) => a.start - b.start);
  const found = [...earlier, ...last.slice(-maxObjects).map((span) => parseObject(text, span))];
  const objects = found.map(({ value }) => value);
  return { objects, count, ...(around === undefined ? {} : { around }), unparsed: [...unparsed.values()] };
}

/** Parses a printed text as JSON. A text with too many values counts as invalid JSON. */
export function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  if (text.length > maxMixed && hasManyValues(text)) return { ok: false };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** The maximum number of characters that are searched for objects. Searching 16 MB would block the agent for seconds. */
export const maxMixed = 1_048_576;

/**
 * The maximum number of values in a long JSON text. A long answer consists of few long strings. A text with millions of values is
 * not an answer, and would take seconds to parse.
 */
const maxValues = 250_000;

/** Estimates whether a JSON text has more than `maxValues` values, by the braces, brackets and commas outside strings. */
function hasManyValues(text: string): boolean {
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
      if (index < 0) return false;
    } else if (code === comma || code === openBrace || code === openBracket) {
      values += 1;
      if (values > maxValues) return true;
    }
  }
  return false;
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

/**
 * Returns the index of the closing quote, or -1. `indexOf` is used because most of a long answer is inside strings, where testing
 * each character would take longer.
 */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (before > start && text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}

interface Found {
  readonly start: number;
  readonly value: Record<string, unknown>;
}

function parseObject(text: string, { start, end }: Span): Found {
  // Cannot throw, because the scanner has checked the grammar.
  return { start, value: JSON.parse(text.slice(start, end)) };
}

export type Stream = 'stdout' | 'stderr';

export interface UnparsedAnswer extends HookWarning {
  readonly code: 'invalid_json' | 'decision_in_text';
}

/**
 * Matches a text that begins with a brace, or a later line that begins with a brace and a quote. On a later line, a brace alone is
 * not enough: program code has many such lines.
 */
const brokenObject = /^\s*\{|[\r\n][ \t]*\{\s*["']/;

/**
 * Returns a warning about text that looks like an answer. The text has no other effect, because a hook may quote a decision.
 * Without the warning, a broken answer would be ignored silently.
 */
export function findUnparsedAnswer(text: string, words: AnswerKeywords, stream: Stream = 'stdout'): UnparsedAnswer | undefined {
  const broken = brokenObject.exec(text);
  if (broken !== null) {
    const message = `A line of ${stream} begins like a JSON object but is not valid JSON (${excerpt(text, broken.index)}); it was read as text, and a decision in it is ignored. Create the object with jq or json.dumps.`;
    return { code: 'invalid_json', message };
  }
  const brace = text.indexOf('{');
  const field = words.quotedField.exec(text) ?? (brace < 0 ? null : words.bareField.exec(text.slice(brace)));
  if (field === null) return undefined;
  const at = field.input === text ? field.index : brace + field.index;
  const message = `${stream} contains a decision inside text (${excerpt(text, at - 20)}); it is ignored. Print the JSON object on its own line.`;
  return { code: 'decision_in_text', message };
}

function excerpt(text: string, from: number): string {
  return formatValue(text.slice(Math.max(from, 0), Math.max(from, 0) + 100).trim());
}
