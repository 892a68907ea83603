import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/sources.js';

const cases = JSON.parse(readFileSync(join(import.meta.dirname, 'cases.json'), 'utf8')) as Record<string, string>;

/** The numbers in titles such as "record-replay cases 17 and 28: …", of all tests about recordings. */
const tested = ['packages/recording/test', 'packages/testing/test', 'test/recording', 'test/cli/recording']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)))
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/['"`]record-replay cases? (\d+)(?:(?:, | and )(\d+))*:/g)])
  .flatMap(([title]) => title.match(/\d+/g) ?? []);

test('every case of recordings is in the title of a test, and every such title has a known number', () => {
  expect([...new Set(tested)].sort()).toEqual(Object.keys(cases).sort());
});
