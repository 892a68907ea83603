import { useSignal } from '@preact/signals';
import type { TargetedEvent } from 'preact';
import { useMemo } from 'preact/hooks';
import { replaceTerm } from '../filter/edit-filter.js';
import { parseTimeRange } from '../filter/parse-filter.js';
import { filterText, overviewVersion, setFilter, store } from '../state/page-state.js';
import { formatTime } from '../texts/duration.js';
import { countColumns, type MinimapColumns, rangeBetween } from './minimap-columns.js';

const columns = 200;
const height = 32;
/** A drag of less than this share is a click, which shows everything again. */
const leastDrag = 0.005;
/** The share by which a key moves the selected time. */
const keyStep = 0.02;

/** The whole run as a histogram of its events. Dragging over it, or the arrow keys, filter by time. */
export function Minimap() {
  const version = overviewVersion.value;
  const map = useMemo(() => countColumns(store.rows, columns, Date.now()), [version]);
  const dragged = useSignal<readonly [from: number, to: number] | undefined>(undefined);
  const chosen = dragged.value ?? chosenShares(map);
  const shareOf = (event: TargetedEvent<HTMLDivElement, PointerEvent>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  // Without events it has its place too: what appears later would move the list away from a click.
  const isEmpty = store.rows.length === 0;
  return (
    <div
      class="minimap"
      role="slider"
      tabIndex={0}
      aria-label="Time that is shown"
      aria-disabled={isEmpty}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((chosen?.[0] ?? 0) * 100)}
      aria-valuetext={describe(chosen, map)}
      onPointerDown={(event) => {
        if (isEmpty) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        dragged.value = [shareOf(event), shareOf(event)];
      }}
      onPointerMove={(event) => {
        if (dragged.value !== undefined) dragged.value = [dragged.value[0], shareOf(event)];
      }}
      onPointerUp={(event) => {
        const from = dragged.value?.[0];
        dragged.value = undefined;
        if (from !== undefined) choose(from, shareOf(event), map);
      }}
      onPointerCancel={() => {
        dragged.value = undefined;
      }}
      onKeyDown={(event) => {
        if (!isEmpty && moveByKey(event.key, event.shiftKey, chosen, map)) event.preventDefault();
      }}
    >
      <svg viewBox={`0 0 ${columns} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="minimap-all" d={pathOf(map.counts, map.most)} />
        <path class="minimap-deny" d={pathOf(map.denies, map.most)} />
        {chosen !== undefined && (
          <rect
            class="minimap-chosen"
            x={Math.min(...chosen) * columns}
            y={0}
            width={Math.max(1, Math.abs(chosen[1] - chosen[0]) * columns)}
            height={height}
          />
        )}
      </svg>
    </div>
  );
}

/** One bar for each column that has events. The smallest is two units high, so that a single event is seen. */
function pathOf(counts: Uint32Array, most: number): string {
  let path = '';
  for (const [column, count] of counts.entries()) {
    if (count === 0) continue;
    const top = Math.max(2, Math.round((count / most) * height));
    path += `M${column} ${height}v-${top}h1v${top}z`;
  }
  return path;
}

function chosenShares({ span }: MinimapColumns): readonly [number, number] | undefined {
  const value = store.filter.terms.find(({ key, isNegated }) => key === 'time' && !isNegated)?.value;
  const range = value === undefined ? undefined : parseTimeRange(value);
  if (range === undefined) return undefined;
  const share = (at: number) => Math.min(1, Math.max(0, (at - span.from) / (span.to - span.from)));
  return [share(range.from), share(range.to)];
}

function choose(one: number, other: number, { span }: MinimapColumns): void {
  const isClick = Math.abs(one - other) < leastDrag;
  const { from, to } = rangeBetween(one, other, span);
  setFilter(replaceTerm(filterText.value, 'time', isClick ? undefined : `${from}..${to}`));
}

/** Arrows move the selected time, with Shift they move its end, and Delete shows everything. */
function moveByKey(key: string, isShift: boolean, chosen: readonly [number, number] | undefined, map: MinimapColumns): boolean {
  if (key === 'Delete' || key === 'Backspace') {
    choose(0, 0, map);
    return true;
  }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
  const step = key === 'ArrowRight' ? keyStep : -keyStep;
  if (chosen === undefined) {
    choose(step > 0 ? 0 : 0.9, step > 0 ? 0.1 : 1, map);
    return true;
  }
  const [from, to] = chosen;
  if (isShift) choose(from, Math.min(1, Math.max(from + keyStep, to + step)), map);
  else if (from + step >= 0 && to + step <= 1.001) choose(from + step, to + step, map);
  return true;
}

function describe(chosen: readonly [number, number] | undefined, { span }: MinimapColumns): string {
  if (chosen === undefined) return 'everything';
  const { from, to } = rangeBetween(chosen[0], chosen[1], span);
  return `${formatTime(from)} to ${formatTime(to)}`;
}
