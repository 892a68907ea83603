import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerKeywords } from '../answer-keywords.js';
import { endOfString } from '../json/json-objects.js';

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** A field that occurs again later in the same object, so that `JSON.parse` drops its value. */
interface Overwritten {
  readonly path: Path;
  readonly value: unknown;
}

/**
 * Finds decisions that occur several times in an object. `JSON.parse` uses the last value. This is dangerous if a guard inserts a
 * command into JSON, as in `{"decision":"deny","reason":"$command"}`: a crafted command could add a second decision.
 *
 * Returns one version of the object for each overwritten deny, ask or stop, with the overwritten value in place of the last value.
 * The list ends with the object that `JSON.parse` returns. Returns undefined if no decision occurs twice.
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

interface Frame {
  readonly path: Path;
  /** Where the value of each searched field begins and ends in the text, by the name of the field. */
  readonly values: Map<string, readonly [start: number, end: number]>;
  /** The name of the current field. Undefined before the name of a field, and in a field that is not searched for. */
  name?: string;
  /** Where the value of the current field begins in the text. 0 before the name of the field. */
  start: number;
}

/** Finds all overwritten fields at these paths. The text must be a valid JSON object. Takes linear time. */
function findOverwritten(text: string, paths: readonly Path[]): Overwritten[] {
  const found: Overwritten[] = [];
  /** The open objects and arrays. The entry of an object or array that contains no searched field is undefined. */
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

/** Copies the object, with another value at the path. */
function withValue(object: Fields, [name = '', ...rest]: Path, value: unknown): Fields {
  const inner = object[name];
  return { ...object, [name]: rest.length === 0 ? value : withValue(isPlainObject(inner) ? inner : {}, rest, value) };
}
