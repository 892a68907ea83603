import type { HookWarning } from '@tenterhook/protocol';
import { formatValue } from '../text.js';
import type { AnswerWords } from './answer-keywords.js';
import { eachJsonObject, type Span } from './each-json-object.js';

export interface FoundObjects {
  /** Those that count, in order. */
  readonly objects: readonly Record<string, unknown>[];
  /** What looks like an answer in the text around them; one of each kind. */
  readonly lost: readonly LostAnswer[];
}

/** The last objects are all read: a hook's own answer comes after what it echoed. Of those before them only objections count. */
const maxObjects = 2000;

/** The JSON objects that start a line, the outer one of nested ones (decision 6). Linear in the length of the text. */
export function findJsonObjects(text: string, words: AnswerWords, stream: Stream = 'stdout'): FoundObjects {
  const lost = new Map<LostAnswer['code'], LostAnswer>();
  const objecting = new Map<string, Found>();
  let last: Span[] = [];
  let read = 0;

  const readText = (end: number) => {
    if (end - read < 2) return;
    // From the brace before it, so that what follows an object on its line does not look like the start of one.
    const answer = lostAnswer(text.slice(Math.max(read - 1, 0), end), words, stream);
    if (answer !== undefined && !lost.has(answer.code)) lost.set(answer.code, answer);
  };
  const passOver = (spans: readonly Span[]) => {
    for (const span of spans) {
      if (!words.objecting.test(text.slice(span.start, span.end))) continue;
      const found = parseObject(text, span);
      // Of several decisions alike the last gives the reason, of several stops the first: the rest would change nothing.
      for (const kind of words.objectionsOf(found.value)) if (kind !== 'stop' || !objecting.has(kind)) objecting.set(kind, found);
    }
  };

  eachJsonObject(text, (found) => {
    readText(found.start);
    read = found.end;
    last.push(found);
    if (last.length < 2 * maxObjects) return;
    passOver(last.slice(0, maxObjects));
    last = last.slice(maxObjects);
  });
  readText(text.length);
  passOver(last.slice(0, -maxObjects));

  const earlier = [...new Set(objecting.values())].sort((a, b) => a.start - b.start);
  const found = [...earlier, ...last.slice(-maxObjects).map((span) => parseObject(text, span))];
  return { objects: found.map(({ value }) => value), lost: [...lost.values()] };
}

export function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

interface Found {
  readonly start: number;
  readonly value: Record<string, unknown>;
}

function parseObject(text: string, { start, end }: Span): Found {
  // It cannot fail: the grammar was checked while the object was looked for.
  return { start, value: JSON.parse(text.slice(start, end)) };
}

/** What a hook writes to. */
export type Stream = 'stdout' | 'stderr';

export interface LostAnswer extends HookWarning {
  readonly code: 'invalid_json' | 'decision_in_text';
}

/** The text begins with a brace, or one of its lines with that of an object; a brace alone begins many a line of code. */
const brokenObject = /^\s*\{|[\r\n][ \t]*\{\s*["']/;

/**
 * What looks like an answer in a text that is none. It stays text, because whoever quotes a decision does not take one; but a
 * hook that meant it would otherwise fail in silence, so it is said.
 */
export function lostAnswer(text: string, words: AnswerWords, stream: Stream = 'stdout'): LostAnswer | undefined {
  const broken = brokenObject.exec(text);
  if (broken !== null) {
    const message = `A line of ${stream} begins like a JSON object and is not valid JSON (${excerpt(text, broken.index)}); it was taken as text.`;
    return { code: 'invalid_json', message };
  }
  const brace = text.indexOf('{');
  const field = words.quotedField.exec(text) ?? (brace < 0 ? null : words.bareField.exec(text.slice(brace)));
  if (field === null) return undefined;
  const at = field.input === text ? field.index : brace + field.index;
  const message = `${stream} speaks of a decision within a text (${excerpt(text, at - 20)}); it does not count. Print the JSON object on a line of its own.`;
  return { code: 'decision_in_text', message };
}

function excerpt(text: string, from: number): string {
  return formatValue(text.slice(Math.max(from, 0), Math.max(from, 0) + 100).trim());
}
