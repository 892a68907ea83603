import { availableParallelism, loadavg } from 'node:os';
import type { Absent, Bench, Unit } from './bench.js';
import { describeMachine } from './machine.js';
import { type Measured, measure } from './measure.js';
import { type CheckedMark, checkMarks, renderMark, renderTable } from './table.js';

/** What a run measured. Written as JSON. */
export interface RunResult {
  readonly machine: Record<string, string>;
  /** The load at the end. Above one per core, the run is void. */
  readonly load: number;
  readonly results: readonly BenchResult[];
}

export interface BenchResult {
  readonly bench: string;
  readonly unit: Unit;
  readonly note?: string;
  readonly measured: readonly Measured[];
  readonly absent?: readonly Absent[];
  readonly marks: readonly CheckedMark[];
}

export interface RunOptions {
  /** Runs the benches whose name contains the text. @default all */
  readonly only?: string | undefined;
  /** The number of rounds of every bench. @default each has its own */
  readonly rounds?: number | undefined;
  /** More lines about the machine. */
  readonly versions?: Record<string, string>;
  /** Prints nothing but the progress. */
  readonly quiet?: boolean;
}

/** Runs the benches one after another, prints their tables and marks, and returns the numbers. */
export async function runBenches(makers: readonly (() => Promise<Bench> | Bench)[], options: RunOptions = {}): Promise<RunResult> {
  const { only, quiet = false } = options;
  const print = quiet ? () => {} : say;
  const machine = { ...describeMachine(), ...options.versions };
  for (const [name, value] of Object.entries(machine)) print(`${name.padEnd(20)} ${value}`);
  const results: BenchResult[] = [];
  for (const make of makers) {
    const bench = withRounds(await make(), options.rounds);
    try {
      if (only !== undefined && !bench.name.includes(only)) continue;
      const measured = await measure(bench, progressOf(bench));
      print(`\n${renderTable(bench, measured)}`);
      const { name, unit, note, absent } = bench;
      results.push({
        bench: name,
        unit,
        ...(note === undefined ? {} : { note }),
        measured,
        ...(absent === undefined ? {} : { absent }),
        marks: checkMarks(bench, measured),
      });
    } finally {
      await bench.dispose?.();
    }
  }
  const load = loadavg()[0] as number;
  const marks = results.flatMap((result) => result.marks.map(renderMark));
  if (marks.length > 0) print(`\nMarks\n${marks.join('\n')}`);
  print(`\nload at the end ${load.toFixed(2)}${load > availableParallelism() ? ': more than one per core, the run is void' : ''}`);
  return { machine, load, results };
}

/** Reads the value of `--rounds`. */
export function roundsOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new Error(`--rounds is "${value}". It must be a whole number from 1 to 999999. Pass --rounds 10.`);
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function withRounds(bench: Bench, rounds: number | undefined): Bench {
  if (rounds === undefined) return bench;
  const { warmup, stallRounds } = bench;
  return {
    ...bench,
    rounds,
    // One round is a check that everything runs. Its numbers mean nothing, so it needs no warmup.
    warmup: rounds === 1 ? 0 : Math.min(warmup, rounds),
    ...(stallRounds === undefined ? {} : { stallRounds: Math.min(stallRounds, rounds) }),
  };
}

function progressOf({ name, rounds }: Bench): (round: number) => void {
  return (round) => {
    if (!process.stderr.isTTY) return;
    const state = round < 0 ? 'warming up' : `${round + 1}/${rounds}`;
    process.stderr.write(`\r${name}: ${state}\x1b[K${round === rounds - 1 ? '\r\x1b[K' : ''}`);
  };
}
