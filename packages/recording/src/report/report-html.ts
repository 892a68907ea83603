import { escapeMarkup } from '@tenterhook/runtime/text';
import { type Cells, cellsOf, headOf } from './cells.js';
import { summaryOf } from './format-report.js';
import type { RecordingReport } from './recording-report.js';
import { reportSvg } from './report-svg.js';

const style = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
.number { text-align: right; white-space: nowrap; }
`;

const numbers: readonly string[] = ['runs', 'p50', 'p95', 'max', 'waited'];

/** Returns a report as one HTML page without a script and without a request. Every text is escaped. `title` names the recordings. */
export function reportHtml(report: RecordingReport, title = 'Hooks'): string {
  const head = headOf(report);
  const rows = report.rows.map((row) => cellsOf(row, report));
  const columns = (Object.keys(head) as (keyof Cells)[]).filter((column) => head[column] !== '');
  const classOf = (column: string) => (numbers.includes(column) ? ' class="number"' : '');
  const body = rows.map((row) => {
    const [first, ...others] = columns;
    const cells = others.map((column) => `<td${classOf(column)}>${escapeMarkup(row[column])}</td>`);
    return `<tr><th scope="row">${escapeMarkup(row[first as keyof Cells])}</th>${cells.join('')}</tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(summaryOf(report))}</p>
<div class="wide" tabindex="0" role="region" aria-label="Durations">
${report.hasTimes ? reportSvg(report) : ''}</div>
<div class="wide" tabindex="0" role="region" aria-label="Figures">
<table>
<thead><tr>${columns.map((column) => `<th scope="col"${classOf(column)}>${escapeMarkup(head[column])}</th>`).join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table>
</div>
</main>
</body>
</html>
`;
}
