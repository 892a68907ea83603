import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StdinFiles } from '../src/stdin-files.js';
import { expectStatus, openRig, type Rig, until } from './process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig({ concurrency: 8 });
});
afterEach(() => rig.close());

test('jobs with the same text share a file, each reads it from the start, and it goes with the last of them', async () => {
  const text = (name: string): string => `readlink /proc/$$/fd/0 > ${name}; until [ -e go-${name} ]; do sleep 0.05; done; cat`;
  const jobs = ['a', 'b', 'c'].map((name) => rig.sh(text(name), { stdin: name === 'c' ? 'other' : 'shared' }));
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => rig.line(name)));
  expect(a).toBe(b);
  expect(a).not.toBe(c);
  const inputs = (): number => readdirSync(dirname(a ?? '')).filter((name) => name.startsWith('i')).length;
  expect(inputs()).toBe(2);
  writeFileSync(rig.path('go-a'), '');
  expect(await jobs[0]).toMatchObject({ stdout: 'shared' });
  expect(inputs()).toBe(2);
  writeFileSync(rig.path('go-b'), '');
  expect(await jobs[1]).toMatchObject({ stdout: 'shared' });
  expect(inputs()).toBe(1);
  writeFileSync(rig.path('go-c'), '');
  expect(await jobs[2]).toMatchObject({ stdout: 'other' });
  expect(inputs()).toBe(0);
});

test('a job that is stopped gives its input back, too', async () => {
  const exit = expectStatus(await rig.sh('readlink /proc/$$/fd/0; exec sleep 600', { stdin: 'text', timeoutMs: 1500 }), 'timed-out');
  const directory = dirname(exit.stdout);
  await until('nothing is left', () => readdirSync(directory).length === 0);
});

test('the file is for reading only', () => {
  const files = new StdinFiles();
  const file = files.open(rig.place, 'text');
  const name = readdirSync(rig.place)[0] ?? '';
  expect(readFileSync(join(rig.place, name), 'utf8')).toBe('text');
  expect(() => writeFileSync(file.fd, 'other')).toThrow('EBADF');
  file.close();
  file.release();
  expect(readdirSync(rig.place)).toEqual([]);
});

test('a directory that is not there is an error, and leaves nothing', () => {
  const files = new StdinFiles();
  expect(() => files.open('/no/such/place', 'text')).toThrow('ENOENT');
  const file = files.open(rig.place, 'text');
  file.close();
  file.release();
});
