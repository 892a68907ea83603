import { pathsOf } from '../../../../page/list/waterfall/waterfall-paths.js';
import { hookOf, rowOf } from '../../rows.js';

const span = { from: 0, to: 100 };

test('all bars of a colour are one path, each in the line of its row', () => {
  const rows = [
    rowOf({ at: 0, durationMs: 100, hooks: [hookOf({ startMs: 0, endMs: 40 })] }),
    rowOf({ at: 0, durationMs: 100, hooks: [] }),
    rowOf({ at: 50, durationMs: 50, hooks: [hookOf({ startMs: 0, endMs: 50 })] }),
  ];
  expect(pathsOf(rows, span, 100, 100)).toEqual([['bar bar-ended bar-is-succeeded', 'M0 7h40v10h-40zM50 55h50v10h-50z']]);
});

test('what went wrong covers what went well, and a deadline covers both', () => {
  const hooks = [
    hookOf({ status: 'timed-out', startMs: 10, endMs: 100, timeoutMs: 80 }),
    hookOf({ startMs: 0, endMs: 10 }),
    hookOf({ stage: 1, startMs: 110, endMs: 120 }),
  ];
  const paths = pathsOf([rowOf({ at: 0, durationMs: 120, hooks })], { from: 0, to: 120 }, 120, 240);
  expect(paths.map(([name]) => name)).toEqual([
    'bar bar-queued',
    'bar bar-ended bar-is-succeeded',
    'bar bar-ended bar-is-timed-out',
    'deadline',
  ]);
});

test('a bar without a width is seen, also at the end of the axis', () => {
  const row = rowOf({ at: 100, durationMs: 0, hooks: [hookOf({ startMs: 0, endMs: 0 })] });
  expect(pathsOf([row], span, 100, 50)).toEqual([['bar bar-ended bar-is-succeeded', 'M48 7h2v10h-2z']]);
});

test('a class has no blank, whatever the status of a recording is', () => {
  const row = rowOf({ at: 0, durationMs: 1, hooks: [hookOf({ status: 'x" onload=y ', startMs: 0, endMs: 1 } as never)] });
  expect(pathsOf([row], span, 1, 100).map(([name]) => name)).toEqual(['bar bar-ended bar-is-xonloady']);
});
