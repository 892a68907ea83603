import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPageRows } from './page-rows.js';

// Compares the page with the tests: a mistake that is on the page but has no test may no longer be diagnosed, and one that has a test but
// is not on the page cannot be found.

test.each(['settings', 'scripts'] as const)('the page has a row for each mistake in %s that a test makes, and for no other', (table) => {
  const source = readFileSync(join(import.meta.dirname, `${table}.test.ts`), 'utf8');
  const tested = [...source.matchAll(/^\s*id: '([a-z0-9-]+)',$/gm)].map((match) => match[1] as string);
  const onPage = readPageRows().filter((row) => row.table === table);
  expect(tested.length).toBeGreaterThan(0);
  expect(onPage.map(({ id }) => id).toSorted()).toEqual(tested.toSorted());
});

test('no mistake has two rows, and each row says how to fix it', () => {
  const rows = readPageRows();
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(rows.filter(({ symptoms, cause, fix }) => symptoms.length === 0 || cause === '' || fix === '')).toEqual([]);
});
