/** Figures of durations, in milliseconds. Undefined where there are too few. */
export interface DurationFigures {
  readonly count: number;
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
  readonly maxMs: number | undefined;
}

/** The smallest number of durations of which a 95th percentile says something, as in `tenterhook report`. */
const leastForP95 = 20;

/** Returns the smallest value that is not smaller than this share of all values. `sorted` begins with the smallest. */
export function nearestRank(sorted: ArrayLike<number>, share: number): number | undefined {
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1];
}

/** Adds up durations. Missing durations do not count. */
export function figuresOf(durations: Iterable<number | undefined>): DurationFigures {
  const known: number[] = [];
  for (const duration of durations) if (duration !== undefined && Number.isFinite(duration)) known.push(duration);
  // A typed array sorts by number, and four times as fast as a function that compares.
  const sorted = Float64Array.from(known).sort();
  return {
    count: sorted.length,
    p50Ms: nearestRank(sorted, 0.5),
    p95Ms: sorted.length < leastForP95 ? undefined : nearestRank(sorted, 0.95),
    maxMs: sorted[sorted.length - 1],
  };
}
