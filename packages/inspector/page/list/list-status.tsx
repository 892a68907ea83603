import { useMemo } from 'preact/hooks';
import { describeFailure } from '../server/request.js';
import { announce, filterText, follows, gaps, overviewVersion, stats, store } from '../state/page-state.js';
import { counted, formatDuration } from '../texts/duration.js';
import { exportRows } from './export-rows.js';
import { figuresOf } from './percentile.js';

/** The line below the list: how many events it shows, how long they took, and what is missing. Losses are never hidden. */
export function ListStatus() {
  const version = overviewVersion.value;
  void filterText.value;
  const { shown, rows } = store;
  const figures = useMemo(() => figuresOf(shown), [version, shown]);
  const { forgotten, dropped } = stats.value;
  const lost = gaps.value.filter(({ why }) => why !== 'forgotten').reduce((sum, { from, next }) => sum + Math.max(0, next - from), 0);
  const losses = gaps.value.filter(({ why }) => why === 'disconnected').length;
  const gone = Math.max(forgotten, store.removed);
  return (
    <div class="status" id="list-status">
      <div class="status-texts">
        <span>
          {shown.length === rows.length
            ? counted(rows.length, 'event')
            : `${shown.length.toLocaleString('en-US')} of ${counted(rows.length, 'event')}`}
        </span>
        {figures.count > 0 && (
          <span>
            p50 {formatDuration(figures.p50Ms)}, p95 {formatDuration(figures.p95Ms)}, max {formatDuration(figures.maxMs)}
          </span>
        )}
        {gone > 0 && <span class="problem">{counted(gone, 'older event')} no longer kept</span>}
        {lost > 0 && <span class="problem">{counted(lost, 'event')} missing</span>}
        {losses > 0 && <span class="problem">connection lost {losses === 1 ? 'once' : `${losses} times`}</span>}
        {dropped > 0 && <span class="problem">{counted(dropped, 'message')} dropped by the agent</span>}
      </div>
      <button
        type="button"
        class="export"
        disabled={shown.length === 0}
        onClick={() => exportRows().catch((error: unknown) => announce(describeFailure(error)))}
      >
        Export (masked)
      </button>
      <label class="follow">
        <input
          type="checkbox"
          checked={follows.value}
          onChange={(event) => {
            follows.value = event.currentTarget.checked;
          }}
        />{' '}
        Follow
      </label>
    </div>
  );
}
