import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openPage } from '../src/open-page.js';
import { createPrivateDirectory } from '../src/private-directory.js';

const address = 'http://127.0.0.1:1/#token=a"&<b';

/** Resolves when a path is gone. Removing a file sends no event to this process. */
async function gone(path: string): Promise<void> {
  while (existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
}

test('9. the browser gets a file that only this user can read, and the file has the address as text', () => {
  const started: string[] = [];
  const { file, close } = openPage(address, { start: (path) => started.push(path) });
  expect(started).toEqual([file]);
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readFileSync(file, 'utf8')).toContain('content="0; url=http://127.0.0.1:1/#token=a&quot;&amp;&lt;b"');
  close();
  close();
  expect(existsSync(dirname(file))).toBe(false);
});

test('9. the file is removed when the page was used, after its time, and if the browser cannot be started', async () => {
  let use = () => {};
  const used = new Promise<void>((resolve) => {
    use = resolve;
  });
  const first = openPage(address, { start: () => {}, used });
  expect(existsSync(first.file)).toBe(true);
  use();
  await gone(first.file);

  const second = openPage(address, { start: () => {}, keptMs: 1 });
  await gone(second.file);

  let path = '';
  const failing = () =>
    openPage(address, {
      start: (given) => {
        path = given;
        throw new Error('no browser');
      },
    });
  expect(failing).toThrow('no browser');
  expect(existsSync(path)).toBe(false);
});

test('17. directories of processes that have ended are removed, and nothing else', () => {
  // The largest process number that Linux allows, which no process of this machine has.
  const first = createPrivateDirectory();
  const namespace = /tenterhook-inspect-(\d+)-/.exec(first.path)?.[1];
  first.remove();
  const dead = `tenterhook-inspect-${namespace}-4194303-${process.pid}`;
  const kept = [
    `tenterhook-inspect-${namespace}-${process.ppid}-x${process.pid}`,
    // In a container that shares the directory, this number may be a process that runs.
    `tenterhook-inspect-7-4194303-${process.pid}`,
    `tenterhook-inspect-${namespace}-4194303-l${process.pid}`,
  ];
  const paths = [dead, ...kept].map((name) => join(tmpdir(), name));
  mkdirSync(paths[0] as string);
  for (const path of paths.slice(1, 3)) mkdirSync(path);
  symlinkSync(paths[1] as string, paths[3] as string);
  utimesSync(paths[0] as string, 0, 0);
  try {
    const own = createPrivateDirectory();
    expect(statSync(own.path).mode & 0o777).toBe(0o700);
    const names = readdirSync(tmpdir());
    expect(kept.filter((name) => !names.includes(name))).toEqual([]);
    expect(names).not.toContain(dead);
    own.remove();
    own.remove();
    expect(existsSync(own.path)).toBe(false);
  } finally {
    for (const path of paths) rmSync(path, { recursive: true, force: true });
  }
});
