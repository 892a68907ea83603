import fc from 'fast-check';
import { rowHeight, scrollTopFor, visibleRows } from '../../../../page/list/rows/visible-rows.js';

const height = rowHeight + 10 * rowHeight;

test('every row of which a part can be seen is drawn, with few others', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 3e6, noNaN: true }), fc.integer({ min: 1, max: 2_000 }), fc.nat(100_000), (top, seen, count) => {
      const { first, end } = visibleRows({ top, height: rowHeight + seen }, count);
      const scrolledTo = Math.min(top, Math.max(0, count * rowHeight - seen));
      const isSeen = (index: number) => index * rowHeight < scrolledTo + seen && (index + 1) * rowHeight > scrolledTo;
      expect(first >= 0 && end <= count && end - first <= seen / rowHeight + 10).toBe(true);
      for (const index of [first - 1, end]) expect(index >= 0 && index < count && isSeen(index)).toBe(false);
      if (count > 0) expect(end).toBeGreaterThan(first);
    }),
  );
});

test('nothing is drawn before the height is known, and the last rows where a list has become shorter', () => {
  expect(visibleRows({ top: 0, height: 0 }, 100)).toEqual({ first: 0, end: 0 });
  expect(visibleRows({ top: 5_000 * rowHeight, height }, 100)).toEqual({ first: 86, end: 100 });
  expect(visibleRows({ top: Number.POSITIVE_INFINITY, height }, 3)).toEqual({ first: 0, end: 3 });
});

test('a row is scrolled to by as little as possible, or to the middle', () => {
  const viewport = { top: 100 * rowHeight, height };
  expect(scrollTopFor(105, viewport, 'auto')).toBe(viewport.top);
  expect(scrollTopFor(99, viewport, 'auto')).toBe(99 * rowHeight);
  expect(scrollTopFor(110, viewport, 'auto')).toBe(101 * rowHeight);
  expect(scrollTopFor(1_000, viewport, 'center')).toBe(995.5 * rowHeight);
  expect(scrollTopFor(0, viewport, 'center')).toBe(0);
});
