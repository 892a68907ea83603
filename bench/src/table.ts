import type { Bench } from './bench.js';
import type { Measured } from './measure.js';

/** Formats a benchmark: one line for each variant, then its marks. */
export function renderTable(bench: Bench, measured: readonly Measured[]): string {
  const counts = bench.bytesOver !== undefined;
  const stalls = bench.stallRounds !== undefined;
  const times = [`median ${bench.unit}`, `p95 ${bench.unit}`, `min ${bench.unit}`, 'ratio', `own cpu ${bench.unit}`];
  const header = ['', ...times, ...(counts ? ['bytes'] : []), ...(stalls ? ['busy ms', 'stall ms'] : []), 'n'];
  const rows = measured.map((row) => [
    row.name,
    shown(row.median),
    shown(row.p95),
    shown(row.min),
    `${row.ratio.toFixed(2)}x`,
    shown(row.cpu),
    ...(counts ? [(row.bytes ?? Number.NaN).toFixed(1)] : []),
    ...(stalls ? [shown(row.busy), shown(row.stall ?? Number.NaN)] : []),
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
    ...(bench.absent ?? []).map(({ name, why }) => `  ${name.padEnd(widths[0] as number)}  not measured: ${why}`),
    ...(bench.note === undefined ? [] : [`  ${bench.note}`]),
  ].join('\n');
}

/** A mark, compared with the measurements. */
export interface CheckedMark {
  readonly text: string;
  readonly reached: boolean;
  readonly measured: string;
  /** The measured number as a multiple of the limit. */
  readonly over?: number;
  /** Why the mark was missed. */
  readonly why?: string;
}

export function checkMarks(bench: Bench, measured: readonly Measured[]): CheckedMark[] {
  const row = (name: string) => measured.find((found) => found.name === name) as Measured;
  const known = new Set(measured.map(({ name }) => name));
  return (bench.marks ?? [])
    .filter(({ needs = [] }) => needs.every((name) => known.has(name)))
    .map((mark) => {
      const checked = mark.reached(
        (name) => row(name).median,
        (name) => row(name).bytes ?? Number.NaN,
        row,
      );
      return { text: mark.text, ...checked, ...(checked.reached || mark.why === undefined ? {} : { why: mark.why }) };
    });
}

export function renderMark({ text, reached, measured }: CheckedMark): string {
  return `  ${reached ? 'reached    ' : 'NOT reached'}  ${text}: ${measured}`;
}

/** Formats a number with about three digits. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}
