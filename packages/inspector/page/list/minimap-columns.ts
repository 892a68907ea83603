import type { EventRow } from '../../src/api/messages.js';
import { endOf, type TimeSpan } from './waterfall/waterfall-bars.js';

/** How many events began in each part of the run. */
export interface MinimapColumns {
  readonly span: TimeSpan;
  readonly counts: Uint32Array;
  readonly denies: Uint32Array;
  /** The largest count, at least 1. */
  readonly most: number;
}

/** Counts the rows of a run by time. Rows are nearly in the order of time, but a recording of several clocks need not be. */
export function countColumns(rows: readonly EventRow[], columns: number, nowMs: number): MinimapColumns {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    if (!Number.isFinite(row.at)) continue;
    if (row.at < from) from = row.at;
    const end = row.state === 'running' ? endOf(row, nowMs) : row.at + (row.durationMs ?? 0);
    if (end > to) to = end;
  }
  const span = from > to ? { from: nowMs, to: nowMs + 1 } : { from, to: Math.max(to, from + 1) };
  const counts = new Uint32Array(columns);
  const denies = new Uint32Array(columns);
  const scale = columns / (span.to - span.from);
  let most = 1;
  for (const row of rows) {
    const column = Math.min(columns - 1, Math.max(0, Math.floor((row.at - span.from) * scale)));
    if (!Number.isFinite(column)) continue;
    const count = (counts[column] as number) + 1;
    counts[column] = count;
    if (count > most) most = count;
    if (row.verdict === 'deny') denies[column] = (denies[column] as number) + 1;
  }
  return { span, counts, denies, most };
}

/** Returns the time between two places of the minimap. Places are shares of its width, in any order. */
export function rangeBetween(one: number, other: number, { from, to }: TimeSpan): TimeSpan {
  const [left, right] = [Math.min(one, other), Math.max(one, other)].map((share) => Math.min(1, Math.max(0, share))) as [number, number];
  return { from: Math.floor(from + left * (to - from)), to: Math.ceil(from + right * (to - from)) };
}
