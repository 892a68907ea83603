/**
 * Returns milliseconds since 1970 for a time of `performance.now()`. All times of spans come from this clock, which never goes back, as do the
 * durations in outcomes.
 */
export function toTimestamp(at: number): number {
  return performance.timeOrigin + at;
}
