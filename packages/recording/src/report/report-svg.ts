import { escapeMarkup } from '@tenterhook/runtime/text';
import { cellsOf, formatMs } from './cells.js';
import type { RecordingReport } from './recording-report.js';

const nameWidth = 240;
const chartWidth = 480;
const rowHeight = 24;
const top = 28;
/** Beyond this number of rows the picture is too tall. */
const mostRows = 200;

/**
 * Returns a picture of the durations: a line from p50 to p95 for each row, and a dot for its maximum. A row of few runs has a line to its
 * maximum. Colours are those of the text around it.
 */
export function reportSvg(report: RecordingReport): string {
  const rows = report.rows.filter(({ p50Ms }) => p50Ms !== undefined).slice(0, mostRows);
  const longest = Math.max(1, ...rows.map(({ maxMs = 0 }) => maxMs));
  const x = (ms: number) => Math.round((nameWidth + (ms / longest) * chartWidth) * 10) / 10;
  const lines = rows.flatMap((row, index) => {
    const { p50Ms = 0, p95Ms, maxMs = 0 } = row;
    const y = top + index * rowHeight + rowHeight / 2;
    const { name } = cellsOf(row, report);
    const shown = name.length > 34 ? `${name.slice(0, 33)}…` : name;
    const label = `${name}: p50 ${formatMs(p50Ms)}, p95 ${formatMs(p95Ms)}, max ${formatMs(maxMs)}`;
    return [
      `<g><title>${escapeMarkup(label)}</title>`,
      `<text x="${nameWidth - 8}" y="${y + 4}" text-anchor="end">${escapeMarkup(shown)}</text>`,
      `<line x1="${x(p50Ms)}" y1="${y}" x2="${x(p95Ms ?? maxMs)}" y2="${y}" stroke="currentColor" stroke-width="6" stroke-linecap="round"/>`,
      `<circle cx="${x(maxMs)}" cy="${y}" r="3.5" fill="none" stroke="currentColor" stroke-width="1.5"/></g>`,
    ];
  });
  const height = top + rows.length * rowHeight + 8;
  const width = nameWidth + chartWidth + 16;
  const axis = [0, 0.5, 1].map(
    (share) => `<text x="${x(share * longest)}" y="16" text-anchor="middle">${formatMs(share * longest)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width + 24} ${height}" width="${width + 24}" height="${height}" font-family="sans-serif" font-size="12" fill="currentColor">`,
    `<title>Durations of ${report.by === 'hook' ? 'hooks' : `hooks by ${report.by}`}</title>`,
    ...axis,
    ...lines,
    '</svg>\n',
  ].join('\n');
}
