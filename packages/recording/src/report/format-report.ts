import { escapeUnseen } from '@tenterhook/runtime/text';
import { type Cells, cellsOf, formatMs, headOf } from './cells.js';
import type { RecordingReport } from './recording-report.js';

const toTheRight: readonly (keyof Cells)[] = ['runs', 'p50', 'p95', 'max', 'waited'];
const summaryWidth = 90;

/** Returns a report as a table for a terminal. Characters that a terminal interprets are escaped. `title` names the recordings. */
export function formatReport(report: RecordingReport, title = ''): string {
  const rows = [headOf(report), ...report.rows.map((row) => cellsOf(row, report))];
  const columns = (Object.keys(rows[0] as Cells) as (keyof Cells)[]).filter((column) => rows.some((row) => row[column] !== ''));
  const widths = new Map(columns.map((column) => [column, Math.max(...rows.map((row) => row[column].length))]));
  const lines = rows.map((row) =>
    columns
      .map((column) => {
        const width = widths.get(column) as number;
        return toTheRight.includes(column) ? row[column].padStart(width) : row[column].padEnd(width);
      })
      .join('  '),
  );
  const summary = summaryOf(report);
  const head = title === '' ? summary : `${summary.padEnd(summaryWidth)} ${escapeUnseen(title)}`;
  return [head, ...lines.map((line) => `  ${line}`)].map((line) => `${line.trimEnd()}\n`).join('');
}

/** The line above a report. */
export function summaryOf({ events, runs, hooks, waitedMs, hasTimes }: RecordingReport): string {
  const waited = hasTimes ? `, ${formatMs(waitedMs)} waited for hooks` : ', without times: the minimal form has none';
  return `${counted(events, 'event')}, ${counted(runs, 'run')} of ${counted(hooks, 'hook')}${waited}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
