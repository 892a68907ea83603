import { isPlainObject } from '@tenterhook/protocol';
import { type BalancedText, eachBalanced } from './balanced-text.js';

/** The most objects that are looked at of each kind: the last ones, and before them those that may object. */
const maxObjects = 2000;

/** Words without which an object cannot object to anything. */
const objection = /"(?:deny|block|ask|continue)"/;

/** Answers are flat: an earlier object of more levels than this is looked at only as one of the last. */
const maxAnswerHeight = 6;

/**
 * The balanced JSON objects that start a line, in order, the outer one of nested ones (decision 6). Linear in the length of the
 * text: small objects are read first, so that no garbage around a deny, balanced or not, can use up the work before it is found.
 */
export function findJsonObjects(text: string): Record<string, unknown>[] {
  const found = new Map<number, { end: number; value: Record<string, unknown> }>();
  let budget = 16 * text.length;
  for (const { start, end } of mostTelling(text).sort(byHeight)) {
    budget -= end - start;
    if (budget < 0) break;
    const value = parseObject(text.slice(start, end));
    if (value !== undefined) found.set(start, { end, value });
  }
  let covered = 0;
  return [...found.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([start, { end, value }]) => {
      if (start < covered) return [];
      covered = end;
      return [value];
    });
}

export function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** A hook's own answer comes after what it echoed, so the last ones count; a deny counts wherever it stands. */
function mostTelling(text: string): BalancedText[] {
  let last: BalancedText[] = [];
  let objecting: BalancedText[] = [];
  const sortOut = (passed: readonly BalancedText[]) => {
    const may = passed.filter(({ start, end, height }) => height <= maxAnswerHeight && objection.test(text.slice(start, end)));
    objecting = [...objecting, ...may].slice(-maxObjects);
  };
  eachBalanced(text, (found) => {
    last.push(found);
    if (last.length < 2 * maxObjects) return;
    sortOut(last.slice(0, -maxObjects));
    last = last.slice(-maxObjects);
  });
  sortOut(last.slice(0, -maxObjects));
  return [...objecting, ...last.slice(-maxObjects)];
}

function byHeight(a: BalancedText, b: BalancedText): number {
  return a.height - b.height || b.start - a.start;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const parsed = parseJson(text);
  return parsed.ok && isPlainObject(parsed.value) ? parsed.value : undefined;
}
