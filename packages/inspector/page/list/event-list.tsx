import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EventRow } from '../../src/api/messages.js';
import { active, follows, gaps, openEvent, opened, store, storeVersion } from '../state/page-state.js';
import { activate, listScroller, moveActive } from './list-actions.js';
import { EventLine } from './rows/event-line.js';
import { RowElements } from './rows/row-elements.js';
import { useFollow } from './rows/use-follow.js';
import { useVisibleRows } from './rows/use-visible-rows.js';
import { rowHeight } from './rows/visible-rows.js';
import { createLanes } from './session-lanes.js';
import { useNow } from './use-now.js';
import { Waterfall } from './waterfall/waterfall.js';
import { isRunning } from './waterfall/waterfall-bars.js';

const columns = ['Time', 'Session', 'Event', 'Subject', 'Hooks', 'Verdict', 'Duration', 'When its hooks ran'] as const;
const lanes = createLanes();

/** The list of events. Only the rows that can be seen are elements. */
export function EventList() {
  void storeVersion.value;
  const { shown } = store;
  const scroller = useRef<HTMLDivElement>(null);
  const elements = useRef(new RowElements()).current;
  const isHeld = useRef(false);
  const { first, end, scrollTo } = useVisibleRows(scroller, shown.length, follows.value && !isHeld.current);
  const visible = shown.slice(first, end);
  const now = useNow(visible.some((row) => row.state === 'running' || row.hooks.some(isRunning)));
  const isActiveDrawn = visible.some(({ n }) => n === active.value);
  const keys = elements.assign(visible.map(({ n }) => n));
  useFollow(scroller, isHeld, shown.length + store.removed);
  useEffect(() => {
    listScroller.scrollTo = (index) => scrollTo(index, 'auto');
    // The address may name an event that is far down.
    const index = active.value === undefined ? -1 : store.shownIndex(active.value);
    if (index >= 0) scrollTo(index, 'center');
    return () => {
      delete listScroller.scrollTo;
    };
  }, []);
  return (
    <div class="grid-frame">
      <div
        id="events-grid"
        ref={scroller}
        class="grid"
        role="grid"
        tabIndex={0}
        aria-label="Events"
        aria-rowcount={shown.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={isActiveDrawn ? `event-${active.value}` : undefined}
        onKeyDown={(event) => {
          if (move(event.key, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)) event.preventDefault();
        }}
      >
        <div role="rowgroup" class="grid-head">
          <div role="row" aria-rowindex={1} class="line">
            {columns.map((column) => (
              <span key={column} role="columnheader" class={`cell-${column.split(' ')[0]?.toLowerCase()}`}>
                {column}
              </span>
            ))}
          </div>
        </div>
        <div class="grid-body" style={{ height: `${shown.length * rowHeight}px` }}>
          <div role="rowgroup" class="grid-rows" style={{ transform: `translateY(${first * rowHeight}px)` }} onClick={choose}>
            {visible.map((row, place) => (
              <EventLine
                key={keys[place]}
                row={row}
                index={first + place}
                lane={lanes(row.session)}
                nowMs={row.state === 'running' ? now : 0}
                isActive={row.n === active.value}
                gap={missingBefore(row, shown[first + place - 1])}
              />
            ))}
            <Waterfall key="waterfall" rows={visible} nowMs={now} />
          </div>
        </div>
      </div>
      {shown.length === 0 && <EmptyList />}
      <NewEvents />
    </div>
  );
}

/** Opens the details of the row that was clicked, or closes them. One listener for all rows, because rows are given other events. */
function choose({ target }: Event): void {
  const line = (target as Element).closest('.line');
  if (line === null) return;
  const n = Number(line.id.slice('event-'.length));
  follows.value = false;
  if (opened.value === n) opened.value = undefined;
  else openEvent(n);
}

/** The keys of a grid. Returns whether the key is one of them. */
function move(key: string, page: number): boolean {
  if (key === 'ArrowDown') moveActive(1);
  else if (key === 'ArrowUp') moveActive(-1);
  else if (key === 'PageDown') moveActive(page);
  else if (key === 'PageUp') moveActive(-page);
  else if (key === 'Home') activate(0);
  else if (key === 'End') activate(store.shown.length - 1);
  else return false;
  return true;
}

/** Returns what is missing before a row, because the page was too slow or the connection was lost. Empty if nothing is. */
function missingBefore(row: EventRow, before: EventRow | undefined): string {
  const gap = gaps.value.find(({ next }) => next === row.n);
  if (gap === undefined) return '';
  if (gap.why === 'disconnected') return 'connection lost before';
  return before !== undefined && before.n >= gap.from ? '' : `${gap.next - gap.from} missing before`;
}

/** How many of the rows that the filter shows were added since the list stopped following. */
function NewEvents() {
  // A component without properties is drawn again only by a signal.
  void storeVersion.value;
  const last = store.rows.at(-1)?.n ?? -1;
  const seen = useSignal(last);
  if (follows.value && seen.peek() !== last) seen.value = last;
  const news = store.shownAfter(seen.value);
  if (follows.value || news === 0) return null;
  return (
    <button
      type="button"
      class="new-events"
      onClick={() => {
        follows.value = true;
      }}
    >
      {news} new
    </button>
  );
}

function EmptyList() {
  void storeVersion.value;
  const isFiltered = store.filter.terms.length > 0 && store.rows.length > 0;
  return <p class="empty">{isFiltered ? 'No event fits the filter.' : 'No event yet. Events appear here when the agent fires them.'}</p>;
}
