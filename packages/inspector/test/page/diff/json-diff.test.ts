import fc from 'fast-check';
import { diffJsonValues } from '../../../page/diff/json-diff.js';
import { diffTextLines } from '../../../page/diff/line-diff.js';

test.each([
  [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, [{ path: 'a.b[1]', before: 2, after: 3 }]],
  [
    { a: 1 },
    { b: 2 },
    [
      { path: 'a', before: 1, after: undefined },
      { path: 'b', before: undefined, after: 2 },
    ],
  ],
  [[1, 2, 3], [0, 1, 2, 3], [{ path: '[0]', before: undefined, after: 0 }]],
  [[1, 2, 3], [2, 3], [{ path: '[0]', before: 1, after: undefined }]],
  [{ 'odd key': 1 }, { 'odd key': null }, [{ path: '["odd key"]', before: 1, after: null }]],
  ['a', { a: 1 }, [{ path: '', before: 'a', after: { a: 1 } }]],
  [JSON.parse('{"__proto__":{"a":1}}'), {}, [{ path: '__proto__', before: { a: 1 }, after: undefined }]],
])('27. the changes from %j to %j have their paths', (before, after, changes) => {
  expect(diffJsonValues(before, after)).toEqual(changes);
});

test('27. equal values have no change, and different ones have at least one', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(diffJsonValues(one, structuredClone(one))).toEqual([]);
      expect(diffJsonValues(one, other).length > 0).toBe(JSON.stringify(one) !== JSON.stringify(other) && !isSameSet(one, other));
    }),
  );
});

test('27. of a text of 2,000 lines only the lines around a change are shown', () => {
  const before = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}\n`);
  const after = before.with(999, 'changed\n');
  const lines = diffTextLines(before.join(''), after.join(''));
  expect(lines).toEqual([
    { kind: '@', text: 'line 997' },
    ...[997, 998, 999].map((number) => ({ kind: ' ', text: `line ${number}` })),
    { kind: '-', text: 'line 1000' },
    { kind: '+', text: 'changed' },
    ...[1001, 1002, 1003].map((number) => ({ kind: ' ', text: `line ${number}` })),
  ]);
});

/** Objects with the same keys in another order are equal by path. */
function isSameSet(one: unknown, other: unknown): boolean {
  return diffJsonValues(one, other).length === 0 && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, sorted(one)]);
}
