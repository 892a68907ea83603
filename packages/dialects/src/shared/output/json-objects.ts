import type { HookWarning } from '@tenterhook/protocol';
import { formatValue } from '../text.js';
import type { AnswerKeywords } from './answer-keywords.js';
import { eachJsonObject, type Span } from './each-json-object.js';

export interface FoundObjects {
  /** The objects that are read, in the order of the text. */
  readonly objects: readonly Record<string, unknown>[];
  /** The number of objects in the text, including those that are not read. */
  readonly count: number;
  /** The beginning of the first text outside the objects. Absent if there is no such text. */
  readonly around?: string;
  /** Warnings about text between the objects that looks like an answer, one of each kind. */
  readonly unparsed: readonly UnparsedAnswer[];
}

/**
 * The number of objects at the end of the output that are returned completely. A hook prints its own answer after everything that it
 * repeats. Earlier objects are only searched for objections.
 */
const maxObjects = 2000;

/** Finds the JSON objects that start a line, without objects inside of others (decision 6). Takes time linear in the length of the text. */
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
    // The searched text begins with the last brace of the previous object, so that text after an object on the same line does not look like
    // the start of a line.
    const answer = findUnparsedAnswer(text.slice(Math.max(read - 1, 0), end), words, stream);
    if (answer !== undefined && !unparsed.has(answer.code)) unparsed.set(answer.code, answer);
  };
  const passOver = (spans: readonly Span[]) => {
    for (const span of spans) {
      if (!words.objecting.test(text.slice(span.start, span.end))) continue;
      const found = parseObject(text, span);
      // For each kind of decision, only the last object is kept, because its reason is used. For stops, the first is kept. More objects
      // would not change the result.
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

/** Parses a printed text as JSON. A text with too many values is treated as one that is not JSON. */
export function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  if (text.length > maxMixed && hasManyValues(text)) return { ok: false };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** The maximum length of text that is searched for objects, in characters. Searching 16 MB would block the agent for seconds. */
export const maxMixed = 1_048_576;

/**
 * The maximum number of values in a longer JSON text. A long answer consists of long strings; a text with millions of values would take
 * seconds to parse.
 */
const maxValues = 250_000;

/**
 * Estimates whether a JSON text has more than `maxValues` objects, lists, names and items, by counting braces, brackets and commas outside
 * of strings.
 */
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

/** Returns the index of the closing quote, or -1. Jumps from quote to quote, because most of a long answer is inside strings. */
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
 * Matches a text that begins with a brace, or a later line that begins with a brace and a name. On a later line a brace alone is not
 * enough, because program code has many such lines.
 */
const brokenObject = /^\s*\{|[\r\n][ \t]*\{\s*["']/;

/**
 * Returns a warning about text that looks like an answer. It is still read as text, because a hook may quote a decision. But if the hook
 * meant it as an answer, it would fail silently without the warning.
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
