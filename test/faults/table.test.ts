import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults, groups } from './fault.js';

/** The ids that the test files declare, in their order. */
const tested = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/^fault\(\s*'(\w+)',/gm)].map((match) => match[1]));

test('every fault of the table has one test, and every test is of the table', () => {
  expect([...tested].sort()).toEqual(faults.map(({ id }) => id).sort());
});

test('ids are given once, groups exist and none is empty', () => {
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  expect([...new Set(faults.map(({ group }) => group))].sort()).toEqual(Object.keys(groups).sort());
});
