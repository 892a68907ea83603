import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import type { RunResult } from '../../bench/src/run-benches.js';
import { root } from '../support/sources.js';

// Every part of the table starts processes, also some that load hundreds of modules.
jest.setTimeout(300_000);

const peer = 'Gemini CLI core';
const isInstalled = existsSync(join(root, 'bench/peers/node_modules/@google/gemini-cli-core'));
let folder: string;
let run: RunResult;

// Each variant checks its answers itself, so a run that ends well has seen right answers of all variants.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenterhook-peers-'));
  const json = join(folder, 'results.json');
  await promisify(execFile)(process.execPath, [join(root, 'bench/dist/peers/run.js'), '--rounds', '1', '--no-install', '--json', json], {
    cwd: folder,
    maxBuffer: 16 * 1024 * 1024,
  });
  run = JSON.parse(readFileSync(json, 'utf8')) as RunResult;
});

afterAll(() => rmSync(folder, { recursive: true }));

test('every part has a row of Tenterhook, with numbers', () => {
  for (const { bench, measured } of run.results) {
    expect({ bench, ours: measured.filter(({ name }) => /tenterhook/i.test(name)).length > 0 }).toEqual({ bench, ours: true });
    for (const { name, median } of measured)
      expect({ bench, name, isNumber: Number.isFinite(median) }).toEqual({ bench, name, isNumber: true });
  }
});

test('shells are measured in every part with command hooks, and the C program where a compiler is installed', () => {
  const part = run.results.find(({ bench }) => bench === '100 hooks side by side');
  const rows = [...(part?.measured ?? []).map(({ name }) => name), ...(part?.absent ?? []).map(({ name }) => name)];
  expect(rows).toEqual(expect.arrayContaining(["Node's spawn of bash -c", "Node's spawn of sh -c", 'C, posix_spawn of sh -c']));
});

if (isInstalled) {
  test('the peer is measured in every part that compares with it', () => {
    const absent = run.results.flatMap((result) => result.absent ?? []).filter(({ name }) => name.includes(peer));
    expect(absent).toEqual([]);
    expect(run.results.filter(({ measured }) => measured.some(({ name }) => name.includes(peer))).length).toBeGreaterThan(10);
  });
} else {
  test.skip('the peer is measured (npm run bench:peers installs it)', () => {});
}

test('a part that does not exist is an error that lists the parts', async () => {
  const unknown = promisify(execFile)(process.execPath, [join(root, 'bench/dist/peers/run.js'), '--no-install', '--only', 'no such part']);
  await expect(unknown).rejects.toMatchObject({ code: 2, stdout: expect.stringMatching(/--only is "no such part".*\n {2}an event/) });
});

test('a number of rounds that is not one is an error', async () => {
  const wrong = promisify(execFile)(process.execPath, [join(root, 'bench/dist/peers/run.js'), '--no-install', '--rounds', 'many']);
  await expect(wrong).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining('--rounds is "many"') });
});
