import type { EventRow, HookBar } from '../../../src/api/messages.js';

/** A part of the time axis, in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** A part of a bar. `left` and `width` are percent of the axis, and never leave it. */
export interface PlacedBar {
  readonly hook: HookBar;
  readonly kind: 'queued' | 'running' | 'ended';
  readonly left: number;
  readonly width: number;
  /** Where the hook is or was stopped, in percent. Only for a hook that still runs or that timed out. */
  readonly deadline?: number;
}

/** Waiting for less than this is the start of a process, which is not shown as queueing. */
const leastWaitMs = 2;

/** Returns the time from the first request to the last end of some rows. Running hooks end now. */
export function spanOf(rows: readonly EventRow[], nowMs: number): TimeSpan {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    if (!Number.isFinite(row.at)) continue;
    from = Math.min(from, row.at);
    to = Math.max(to, endOf(row, nowMs));
  }
  if (from > to) return { from: nowMs, to: nowMs + 1 };
  return { from, to: Math.max(to, from + 1) };
}

/** Returns when the last hook of an event ended, and at least when the event was answered. */
export function endOf(row: EventRow, nowMs: number): number {
  let end = row.at + finite(row.durationMs);
  for (const hook of row.hooks) {
    if (isRunning(hook)) end = Math.max(end, nowMs);
    else if (hook.endMs !== undefined) end = Math.max(end, row.at + finite(hook.endMs));
  }
  return row.state === 'running' ? Math.max(end, nowMs) : end;
}

/** Tests whether a hook has not ended. Skipped hooks have neither start nor end. */
export function isRunning({ status, endMs }: HookBar): boolean {
  return endMs === undefined && (status === 'running' || status === 'queued' || status === 'detached');
}

/** Returns the bars of an event in the order of its hooks: how long each waited for its turn, and how long it ran. */
export function placeBars(row: EventRow, span: TimeSpan, nowMs: number): PlacedBar[] {
  const percent = (at: number) => clamp(((at - span.from) / (span.to - span.from)) * 100);
  const begins = stageBegins(row.hooks);
  return row.hooks.flatMap((hook): PlacedBar[] => {
    const from = row.at + (begins.get(hook.stage) ?? 0);
    if (hook.startMs === undefined) {
      return hook.status === 'queued' ? [bar(hook, 'queued', percent(from), percent(nowMs))] : [];
    }
    const start = row.at + finite(hook.startMs);
    const runs = isRunning(hook);
    const end = runs ? Math.max(nowMs, start) : row.at + Math.max(finite(hook.endMs), finite(hook.startMs));
    const waited = start - from >= leastWaitMs ? [bar(hook, 'queued', percent(from), percent(start))] : [];
    const hasDeadline = hook.timeoutMs !== undefined && (runs || hook.status === 'timed-out');
    const deadline = start + finite(hook.timeoutMs);
    const isOnAxis = hasDeadline && deadline >= span.from && deadline <= span.to;
    const own = bar(hook, runs ? 'running' : 'ended', percent(start), percent(end));
    return [...waited, isOnAxis ? { ...own, deadline: percent(deadline) } : own];
  });
}

/** Returns when each stage began: when the last hook of an earlier stage ended, asynchronous hooks aside. */
function stageBegins(hooks: readonly HookBar[]): Map<number, number> {
  const ends = new Map<number, number>();
  for (const { stage, endMs, late } of hooks) {
    if (late !== true) ends.set(stage, Math.max(ends.get(stage) ?? 0, finite(endMs)));
  }
  const begins = new Map<number, number>();
  let begin = 0;
  for (const stage of [...new Set(hooks.map((hook) => hook.stage))].sort((a, b) => a - b)) {
    begins.set(stage, begin);
    begin = Math.max(begin, ends.get(stage) ?? 0);
  }
  return begins;
}

function bar(hook: HookBar, kind: PlacedBar['kind'], left: number, right: number): PlacedBar {
  return { hook, kind, left, width: Math.max(0, right - left) };
}

/** Recordings come from elsewhere, so a time may be anything. */
function finite(ms: number | undefined): number {
  return ms !== undefined && Number.isFinite(ms) ? ms : 0;
}

function clamp(percent: number): number {
  return Number.isFinite(percent) ? Math.min(100, Math.max(0, percent)) : 0;
}
