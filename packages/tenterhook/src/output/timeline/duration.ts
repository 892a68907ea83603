/** Formats a duration of up to an hour in at most eight columns: `< 1 ms`, `41 ms`, `1.24 s`, `12.3 s`, `2 m 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms <= 0 ? '0 ms' : '< 1 ms';
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s`;
}

const cells = { '00': ' ', '10': '▌', '01': '▐', '11': '█' } as const;

/** Draws when a hook ran, on the time axis of all hooks of an event. The shortest bar is half a cell. */
export function renderBar(startMs: number, durationMs: number, axisMs: number, columns: number): string {
  const steps = columns * 2;
  const stepAt = (ms: number) => (axisMs > 0 ? Math.round((ms / axisMs) * steps) : 0);
  const from = Math.min(Math.max(stepAt(startMs), 0), steps - 1);
  const to = Math.min(Math.max(stepAt(startMs + durationMs), from + 1), steps);
  const covers = (step: number) => (step >= from && step < to ? 1 : 0);
  return Array.from({ length: columns }, (_, cell) => cells[`${covers(cell * 2)}${covers(cell * 2 + 1)}`])
    .join('')
    .trimEnd();
}
