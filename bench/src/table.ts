import type { Bench } from './bench.js';
import type { Measured } from './measure.js';

/** Formats a benchmark: one line for each variant, then its marks. */
export function renderTable(bench: Bench, measured: readonly Measured[]): string {
  const counts = bench.bytesOver !== undefined;
  const times = [`median ${bench.unit}`, `p95 ${bench.unit}`, `min ${bench.unit}`, 'ratio', `own cpu ${bench.unit}`];
  const header = ['', ...times, ...(counts ? ['bytes'] : []), 'n'];
  const rows = measured.map((row) => [
    row.name,
    shown(row.median),
    shown(row.p95),
    shown(row.min),
    `${row.ratio.toFixed(2)}x`,
    shown(row.cpu),
    ...(counts ? [(row.bytes ?? Number.NaN).toFixed(1)] : []),
    String(row.samples),
  ]);
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] as string).length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number)))
      .join('  ');
  return [
    bench.name,
    ...[header, ...rows].map((cells) => `  ${line(cells).trimEnd()}`),
    ...(bench.note === undefined ? [] : [`  ${bench.note}`]),
  ].join('\n');
}

export function renderMarks(bench: Bench, measured: readonly Measured[]): string[] {
  const median = (name: string) => measured.find((row) => row.name === name)?.median ?? Number.NaN;
  const bytes = (name: string) => measured.find((row) => row.name === name)?.bytes ?? Number.NaN;
  return (bench.marks ?? []).map((mark) => {
    const { reached, measured: value } = mark.reached(median, bytes);
    return `  ${reached ? 'reached    ' : 'NOT reached'}  ${mark.text}: ${value}`;
  });
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}
