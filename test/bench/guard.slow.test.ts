import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/sources.js';

const part = 'one hook: true';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenterhook-guard-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

// No ratio of two times is below the one bound, or above the other, so no clock decides these tests.
test('a ratio above its bound fails the guard, with the ratios of all runs', async () => {
  await expect(guard({ [part]: { Tenterhook: 0.000001 } })).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/one hook: true, Tenterhook: [\d.]+, [\d.]+, [\d.]+ times its baseline\. .*: worse in 3 of 3 runs/),
  });
});

test('ratios below their bounds pass the guard, and bounds of other parts are not compared', async () => {
  const { stdout } = await guard({
    [part]: { Tenterhook: 1_000_000, 'Tenterhook, direct starts': 1_000_000 },
    'another part': { Tenterhook: 1 },
  });
  expect(stdout).toContain('No ratio is worse than its bound.');
});

test('a part without a bound fails the guard', async () => {
  const stdout = expect.stringContaining('has no bound of "one hook: true", "Tenterhook". Run npm run bench:guard -- --update.');
  await expect(guard({})).rejects.toMatchObject({ code: 1, stdout });
});

test('a file of bounds that cannot be used is reported before anything is measured', async () => {
  await expect(run('--bounds', join(folder, 'none.json'))).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^\S+none\.json does not exist\./),
  });
});

function guard(atMost: object) {
  const file = join(folder, 'bounds.json');
  writeFileSync(file, JSON.stringify({ machine: { machine: 'a machine' }, atMost }));
  return run('--only', part, '--rounds', '1', '--bounds', file);
}

function run(...args: string[]) {
  return promisify(execFile)(process.execPath, [join(root, 'bench/dist/guard/run.js'), ...args], { cwd: folder });
}
