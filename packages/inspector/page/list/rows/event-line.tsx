import { Component } from 'preact';
import type { EventRow } from '../../../src/api/messages.js';
import { formatDuration, formatTime } from '../../texts/duration.js';
import { SafeText } from '../../texts/safe-text.js';
import type { Lane } from '../session-lanes.js';
import { Verdict } from '../verdict.js';

interface EventLineProps {
  readonly row: EventRow;
  readonly index: number;
  readonly lane: Lane | undefined;
  /** The time, for an event that runs. */
  readonly nowMs: number;
  readonly isActive: boolean;
  /** What is missing before this event. Empty if nothing is. */
  readonly gap: string;
}

/** The number of characters of a subject that are in the document. */
const longestSubject = 200;

/** One event in the list. Drawn again only if one of its properties has changed, because the list is drawn at each frame of a scroll. */
export class EventLine extends Component<EventLineProps> {
  override shouldComponentUpdate(next: EventLineProps): boolean {
    const names = Object.keys(next) as (keyof EventLineProps)[];
    return names.some((name) => next[name] !== this.props[name]);
  }

  override render({ row, index, lane, nowMs, isActive, gap }: EventLineProps) {
    const duration = row.state === 'running' ? `${formatDuration(Math.max(0, nowMs - row.at))} …` : formatDuration(row.durationMs);
    return (
      // The keys of the rows are those of the grid, which has the focus.
      <div
        id={`event-${row.n}`}
        role="row"
        class={`line line-${row.state}${gap === '' ? '' : ' after-gap'}`}
        aria-rowindex={index + 2}
        aria-selected={isActive}
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
        <span role="gridcell" class="cell-when" />
      </div>
    );
  }
}
