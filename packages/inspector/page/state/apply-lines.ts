import { batch } from '@preact/signals';
import type { EventRow, StreamLine } from '../../src/api/messages.js';
import { visibleLine } from '../texts/visible-text.js';
import { announce, begun, type Connection, connection, gaps, overviewVersion, stats, store, storeVersion } from './page-state.js';

/** The time between two drawings of what looks at all rows, in milliseconds. */
const overviewMs = 250;
/** So many gaps are remembered. They are counted by the server. */
const mostGaps = 100;

let waiting: StreamLine[] = [];
let isScheduled = false;
let isOverviewScheduled = false;
let lastOverview = Number.NEGATIVE_INFINITY;
/** Denies of rows that were there when the page was opened are not announced. */
let hasRows = false;

/** Takes lines of the stream. All lines of a frame are applied together, so that many events a second cost one drawing a frame. */
export function applyLines(lines: readonly StreamLine[]): void {
  waiting.push(...lines);
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(flush);
}

function flush(): void {
  isScheduled = false;
  const lines = waiting;
  waiting = [];
  const denies: EventRow[] = [];
  let hasChanged = false;
  batch(() => {
    for (const line of lines) {
      if (line.kind === 'rows' || line.kind === 'row-changed') {
        const rows = line.kind === 'rows' ? line.rows : [line.row];
        if (hasRows) denies.push(...rows.filter((row) => row.verdict === 'deny' && store.find(row.n)?.verdict !== 'deny'));
        store.put(rows);
        hasChanged = true;
      } else {
        applyOther(line);
      }
    }
    if (hasChanged) {
      storeVersion.value += 1;
      scheduleOverview();
    }
  });
  hasRows ||= hasChanged;
  announceDenies(denies);
}

function applyOther(line: Exclude<StreamLine, { kind: 'rows' | 'row-changed' }>): void {
  if (line.kind === 'begin') {
    const { isMasked, recordings } = line;
    begun.value = { isMasked, recordings };
  } else if (line.kind === 'connection') {
    const { state, message } = line;
    showConnection(message === undefined ? { state } : { state, message });
  } else if (line.kind === 'gap') {
    const { from, next, why } = line;
    const others = gaps.peek().filter((gap) => gap.from !== from || gap.next !== next);
    gaps.value = [...others, { from, next, why }].slice(-mostGaps);
  } else if (line.kind === 'stats') {
    const { total, forgotten, dropped, revision } = line;
    stats.value = { total, forgotten, dropped, revision };
  }
}

/** The words for the states of a connection. */
export const connectionWords = {
  connecting: 'Connecting',
  unreachable: 'The inspector does not answer',
  connected: 'Connected',
  lost: 'The connection to the agent was lost',
  ended: 'The inspector can record no more events',
  recording: 'Recording',
} as const;

/** Shows the state of the connection, and announces it when it has changed. */
export function showConnection(next: Connection): void {
  if (next.state !== connection.peek().state) announce(`${connectionWords[next.state]}.`);
  connection.value = next;
}

/** The first rows are counted with their drawing, so that the minimap never shows another time than the list. */
function scheduleOverview(): void {
  if (isOverviewScheduled) return;
  const waitMs = lastOverview + overviewMs - performance.now();
  if (waitMs <= 0) {
    drawOverview();
    return;
  }
  isOverviewScheduled = true;
  setTimeout(() => {
    isOverviewScheduled = false;
    drawOverview();
  }, waitMs);
}

function drawOverview(): void {
  lastOverview = performance.now();
  overviewVersion.value += 1;
}

function announceDenies(denies: readonly EventRow[]): void {
  const last = denies.at(-1);
  if (last === undefined) return;
  const subject = last.subject === undefined ? '' : ` ${visibleLine(last.subject, 60)}`;
  const more = denies.length > 1 ? `, and ${denies.length - 1} more` : '';
  announce(`Denied: ${visibleLine(last.event, 60)}${subject}${more}.`);
}
