import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBounds } from '../../bench/src/guard/bounds.js';
import { boundsOf, describeWorse, type GuardedRun, judge, type Worse } from '../../bench/src/guard/judge.js';

const bench = 'one hook: true';

test.each([
  { ratios: [1.5, 1.5, 1.5], worse: true },
  { ratios: [1.5, 1, 1.5], worse: true },
  { ratios: [1, 1, 9], worse: false },
  { ratios: [1.2, 1.2, 1.2], worse: false },
  { ratios: [1, 1, 1], worse: false },
])('ratios $ratios with the bound 1.2: worse is $worse', ({ ratios, worse }) => {
  const judged = judge(boundOf(1.2), ratios.map(runOf));
  expect(judged.worse.map(({ variant }) => variant)).toEqual(worse ? ['Tenterhook'] : []);
  expect(judged).toMatchObject({ unmeasured: [], unbounded: [] });
});

test('a worse ratio is described with its runs, its bound and the difference', () => {
  const { worse } = judge(boundOf(1.2), [1, 1.5, 1.8].map(runOf));
  expect(describeWorse(worse[0] as Worse)).toBe(
    'one hook: true, Tenterhook: 1.00, 1.50, 1.80 times its baseline. The bound is 1.2: worse in 2 of 3 runs, by 25 % in the middle one.',
  );
});

test('a bound that no benchmark measures, and a ratio without a bound, are reported', () => {
  const judged = judge({ machine: {}, atMost: { 'a part that was renamed': { Tenterhook: 1 } } }, [runOf(1)]);
  expect(judged).toEqual({
    worse: [],
    unmeasured: ['"a part that was renamed", "Tenterhook"'],
    unbounded: ['"one hook: true", "Tenterhook"'],
  });
});

test('new bounds have headroom over the worst run, and those runs pass them', () => {
  const runs = [1, 1.5, 1.2].map(runOf);
  const bounds = boundsOf(runs, { machine: 'a machine' });
  expect(bounds).toEqual({ machine: { machine: 'a machine' }, atMost: { [bench]: { Tenterhook: 1.8 } } });
  expect(judge(bounds, runs)).toEqual({ worse: [], unmeasured: [], unbounded: [] });
});

test.each([
  ['{', /is not valid JSON: .*--update/],
  ['[]', /"machine" and "atMost" must be objects.*--update/],
  ['{"machine":{},"atMost":{"a":1}}', /the bounds of "a" must be an object/],
  ['{"machine":{},"atMost":{"a":{"b":"1"}}}', /the bound of "a", "b" is "1"\. It must be a number above 0/],
])('bounds %s are refused', (text, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'tenterhook-guard-'));
  try {
    writeFileSync(join(folder, 'bounds.json'), text);
    expect(() => readBounds(join(folder, 'bounds.json'))).toThrow(message);
    expect(() => readBounds(join(folder, 'none.json'))).toThrow(/none\.json does not exist\. Run npm run bench:guard -- --update/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the committed bounds can be read', () => {
  expect(Object.keys(readBounds('bench/bounds.json').atMost).length).toBeGreaterThan(5);
});

function boundOf(bound: number) {
  return { machine: {}, atMost: { [bench]: { Tenterhook: bound } } };
}

function runOf(ratio: number): GuardedRun {
  const row = { median: 1, p95: 1, min: 1, samples: 1, cpu: 1, busy: 1 };
  return [
    {
      bench,
      measured: [
        { ...row, name: "Node's spawn of bash -c", ratio: 1 },
        { ...row, name: 'Tenterhook', ratio },
      ],
    },
  ];
}
