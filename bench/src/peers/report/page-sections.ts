import type { BenchResult, RunResult } from '../../run-benches.js';
import { type CheckedMark, shown } from '../../table.js';

/** The generated sections of docs/performance.md, by name. */
export function performanceSections(run: RunResult): Record<string, string> {
  return { machine: machineTable(run), targets: targetsTable(run.results), table: numbersTable(run.results) };
}

function machineTable({ machine, load }: RunResult): string {
  return table(['', 'this run'], [...Object.entries(machine), ['load at the end', load.toFixed(2)]]);
}

/** Every target, and below the table the reasons for those that were missed. */
function targetsTable(results: readonly BenchResult[]): string {
  const marks = results.flatMap((result) => result.marks);
  const rows = marks.map((mark) => [mark.text, mark.measured, stateOf(mark)]);
  const missed = marks.filter(({ why }) => why !== undefined).map(({ text, why }) => `- ${text}. ${why}`);
  return [table(['target', 'this run', ''], rows), ...(missed.length === 0 ? [] : ['Why targets are missed:', missed.join('\n')])].join(
    '\n\n',
  );
}

function stateOf({ reached, over }: CheckedMark): string {
  if (reached) return 'reached';
  return over === undefined ? 'missed' : `missed: ${over.toFixed(over < 10 ? 2 : 0)} times the target`;
}

/** One table of all benchmarks. Milliseconds of the event loop are shown only where a benchmark measures them. */
function numbersTable(results: readonly BenchResult[]): string {
  const rows = results.flatMap(({ bench, unit, measured, absent = [] }) => [
    ...measured.map((row, index) => [
      index === 0 ? `**${bench}**` : '',
      row.name,
      `${shown(row.median)} ${unit}`,
      `${shown(row.p95)} ${unit}`,
      `${shown(row.ratio)}`,
      unit === 'MiB' ? '–' : `${shown(row.cpu)} ${unit}`,
      row.stall === undefined ? '–' : `${shown(row.busy)} ms`,
      row.stall === undefined ? '–' : `${shown(row.stall)} ms`,
      String(row.samples),
    ]),
    ...absent.map(({ name, why }) => ['', name, `not measured: ${why}`, '', '', '', '', '', '']),
  ]);
  return table(['', '', 'median', 'p95', 'ratio', 'own CPU', 'main thread busy', 'longest stall', 'n'], rows);
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** `<` would begin a tag, and `|` would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
