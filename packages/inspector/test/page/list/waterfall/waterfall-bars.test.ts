import fc from 'fast-check';
import { countColumns, rangeBetween } from '../../../../page/list/minimap-columns.js';
import { placeBars, spanOf } from '../../../../page/list/waterfall/waterfall-bars.js';
import { hookOf, rowOf } from '../../rows.js';

test('a bar begins and ends where its hook did, and waiting for a turn is a bar of its own', () => {
  const row = rowOf({
    at: 1_000,
    durationMs: 100,
    hooks: [hookOf({ startMs: 0, endMs: 40 }), hookOf({ stage: 1, startMs: 60, endMs: 100 })],
  });
  const span = spanOf([row], 5_000);
  expect(span).toEqual({ from: 1_000, to: 1_100 });
  expect(placeBars(row, span, 5_000)).toMatchObject([
    { kind: 'ended', left: 0, width: 40 },
    { kind: 'queued', left: 40, width: 20 },
    { kind: 'ended', left: 60, width: 40 },
  ]);
});

test('a running hook ends now, and its deadline is marked where the axis reaches it', () => {
  const row = rowOf({
    at: 1_000,
    state: 'running',
    hooks: [hookOf({ status: 'running', startMs: 0, endMs: undefined, timeoutMs: 50 } as never)],
  });
  expect(placeBars(row, spanOf([row], 1_100), 1_100)).toMatchObject([{ kind: 'running', left: 0, width: 100, deadline: 50 }]);
  expect(placeBars(row, spanOf([row], 1_010), 1_010)[0]).not.toHaveProperty('deadline');
});

test('the deadline of a hook that timed out is marked, and that of a hook that ended in time is not', () => {
  const hooks = [hookOf({ status: 'timed-out', startMs: 0, endMs: 100, timeoutMs: 80 }), hookOf({ startMs: 0, endMs: 10, timeoutMs: 80 })];
  const bars = placeBars(rowOf({ at: 0, durationMs: 100, hooks }), { from: 0, to: 100 }, 100);
  expect(bars.map(({ deadline }) => deadline)).toEqual([80, undefined]);
});

test('no bar leaves the axis, whatever times a recording has', () => {
  const ms = fc.oneof(fc.double(), fc.integer(), fc.constant(undefined));
  const hook = fc
    .record({
      startMs: ms,
      endMs: ms,
      timeoutMs: ms,
      stage: fc.integer({ min: -2, max: 3 }),
      status: fc.constantFrom('running', 'queued', 'timed-out'),
    })
    .map((fields) => hookOf(fields as never));
  fc.assert(
    fc.property(fc.double(), ms, fc.array(hook, { maxLength: 5 }), (at, durationMs, hooks) => {
      const row = rowOf({ at, durationMs, hooks } as never);
      for (const { left, width, deadline = 0 } of placeBars(row, spanOf([row], 1_000), 1_000)) {
        for (const value of [left, left + width, deadline]) expect(value >= 0 && value <= 100.000001).toBe(true);
      }
      const { counts } = countColumns([row], 10, 1_000);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 1000 },
  );
});

test('the minimap counts every event once, and a drag selects the time between its ends', () => {
  const rows = Array.from({ length: 100 }, (_, n) => rowOf({ n, at: n * 10, durationMs: 10, verdict: n === 5 ? 'deny' : 'none' }));
  const { span, counts, denies, most } = countColumns(rows, 10, 0);
  expect([...counts]).toEqual(Array.from({ length: 10 }, () => 10));
  expect(denies[0]).toBe(1);
  expect(most).toBe(10);
  expect(rangeBetween(0.75, 0.25, span)).toEqual({ from: 250, to: 750 });
  expect(rangeBetween(-3, 9, span)).toEqual({ from: 0, to: 1_000 });
});
