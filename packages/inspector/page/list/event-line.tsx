import type { EventRow } from '../../src/api/messages.js';
import { formatDuration, formatTime } from '../texts/duration.js';
import { SafeText } from '../texts/safe-text.js';
import type { Lane } from './session-lanes.js';
import { Verdict } from './verdict.js';
import { Waterfall } from './waterfall.js';
import type { TimeSpan } from './waterfall-bars.js';

interface EventLineProps {
  readonly row: EventRow;
  readonly index: number;
  /** Pixels from the first row. */
  readonly top: number;
  readonly lane: Lane | undefined;
  readonly span: TimeSpan;
  readonly nowMs: number;
  readonly isActive: boolean;
  /** What is missing before this event. Empty if nothing is. */
  readonly gap: string;
  readonly onSelect: () => void;
}

/** The number of characters of a subject that are in the document. */
const longestSubject = 200;

/** One event in the list. */
export function EventLine({ row, index, top, lane, span, nowMs, isActive, gap, onSelect }: EventLineProps) {
  const duration = row.state === 'running' ? `${formatDuration(Math.max(0, nowMs - row.at))} …` : formatDuration(row.durationMs);
  return (
    // The keys of the rows are those of the grid, which has the focus.
    <div
      id={`event-${row.n}`}
      role="row"
      class={`line line-${row.state}${gap === '' ? '' : ' after-gap'}`}
      aria-rowindex={index + 2}
      aria-selected={isActive}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onSelect}
    >
      <span role="gridcell" class="cell-time">
        {formatTime(row.at)}
      </span>
      <span role="gridcell" class="cell-session">
        {lane !== undefined && (
          <>
            <span class={`lane lane-${lane.colour}`}>{lane.letter}</span>{' '}
            <span class="lane-id">
              <SafeText text={row.session ?? ''} longest={24} />
            </span>
          </>
        )}
      </span>
      <span role="gridcell" class="cell-event">
        <SafeText text={row.event} longest={60} />
        {gap !== '' && <span class="gap"> ({gap})</span>}
      </span>
      <span role="gridcell" class="cell-subject">
        <SafeText text={row.subject ?? ''} longest={longestSubject} />
      </span>
      <span role="gridcell" class="cell-hooks">
        {row.run}/{row.all}
      </span>
      <span role="gridcell" class="cell-verdict">
        <Verdict row={row} />
      </span>
      <span role="gridcell" class="cell-duration">
        {duration}
      </span>
      <span role="gridcell" class="cell-when">
        <Waterfall row={row} span={span} nowMs={nowMs} />
      </span>
    </div>
  );
}
