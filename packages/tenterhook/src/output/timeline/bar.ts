const cells = { '00': ' ', '10': '▌', '01': '▐', '11': '█' } as const;

/** When a hook ran, on the time axis that all hooks of an event share; half a cell is the smallest step, and the least that is drawn. */
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
