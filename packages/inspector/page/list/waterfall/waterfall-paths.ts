import type { EventRow } from '../../../src/api/messages.js';
import { rowHeight } from '../rows/visible-rows.js';
import { placeBars, type TimeSpan } from './waterfall-bars.js';

/** Bars of one event. More hooks than this are no longer distinguishable. */
const mostBars = 40;
/** The least width of a bar in percent of the axis, so that a hook that took no time is seen. */
const leastWidth = 0.7;
/** Where a bar begins in its row, and how high it is, in pixels. */
const barTop = 7;
const barHeight = 10;
const deadlineTop = 4;
const deadlineHeight = 16;

/** Returns the bars of rows as the paths of an SVG image that is 100 wide, with the class of each. Later ones cover earlier ones. */
export function pathsOf(rows: readonly EventRow[], span: TimeSpan, nowMs: number): [name: string, path: string][] {
  const paths = new Map<string, string>();
  const add = (name: string, path: string) => paths.set(name, (paths.get(name) ?? '') + path);
  for (const [index, row] of rows.entries()) {
    const top = index * rowHeight;
    for (const { hook, kind, left, width, deadline } of placeBars(row, span, nowMs).slice(0, mostBars)) {
      const shownWidth = Math.max(leastWidth, width);
      const from = short(Math.min(left, 100 - shownWidth));
      // A waiting hook is a dashed line, because a pattern would be stretched with the image.
      if (kind === 'queued') add('bar bar-queued', `M${from} ${top + barTop + barHeight / 2}h${short(shownWidth)}`);
      else add(`bar bar-${kind} bar-is-${classOf(hook.status)}`, box(from, top + barTop, short(shownWidth), barHeight));
      if (deadline !== undefined)
        add('deadline', box(short(Math.min(deadline, 100 - leastWidth)), top + deadlineTop, leastWidth, deadlineHeight));
    }
  }
  return [...paths].sort(([one], [other]) => rankOf(one) - rankOf(other));
}

function box(left: number, top: number, width: number, height: number): string {
  return `M${left} ${top}h${width}v${height}h${-width}z`;
}

/** A tenth of a pixel of a usual column. Each digit more is read by the browser in each frame. */
function short(percent: number): number {
  return Math.round(percent * 100) / 100;
}

/** What went wrong covers what went well. */
function rankOf(name: string): number {
  if (name === 'deadline') return 4;
  if (/blocked|failed|timed-out/.test(name)) return 3;
  return name.includes('running') ? 2 : name.includes('ended') ? 1 : 0;
}

/** A status comes from a recording, and a class name has no blanks. */
function classOf(status: string): string {
  return status.replaceAll(/[^a-z-]/g, '');
}
