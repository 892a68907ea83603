import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programs, run } from './handler-example.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'example-handlers-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each(Object.entries(programs))('%s runs by itself, and leaves nothing behind', async (program, lines) => {
  expect(await run(program, folder)).toEqual(lines);
});
