import type { EventRow } from '../../../src/api/messages.js';
import { rowHeight } from '../rows/visible-rows.js';
import { placeBars, type TimeSpan } from './waterfall-bars.js';

/** Bars of one event. More hooks than this are no longer distinguishable. */
const mostBars = 40;
/** The least width of a bar, so that a hook that took no time is seen. All lengths are pixels. */
const leastWidth = 2;
const barTop = 7;
const barHeight = 10;
const deadlineTop = 4;
const deadlineHeight = 16;

/** Returns the bars of rows as the paths of an image of this width, with the class of each. Later ones cover earlier ones. */
export function pathsOf(rows: readonly EventRow[], span: TimeSpan, nowMs: number, width: number): [name: string, path: string][] {
  const paths = new Map<string, string>();
  const add = (name: string, path: string) => paths.set(name, (paths.get(name) ?? '') + path);
  for (const [index, row] of rows.entries()) {
    const top = index * rowHeight;
    for (const bar of placeBars(row, span, nowMs).slice(0, mostBars)) {
      const { left, length } = pixelsOf(bar.left, bar.width, width);
      // A waiting hook is a dashed line, because the hatching of a box needs an image of its own.
      if (bar.kind === 'queued') add('bar bar-queued', `M${left} ${top + barTop + barHeight / 2}h${length}`);
      else add(`bar bar-${bar.kind} bar-is-${classOf(bar.hook.status)}`, box(left, top + barTop, length, barHeight));
      if (bar.deadline === undefined) continue;
      add('deadline', box(pixelsOf(bar.deadline, 0, width).left, top + deadlineTop, leastWidth, deadlineHeight));
    }
  }
  return [...paths].sort(([one], [other]) => rankOf(one) - rankOf(other));
}

/** A bar is never shorter than can be seen, and never leaves the image. Each digit more would be read by the browser in each frame. */
function pixelsOf(leftPercent: number, widthPercent: number, width: number): { readonly left: number; readonly length: number } {
  const short = (pixels: number) => Math.round(pixels * 10) / 10;
  const length = Math.max(leastWidth, short((widthPercent / 100) * width));
  return { left: Math.max(0, Math.min(short((leftPercent / 100) * width), width - length)), length };
}

function box(left: number, top: number, width: number, height: number): string {
  return `M${left} ${top}h${width}v${height}h${-width}z`;
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
