/** A time as a reader wants it, at most eight columns up to an hour: `< 1 ms`, `41 ms`, `1.24 s`, `12.3 s`, `2 m 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms <= 0 ? '0 ms' : '< 1 ms';
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s`;
}
