import { counted, formatDay, formatDuration, formatTime } from '../../../page/texts/duration.js';

test.each([
  [undefined, '–'],
  [0, '0 ms'],
  [0.4, '< 1 ms'],
  [41.4, '41 ms'],
  [1_240, '1.24 s'],
  [12_300, '12.3 s'],
  [125_000, '2 m 05 s'],
])('%p ms is written %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('a time is in the time zone of the reader, and a recording without times has none', () => {
  const at = new Date(2026, 10, 22, 9, 5, 7, 8).getTime();
  expect([formatDay(at), formatTime(at)]).toEqual(['2026-11-22', '09:05:07.008']);
  expect([formatDay(0), formatTime(0), formatTime(Number.NaN), formatDay(1e300)]).toEqual(['–', '–', '–', '–']);
});

test('numbers have their word', () => {
  expect([counted(1, 'event'), counted(1_200, 'event')]).toEqual(['1 event', '1,200 events']);
});
