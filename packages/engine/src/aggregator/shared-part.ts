import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';

/** The replacement for text that only one of two texts has. */
const removed = '[removed]';

/**
 * Fields of model data whose value is a name from a fixed list, e.g. `user`. They are not compared word by word, because a part of a name
 * is invalid.
 */
const nameFields: ReadonlySet<string> = new Set(['role', 'finishReason']);

/**
 * Returns the parts of the first value that the second value has too. Two hooks wrote the two values. So the result has nothing that one
 * of the hooks removed, and nothing that only the second hook added. Texts are compared from both ends. Numbers and booleans are taken
 * from the first value.
 *
 * The longest common subsequence would keep more. It was rejected, because it takes quadratic time, and an attacker may choose the texts.
 */
export function sharedPart(first: unknown, second: unknown): unknown {
  if (isSameJson(first, second)) return first;
  if (typeof first === 'string') return typeof second === 'string' ? sharedText(first, second, ['\n', ' ']) : removed;
  if (Array.isArray(first)) return Array.isArray(second) ? sharedItems(first, second) : [];
  if (isPlainObject(first)) return isPlainObject(second) ? sharedFields(first, second) : removed;
  return first;
}

/** Whether a value shares no word with the data that it replaces. An example is a message which says that the data were removed. */
export function isOwnText(value: unknown, data: unknown): boolean {
  const words = new Set(textsOf(data).flatMap(wordsOf));
  return !textsOf(value).some((text) => wordsOf(text).some((word) => words.has(word)));
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!isPlainObject(value) && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => (nameFields.has(field) ? [] : textsOf(inner)));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function sharedFields(first: Record<string, unknown>, second: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(first).filter(([field]) => Object.hasOwn(second, field));
  return Object.fromEntries(fields.map(([field, value]) => [field, nameFields.has(field) ? value : sharedPart(value, second[field])]));
}

/**
 * Keeps the items that are in both lists. The remaining items of the first list are compared one by one with those of the second list.
 * They are dropped if the second list has no more items.
 */
function sharedItems(first: readonly unknown[], second: readonly unknown[]): unknown[] {
  const counts = new Map<string, number>();
  for (const key of first.map(keyOf)) counts.set(key, 0);
  const others: unknown[] = [];
  for (const item of second) {
    const count = counts.get(keyOf(item));
    if (count === undefined) others.push(item);
    else counts.set(keyOf(item), count + 1);
  }
  let next = 0;
  return first.flatMap((item) => {
    const count = counts.get(keyOf(item)) as number;
    counts.set(keyOf(item), count - 1);
    if (count > 0) return [item];
    if (next === others.length) return [];
    next += 1;
    return [sharedPart(item, others[next - 1])];
  });
}

/** Returns a key for an item. Equal items have equal keys. Comparing each item with each other item would take quadratic time. */
function keyOf(item: unknown): string {
  return JSON.stringify(item);
}

/**
 * Compares texts of the same number of lines line by line, and lines of the same number of words word by word. So the text between two
 * differences stays.
 */
function sharedText(first: string, second: string, separators: readonly string[]): string {
  if (first === second || second === '') return second;
  const [separator, ...finer] = separators;
  if (separator === undefined) return sharedEnds(first, second);
  const [pieces, others] = [first.split(separator), second.split(separator)];
  if (pieces.length !== others.length) return sharedEnds(first, second);
  return pieces.map((piece, index) => sharedText(piece, others[index] as string, finer)).join(separator);
}

function sharedEnds(first: string, second: string): string {
  const shorter = Math.min(first.length, second.length);
  let start = 0;
  while (start < shorter && first[start] === second[start]) start += 1;
  // The second hook has only added something to the text, so nothing is removed.
  if (second.length >= first.length && second.endsWith(first.slice(start))) return first;
  // Only whole words are kept: the removed word and its replacement may begin or end with the same letters.
  while (isWithinWord(first, start)) start -= 1;
  let end = first.length;
  while (first.length - end < shorter - start && first[end - 1] === second[end - 1 + second.length - first.length]) end -= 1;
  while (isWithinWord(first, end)) end += 1;
  return `${first.slice(0, start)}${removed}${first.slice(end)}`;
}

/** Whether the position is inside a word. Half of a surrogate pair counts as a letter. */
function isWithinWord(text: string, position: number): boolean {
  return isOfWord(text.charCodeAt(position - 1)) && isOfWord(text.charCodeAt(position));
}

/** NaN is the code before the beginning and after the end of the text. The result is then false. */
function isOfWord(code: number): boolean {
  return code > 127 || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
