import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of the table in docs/reliability.md. */
export interface Fault {
  readonly id: string;
  readonly group: string;
  /** What goes wrong; begins with a small letter, because it follows the title of its group. */
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
 * The test of one row: its title is the row, so that the page cannot say anything that no test is named after. `concurrent` is for those that
 * mostly wait: several run at once, with those of the file that do not before them or after.
 */
export function fault(id: string, run: () => Promise<void>, { concurrent = false } = {}): void {
  const row = faults.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`There is no fault "${id}" in test/faults/faults.json.`);
  (concurrent ? test.concurrent : test)(`${id} ${row.fault}: ${row.sees}`, run);
}
