import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerKeywords } from './answer-keywords.js';
import { endOfString } from './json-objects.js';

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** A field that the same object has again later, so that `JSON.parse` loses this value. */
interface Overwritten {
  readonly path: Path;
  readonly value: unknown;
}

/**
 * The readings of a JSON object in which a field that decides, or one around it, is written several times; undefined if there is no such field. A
 * guard that puts a text into JSON by hand, `{"decision":"deny","reason":"$command"}`, can be made to print a second decision, and only the last one
 * would count. The last reading is that of `JSON.parse`; the others have an overwritten value in its place, one for each kind of objection.
 */
export function readingsOf(
  text: string,
  parsed: Fields,
  words: AnswerKeywords,
): { readonly path: Path; readonly readings: Fields[] } | undefined {
  const found = findOverwritten(text, [...words.decisions, ['continue']]);
  const [first] = found;
  if (first === undefined) return undefined;
  const kept = new Map<string, Overwritten>([['first', first]]);
  for (const one of found) {
    for (const kind of words.objectionsOf(withValue({}, one.path, one.value))) kept.set(kind, one);
  }
  const readings = [...new Set(kept.values())].map(({ path, value }) => withValue(parsed, path, value));
  return { path: first.path, readings: [...readings, parsed] };
}

/** An open object in which fields are searched for. */
interface Frame {
  readonly path: Path;
  /** The values of the searched fields so far, by their places in the text. */
  readonly values: Map<string, readonly [start: number, end: number]>;
  /** The field that is open. Absent before its name, and for one that is not searched for. */
  name?: string;
  /** Where its value begins; 0 before it. */
  start: number;
}

/** The text must be an object in valid JSON. Linear in its length. */
function findOverwritten(text: string, paths: readonly Path[]): Overwritten[] {
  const found: Overwritten[] = [];
  /** The open containers; undefined for one in which nothing is searched for. */
  const open: (Frame | undefined)[] = [];
  const isSearched = (path: Path) => paths.some((one) => path.every((name, index) => one[index] === name));
  const beginValue = (frame: Frame, nameStart: number, nameEnd: number) => {
    const name: string = JSON.parse(text.slice(nameStart, nameEnd + 1));
    if (isSearched([...frame.path, name])) frame.name = name;
    frame.start = text.indexOf(':', nameEnd) + 1;
  };
  const endValue = (frame: Frame, end: number) => {
    const { path, values, name, start } = frame;
    frame.start = 0;
    if (name === undefined) return;
    delete frame.name;
    const before = values.get(name);
    if (before !== undefined) found.push({ path: [...path, name], value: JSON.parse(text.slice(...before)) });
    values.set(name, [start, end]);
  };
  for (let index = 0; index < text.length; index += 1) {
    const frame = open.at(-1);
    switch (text[index]) {
      case '"': {
        const end = endOfString(text, index);
        if (frame?.start === 0) beginValue(frame, index, end);
        index = end;
        break;
      }
      case '{': {
        const isWithin = open.length === 0 || frame?.name !== undefined;
        const path = frame?.name === undefined ? [] : [...frame.path, frame.name];
        open.push(isWithin ? { path, values: new Map(), start: 0 } : undefined);
        break;
      }
      case '[':
        open.push(undefined);
        break;
      case '}':
      case ']':
        if (frame !== undefined) endValue(frame, index);
        open.pop();
        break;
      case ',':
        if (frame !== undefined) endValue(frame, index);
        break;
    }
  }
  return found;
}

/** A copy of the object with this value in the place of its own. */
function withValue(object: Fields, [name = '', ...rest]: Path, value: unknown): Fields {
  const inner = object[name];
  return { ...object, [name]: rest.length === 0 ? value : withValue(isPlainObject(inner) ? inner : {}, rest, value) };
}
