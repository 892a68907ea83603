import type { BenchResult } from '../run-benches.js';
import type { Bounds } from './bounds.js';

/** The benchmarks of one run. */
export type GuardedRun = readonly Pick<BenchResult, 'bench' | 'measured'>[];

/** A ratio that was worse than its bound in most runs. */
export interface Worse {
  readonly bench: string;
  readonly variant: string;
  readonly bound: number;
  /** The ratio of each run. */
  readonly ratios: readonly number[];
  /** In how many runs the ratio was worse than the bound. */
  readonly times: number;
}

export interface Judgement {
  readonly worse: readonly Worse[];
  /** Bounds that no run has measured, because a benchmark was renamed or removed. */
  readonly unmeasured: readonly string[];
  /** Variants without a bound. */
  readonly unbounded: readonly string[];
}

/** How many of three runs must be worse. One slow run must not fail the guard, because other programs use the machine, too. */
const mostRuns = 2;

/** How much larger than the largest measured ratio a new bound is. */
const headroom = 1.2;

/** Compares the ratios of the runs with the bounds. */
export function judge(bounds: Bounds, runs: readonly GuardedRun[]): Judgement {
  const measured = ratiosOf(runs);
  const bounded = new Map(
    Object.entries(bounds.atMost).flatMap(([bench, ratios]) =>
      Object.entries(ratios).map(([variant, bound]) => [keyOf(bench, variant), { bench, variant, bound }]),
    ),
  );
  const worse = [...bounded].flatMap(([key, { bench, variant, bound }]): Worse[] => {
    const ratios = measured.get(key)?.ratios ?? [];
    const times = ratios.filter((ratio) => ratio > bound).length;
    return times >= mostRuns ? [{ bench, variant, bound, ratios, times }] : [];
  });
  return {
    worse,
    unmeasured: [...bounded.keys()].filter((key) => !measured.has(key)),
    unbounded: [...measured.keys()].filter((key) => !bounded.has(key)),
  };
}

/** Returns bounds that these runs pass. */
export function boundsOf(runs: readonly GuardedRun[], machine: Bounds['machine']): Bounds {
  const atMost: Record<string, Record<string, number>> = {};
  for (const { bench, variant, ratios } of ratiosOf(runs).values()) {
    const bound = Number((Math.max(...ratios) * headroom).toPrecision(2));
    atMost[bench] = { ...atMost[bench], [variant]: bound };
  }
  return { machine, atMost };
}

/** Describes a ratio that is worse than its bound: which, by how much, and what to do. */
export function describeWorse({ bench, variant, bound, ratios, times }: Worse): string {
  const sorted = [...ratios].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] as number;
  const percent = Math.round((middle / bound - 1) * 100);
  return `${bench}, ${variant}: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} times its baseline. The bound is ${bound}: worse in ${times} of ${ratios.length} runs, by ${percent} % in the middle one.`;
}

/** Only variants of Tenterhook are guarded: those of others change with the machine. */
function ratiosOf(runs: readonly GuardedRun[]): Map<string, { bench: string; variant: string; ratios: number[] }> {
  const found = new Map<string, { bench: string; variant: string; ratios: number[] }>();
  for (const { bench, measured } of runs.flat()) {
    for (const { name, ratio } of measured.filter((row) => /^(import ')?tenterhook/i.test(row.name))) {
      const key = keyOf(bench, name);
      const entry = found.get(key) ?? { bench, variant: name, ratios: [] };
      entry.ratios.push(ratio);
      found.set(key, entry);
    }
  }
  return found;
}

function keyOf(bench: string, variant: string): string {
  return `"${bench}", "${variant}"`;
}
