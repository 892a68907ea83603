import { escapeUnseen } from '@tenterhook/runtime/text';
import type { RecordingReport, ReportRow } from './recording-report.js';

/** The texts of a row, which all forms of a report show. */
export interface Cells {
  readonly name: string;
  readonly event: string;
  readonly engine: string;
  readonly runs: string;
  readonly p50: string;
  readonly p95: string;
  readonly max: string;
  readonly waited: string;
  readonly said: string;
  readonly failed: string;
}

/** The maximum number of characters of a name. */
const longestName = 60;

/** Returns the heads of the columns. The head of a column that is left out is empty. */
export function headOf({ by, rows }: RecordingReport): Cells {
  const event = by === 'event' ? '' : 'event';
  const engine = rows.some(({ engines }) => engines.length > 0) ? 'engine' : '';
  return { name: by, event, engine, runs: 'runs', p50: 'p50', p95: 'p95', max: 'max', waited: 'waited', said: 'said', failed: 'failed' };
}

export function cellsOf(row: ReportRow, { by, hasTimes }: RecordingReport): Cells {
  const { name, events, engines, runs, p50Ms, p95Ms, maxMs, waitedShare, failures, skips, circuits, timeouts } = row;
  const said = (['deny', 'ask', 'allow', 'stop'] as const).flatMap((kind) => (row[kind] === 0 ? [] : [`${kind} ${row[kind]}`]));
  const rewrote = row.rewrites === 0 ? [] : [`rewrote ${row.rewrites}`];
  const late = timeouts === 0 ? [] : [`timed out ${timeouts}`];
  const failed = Object.entries(failures).flatMap(([code, count]) =>
    code === 'timeout' && count === timeouts ? [] : [`${code} ${count}`],
  );
  const skipped = Object.entries(skips).map(([reason, count]) => `skipped ${reason} ${count}`);
  const changed = Object.entries(circuits).map(([state, count]) => `circuit ${state} ${count}`);
  return {
    name: shortened(name),
    event: by === 'event' ? '' : events.length === 1 ? shortened(events[0] as string) : `${events.length} events`,
    engine: engines.map(shortened).join(', '),
    runs: String(runs),
    p50: formatMs(p50Ms),
    p95: formatMs(p95Ms),
    max: formatMs(maxMs),
    waited: hasTimes ? `${Math.round(waitedShare * 100)} %` : '–',
    said: listed([...said, ...rewrote]),
    // A matcher that does not fit is the usual case, and would fill the column.
    failed: listed([...late, ...failed, ...skipped.filter((text) => !text.startsWith('skipped matcher ')), ...changed]),
  };
}

export function formatMs(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
}

function shortened(text: string): string {
  const escaped = escapeUnseen(text);
  return escaped.length > longestName ? `${escaped.slice(0, longestName - 1)}…` : escaped;
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? '–' : texts.map((text) => escapeUnseen(text)).join(', ');
}
