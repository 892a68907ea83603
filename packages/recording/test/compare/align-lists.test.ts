import fc from 'fast-check';
import { alignLists } from '../../src/compare/align-lists.js';

const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });

/** The length of the longest common subsequence, by trying everything. */
function longest(one: readonly string[], other: readonly string[]): number {
  const [first, ...rest] = one;
  if (first === undefined || other.length === 0) return 0;
  const at = other.indexOf(first);
  return Math.max(longest(rest, other), at < 0 ? 0 : 1 + longest(rest, other.slice(at + 1)));
}

test('every item is in one pair, in order, and as many as possible have a partner', () => {
  fc.assert(
    fc.property(items, items, (one, other) => {
      const pairs = alignLists(one, other);
      expect(pairs.flatMap(([index]) => index ?? [])).toEqual(one.map((_, index) => index));
      expect(pairs.flatMap(([, index]) => index ?? [])).toEqual(other.map((_, index) => index));
      const joined = pairs.filter(([a, b]) => a !== undefined && b !== undefined);
      for (const [a, b] of joined) expect(one[a as number]).toBe(other[b as number]);
      expect(joined).toHaveLength(longest(one, other));
    }),
  );
});

test('long lists that have nothing in common are joined by position', () => {
  const [one, other] = [Array.from({ length: 3_000 }, (_, index) => `a${index}`), Array.from({ length: 2_500 }, (_, index) => `b${index}`)];
  expect(alignLists(one, other)).toHaveLength(3_000);
});
