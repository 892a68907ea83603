import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of the table in docs/reliability.md. */
export interface Fault {
  readonly id: string;
  readonly group: string;
  /** What goes wrong. It begins with a small letter, because it follows the title of its group. */
  readonly fault: string;
  /** What the user sees. */
  readonly sees: string;
}

const table = JSON.parse(readFileSync(join(import.meta.dirname, 'faults.json'), 'utf8')) as {
  readonly groups: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
};

export const { groups, faults } = table;

/**
 * Declares the test of one row. The title of the test is the row, so that the page contains only what a test checks. `concurrent`: for
 * tests that mostly wait. Several of them run at once, before or after the other tests of the file.
 */
export function fault(id: string, run: () => Promise<void>, { concurrent = false } = {}): void {
  const row = faults.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`There is no fault "${id}" in test/faults/faults.json.`);
  (concurrent ? test.concurrent : test)(`${id} ${row.fault}: ${row.sees}`, run, longestMs);
}

/** Rows with many processes take minutes on a busy machine. */
const longestMs = 180_000;
