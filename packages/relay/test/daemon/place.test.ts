import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDaemonPlace } from '../../src/daemon/place.js';

const root = mkdtempSync(join(tmpdir(), 'tenterhook-place-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

/** A folder for files of a session. */
function freshRuntime(): string {
  count += 1;
  const runtime = join(root, String(count));
  mkdirSync(runtime);
  return runtime;
}

test('the folder is in that of the session, and only its user can use it', () => {
  const runtime = freshRuntime();
  const folder = join(runtime, 'tenterhook');
  expect(findDaemonPlace({ XDG_RUNTIME_DIR: runtime })).toEqual({ folder, socket: join(folder, 'relay-1.sock') });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('without a folder of the session, it is in that for temporary files', () => {
  const folder = join(root, `tenterhook-${process.geteuid?.()}`);
  for (const XDG_RUNTIME_DIR of ['', 'relative', join(root, 'missing')])
    expect(findDaemonPlace({ XDG_RUNTIME_DIR, TMPDIR: root })).toMatchObject({ folder });
});

test('a place that is only looked for is not made', () => {
  const runtime = freshRuntime();
  expect(findDaemonPlace({ XDG_RUNTIME_DIR: runtime }, false)).toHaveProperty('socket');
  expect(existsSync(join(runtime, 'tenterhook'))).toBe(false);
});

test.each<[what: string, prepare: (folder: string) => void, problem: string]>([
  [
    'that others can use',
    (folder) => {
      mkdirSync(folder);
      chmodSync(folder, 0o750);
    },
    'mode 750',
  ],
  ['that is a file', (folder) => writeFileSync(folder, ''), 'not a folder'],
  ['that is a link', (folder) => symlinkSync(root, folder), 'not a folder'],
])('a folder %s is not used', (_what, prepare, problem) => {
  const runtime = freshRuntime();
  prepare(join(runtime, 'tenterhook'));
  expect(findDaemonPlace({ XDG_RUNTIME_DIR: runtime })).toMatchObject({ problem: expect.stringContaining(problem) });
});

test('a path that is too long for a socket is not used', () => {
  const runtime = join(root, 'x'.repeat(120));
  mkdirSync(runtime);
  expect(findDaemonPlace({ XDG_RUNTIME_DIR: runtime })).toMatchObject({ problem: expect.stringContaining('too long') });
});
