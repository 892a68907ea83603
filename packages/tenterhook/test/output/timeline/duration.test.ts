import { formatDuration } from '../../../src/output/timeline/duration.js';

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
