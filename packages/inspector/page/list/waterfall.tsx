import type { EventRow } from '../../src/api/messages.js';
import { placeBars, type TimeSpan } from './waterfall-bars.js';

/** Bars of one event. More hooks than this are no longer distinguishable. */
const mostBars = 40;

/** When the hooks of an event waited and ran, on the time axis of the rows that can be seen. */
export function Waterfall({ row, span, nowMs }: { readonly row: EventRow; readonly span: TimeSpan; readonly nowMs: number }) {
  const bars = placeBars(row, span, nowMs).slice(0, mostBars);
  return (
    <span class="waterfall" aria-hidden="true">
      {bars.map(({ hook, kind, left, width, deadline }, index) => (
        <span key={index}>
          <span class={`bar bar-${kind} bar-is-${classOf(hook.status)}`} style={{ left: `${left}%`, width: `${width}%` }} />
          {deadline !== undefined && <span class="deadline" style={{ left: `${deadline}%` }} />}
        </span>
      ))}
    </span>
  );
}

/** A status comes from a recording, and a class name has no blanks. */
function classOf(status: string): string {
  return status.replaceAll(/[^a-z-]/g, '');
}
