import { barChart } from '../../bench/src/peers/report/bar-chart.js';
import { performanceSections } from '../../bench/src/peers/report/page-sections.js';
import { plotFiles } from '../../bench/src/peers/report/plots.js';
import type { RunResult } from '../../bench/src/run-benches.js';

const row = { p95: 3, min: 1, cpu: 0.5, busy: 0.25, samples: 10 };
const run: RunResult = {
  machine: { machine: 'a machine', node: 'v20' },
  load: 0.5,
  results: [
    {
      bench: 'one hook: cat >/dev/null',
      unit: 'ms',
      measured: [
        { ...row, name: "Node's spawn of bash -c", median: 2, ratio: 1, stall: 1.5 },
        { ...row, name: 'Tenterhook', median: 1, ratio: 0.5, stall: 0.125 },
      ],
      absent: [{ name: 'Gemini CLI core', why: 'not installed' }],
      marks: [
        { text: 'one cat hook: at most 0.65 times', reached: true, over: 0.77, measured: '0.50 times' },
        { text: 'one sh hook: at most 0.4 times', reached: false, over: 1.25, measured: '0.50 times', why: 'A reason.' },
      ],
    },
    { bench: '100 hooks side by side', unit: 'ms', measured: [{ ...row, name: 'Tenterhook', median: 9, ratio: 1, stall: 4 }], marks: [] },
    { bench: 'import: memory', unit: 'MiB', measured: [{ ...row, name: "import 'tenterhook'", median: 50, ratio: 1 }], marks: [] },
  ],
};

test('a bar is as long as its value in its group, and the chart has a title, a description and colours for both modes', () => {
  const bar = { text: 'text', ours: false };
  const svg = barChart({
    title: 'A & B',
    description: 'What it shows',
    groups: [
      {
        label: 'a < b',
        bars: [
          { ...bar, label: 'one', value: 4 },
          { ...bar, label: 'two', value: 1, ours: true },
        ],
      },
    ],
  });
  expect([...svg.matchAll(/<rect class="(\w+)".* width="([\d.]+)"/g)].map(([, name, width]) => [name, width])).toEqual([
    ['other', '340.0'],
    ['ours', '85.0'],
  ]);
  expect(svg).toContain('role="img" aria-labelledby="title description"');
  expect(svg).toContain('<title id="title">A &amp; B</title>');
  expect(svg).toContain('<desc id="description">What it shows</desc>');
  expect(svg).toContain('>a &lt; b</text>');
  expect(svg).toContain('@media (prefers-color-scheme: dark)');
});

test('a chart of zeros has bars that can be seen', () => {
  const svg = barChart({ title: '', description: '', groups: [{ label: '', bars: [{ label: '', value: 0, text: '0', ours: true }] }] });
  expect(svg).toMatch(/ width="1\.0"/);
});

test('plots are made from the numbers: time and stall of command hooks, and the others', () => {
  const plots = plotFiles(run);
  const shown = plots.map(({ file, text }) => [file, [...text.matchAll(/<text [^>]*>([\d.]+ \w+)<\/text>/g)].map(([, value]) => value)]);
  expect(shown).toEqual([
    ['docs/images/performance.svg', ['9.00 ms']],
    ['docs/images/performance-command-hooks.svg', ['2.00 ms', '1.00 ms', '9.00 ms']],
    ['docs/images/performance-event-loop.svg', ['1.50 ms', '0.125 ms', '4.00 ms']],
    ['docs/images/performance-in-process.svg', ['50.00 MiB']],
  ]);
  expect(plots[1]?.text).toContain("one hook: cat &gt;/dev/null: Node's spawn of bash -c 2.00 ms, Tenterhook 1.00 ms.");
});

test('the page has the machine, each target with how much it is missed by and why, and every row', () => {
  const { machine, targets, table } = performanceSections(run);
  expect(machine).toContain('| machine | a machine |');
  expect(targets).toContain('| one cat hook: at most 0.65 times | 0.50 times | reached |');
  expect(targets).toContain('| one sh hook: at most 0.4 times | 0.50 times | missed: 1.25 times the target |');
  expect(targets).toContain('- one sh hook: at most 0.4 times. A reason.');
  expect(table).toContain(
    "| **one hook: cat &gt;/dev/null** | Node's spawn of bash -c | 2.00 ms | 3.00 ms | 1.00 | 0.500 ms | 0.250 ms | 1.50 ms | 10 |",
  );
  expect(table).toContain('|  | Gemini CLI core | not measured: not installed |');
  expect(table).toContain("| **import: memory** | import 'tenterhook' | 50.00 MiB | 3.00 MiB | 1.00 | – | – | – | 10 |");
});
