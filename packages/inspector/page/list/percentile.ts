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

/** Adds up the durations of rows. Missing durations do not count. */
export function figuresOf(rows: readonly { readonly durationMs?: number }[]): DurationFigures {
  // A typed array sorts by number, and four times as fast as a function that compares.
  const known = new Float64Array(rows.length);
  let count = 0;
  for (const { durationMs } of rows) if (durationMs !== undefined && Number.isFinite(durationMs)) known[count++] = durationMs;
  const sorted = known.subarray(0, count).sort();
  return {
    count,
    p50Ms: nearestRank(sorted, 0.5),
    p95Ms: count < leastForP95 ? undefined : nearestRank(sorted, 0.95),
    maxMs: sorted[count - 1],
  };
}
