import fc from 'fast-check';
import { pairEqual } from '../../src/translators/equal-pairs.js';

/** The definition, with no thought for speed. */
function longestCommon(left: number[], right: number[]): number {
  const [l, ...lRest] = left;
  const [r, ...rRest] = right;
  if (l === undefined || r === undefined) return 0;
  return l === r ? 1 + longestCommon(lRest, rRest) : Math.max(longestCommon(lRest, right), longestCommon(left, rRest));
}

const few = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 9 });
const different = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 9 });

test('pairs are equal items, and keep the order of both lists', () => {
  fc.assert(
    fc.property(few, few, (left, right) => {
      const pairs = pairEqual(left, right);
      for (const [at, [l, r]] of pairs.entries()) {
        expect(left[l]).toBe(right[r]);
        if (at > 0) expect(l > pairs[at - 1]![0] && r > pairs[at - 1]![1]).toBe(true);
      }
    }),
  );
});

test('of lists without repetitions as many items as possible are paired', () => {
  fc.assert(fc.property(different, different, (left, right) => expect(pairEqual(left, right)).toHaveLength(longestCommon(left, right))));
});

test('repeated items are paired between those that stand once', () => {
  expect(pairEqual([1, 0, 2, 0, 3, 0], [9, 0, 2, 0, 0, 8, 0])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [5, 6],
  ]);
});

test('where no item stands once, the longest common subsequence is found', () => {
  const [left, right] = [
    [9, 0, 1, 1, 0, 8],
    [7, 1, 0, 1, 0, 6],
  ];
  expect(pairEqual(left, right)).toHaveLength(longestCommon(left, right));
});

test('the ends are paired however much stands between them', () => {
  const left = [1, ...Array.from({ length: 5000 }, (_, at) => 10 + (at % 7)), 2];
  const right = [1, ...Array.from({ length: 5001 }, (_, at) => 10 + (at % 5)), 2];
  const pairs = pairEqual(left, right);
  expect(pairs[0]).toEqual([0, 0]);
  expect(pairs.at(-1)).toEqual([left.length - 1, right.length - 1]);
});

test('a list turned round keeps one', () => {
  const items = Array.from({ length: 5000 }, (_, at) => at);
  expect(pairEqual(items, [...items].reverse())).toHaveLength(1);
  expect(pairEqual(items, [])).toEqual([]);
  expect(pairEqual(items, items)).toHaveLength(5000);
});
