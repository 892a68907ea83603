import { formatDuration, renderBar } from '../../../src/output/timeline/duration.js';

test.each([
  [0, '0 ms'],
  [0.3, '< 1 ms'],
  [41.4, '41 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [1240, '1.24 s'],
  [9994, '9.99 s'],
  [9996, '10.0 s'],
  [59_940, '59.9 s'],
  [59_960, '1 m 00 s'],
  [125_000, '2 m 05 s'],
])('%d ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

import fc from 'fast-check';

const table: Record<string, [startMs: number, durationMs: number, axisMs: number, bar: string]> = {
  'the whole time is the whole width': [0, 100, 100, '████████'],
  'the first half': [0, 50, 100, '████'],
  'the second half': [50, 50, 100, '    ████'],
  'half cells at both ends': [6.25, 87.5, 100, '▐██████▌'],
  'a moment is half a cell': [25, 0, 100, '  ▌'],
  'a moment at the very end is still seen': [100, 0, 100, '       ▐'],
  'what goes beyond the axis ends with it': [75, 500, 100, '      ██'],
  'an axis without length': [0, 0, 0, '▌'],
};

test.each(Object.entries(table))('%s', (_, [startMs, durationMs, axisMs, bar]) => {
  expect(renderBar(startMs, durationMs, axisMs, 8)).toBe(bar);
});

test('whatever the numbers are, something is drawn and it fits', () => {
  const number = fc.double({ noNaN: true, min: -1e9, max: 1e9 });
  fc.assert(
    fc.property(number, number, number, fc.integer({ min: 1, max: 40 }), (startMs, durationMs, axisMs, columns) => {
      const bar = renderBar(startMs, durationMs, axisMs, columns);
      expect(bar.length).toBeLessThanOrEqual(columns);
      expect(bar).toMatch(/[▌▐█]/);
    }),
  );
});
