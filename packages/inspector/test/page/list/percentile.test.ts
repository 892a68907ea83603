import fc from 'fast-check';
import { figuresOf, nearestRank } from '../../../page/list/percentile.js';

test('a percentile is the smallest duration that is not shorter than this share of all', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (all, share) => {
        const sorted = [...all].sort((a, b) => a - b);
        const found = nearestRank(sorted, share) as number;
        expect(sorted).toContain(found);
        expect(sorted.filter((one) => one <= found).length / sorted.length).toBeGreaterThanOrEqual(share - 1e-12);
      },
    ),
  );
});

test('there is no p95 of less than 20 durations, and missing durations do not count', () => {
  const rowsOf = (durations: readonly number[]) => durations.map((durationMs) => ({ durationMs }));
  expect(figuresOf([{}, ...rowsOf([3, 1, Number.NaN, 2])])).toEqual({ count: 3, p50Ms: 2, p95Ms: undefined, maxMs: 3 });
  expect(figuresOf(rowsOf(Array.from({ length: 20 }, (_, index) => index + 1)))).toEqual({ count: 20, p50Ms: 10, p95Ms: 19, maxMs: 20 });
  expect(figuresOf([])).toEqual({ count: 0, p50Ms: undefined, p95Ms: undefined, maxMs: undefined });
});
