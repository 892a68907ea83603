import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programs, run } from './handler-example.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'example-handlers-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('main runs all of them, each under its title', async () => {
  const blocks = Object.entries(programs).map(([program, lines]) => [`── ${program} ──`, ...lines].join('\n'));
  expect((await run('main', folder)).join('\n')).toBe(blocks.join('\n\n'));
});
