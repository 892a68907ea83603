import type { Measured } from '../../measure.js';
import type { BenchResult, RunResult } from '../../run-benches.js';
import { shown } from '../../table.js';
import { type BarChart, barChart } from './bar-chart.js';

interface Plot {
  readonly file: string;
  readonly title: string;
  /** What the numbers are, for the description. */
  readonly what: string;
  shows(result: BenchResult): boolean;
  /** Returns the value of a row in its unit, or undefined if the plot does not show the row. */
  value(row: Measured): number | undefined;
  /** @default the unit of the benchmark */
  readonly unit?: string;
}

/** Command hooks are what the longest stall is measured for. */
const ofCommands = ({ measured }: BenchResult) => measured.some(({ stall }) => stall !== undefined);

/** The parts that the README shows. */
const summary = /^(one hook: read|10 hooks one|100 hooks side|one hook in an agent)/;

const plots: readonly Plot[] = [
  {
    file: 'docs/images/performance.svg',
    title: 'Command hooks: time of one event',
    what: 'Medians in milliseconds',
    shows: ({ bench }) => summary.test(bench),
    value: ({ median }) => median,
  },
  {
    file: 'docs/images/performance-command-hooks.svg',
    title: 'All command hooks: time of one event',
    what: 'Medians in milliseconds',
    shows: ofCommands,
    value: ({ median }) => median,
  },
  {
    file: 'docs/images/performance-event-loop.svg',
    title: 'Command hooks: longest time for which the event loop is blocked',
    what: 'Medians in milliseconds',
    shows: ofCommands,
    value: ({ stall }) => stall,
    unit: 'ms',
  },
  {
    file: 'docs/images/performance-in-process.svg',
    title: 'Without processes: events, requests, imports, memory',
    what: 'Medians',
    shows: (result) => !ofCommands(result),
    value: ({ median }) => median,
  },
];

/** Draws all plots of a run. */
export function plotFiles({ results }: Pick<RunResult, 'results'>): { file: string; text: string }[] {
  return plots.map((plot) => ({ file: plot.file, text: barChart(chartOf(plot, results)) }));
}

function chartOf({ title, what, shows, value, unit: only }: Plot, results: readonly BenchResult[]): BarChart {
  const groups = results.filter(shows).map(({ bench, unit, measured }) => ({
    label: bench,
    bars: measured.flatMap((row) => {
      const number = value(row);
      return number === undefined || Number.isNaN(number)
        ? []
        : [{ label: row.name, value: number, text: `${shown(number)} ${only ?? unit}`, ours: /tenterhook/i.test(row.name) }];
    }),
  }));
  const description = `${what}, each group with a scale of its own. ${groups
    .map(({ label, bars }) => `${label}: ${bars.map((bar) => `${bar.label} ${bar.text}`).join(', ')}.`)
    .join(' ')}`;
  return { title, description, groups };
}
