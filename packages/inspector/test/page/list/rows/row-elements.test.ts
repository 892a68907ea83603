import fc from 'fast-check';
import { RowElements } from '../../../../page/list/rows/row-elements.js';

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

test('a row keeps its element while it is in view, and new rows get those that are free, in their order', () => {
  const elements = new RowElements();
  expect(elements.assign(range(0, 4))).toEqual([0, 1, 2, 3]);
  expect(elements.assign(range(2, 4))).toEqual([2, 3, 0, 1]);
  expect(elements.assign(range(900, 4))).toEqual([2, 3, 0, 1]);
  expect(elements.assign(range(900, 6))).toEqual([2, 3, 0, 1, 4, 5]);
});

test('no two rows have the same element, and no element is made while one is free', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat(20))), (views) => {
      const elements = new RowElements();
      let before = new Map<number, number>();
      for (const [from, count] of views) {
        const rows = range(from, count);
        const keys = elements.assign(rows);
        expect(new Set(keys).size).toBe(count);
        for (const [place, row] of rows.entries()) if (before.has(row)) expect(keys[place]).toBe(before.get(row));
        const known = new Set(before.values());
        expect(keys.filter((key) => !known.has(key)).length).toBe(Math.max(0, count - before.size));
        before = new Map(rows.map((row, place) => [row, keys[place] as number]));
      }
    }),
  );
});
