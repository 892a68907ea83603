import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type StdinFile, StdinFiles } from '../../src/io/stdin.js';
import { expectKind, openRig, type Rig, timedOutWhenReady, until } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig({ concurrency: 8 });
});
afterEach(() => rig.close());

test('jobs with the same text share a file, each reads it from the start, and it goes with the last of them', () => {
  const files = new StdinFiles(true);
  const [a, b, c] = ['shared', 'shared', 'other'].map((text) => files.open(rig.place, text)) as [StdinFile, StdinFile, StdinFile];
  const inputs = () => readdirSync(rig.place).length;
  expect(inputs()).toBe(2);
  expect([a, b, c].map((file) => readFileSync(file.fd, 'utf8'))).toEqual(['shared', 'shared', 'other']);
  for (const file of [a, b, c]) file.close();
  a.release();
  expect(inputs()).toBe(2);
  b.release();
  expect(inputs()).toBe(1);
  c.release();
  expect(inputs()).toBe(0);
});

test('root is not given what others read: each job has a file of its own', () => {
  const files = new StdinFiles(false);
  const both = [files.open(rig.place, 'text'), files.open(rig.place, 'text')];
  expect(readdirSync(rig.place)).toHaveLength(2);
  for (const file of both) {
    file.close();
    file.release();
  }
  expect(readdirSync(rig.place)).toEqual([]);
});

test('a job cannot change what another one reads', async () => {
  const writer = rig.sh('echo changed > /dev/stdin; cat; echo > wrote', { stdin: 'text' });
  const reader = rig.sh('until [ -e wrote ]; do sleep 0.05; done; cat', { stdin: 'text' });
  await writer;
  expect(await reader).toMatchObject({ stdout: 'text' });
});

test('a job that is stopped gives its input back, too', async () => {
  const exit = expectKind(await rig.sh('readlink /proc/$$/fd/0; exec sleep 600', { stdin: 'text', ...timedOutWhenReady }), 'timed-out');
  const directory = dirname(exit.stdout);
  await until('it is gone', () => !readdirSync(directory).some((name) => name.startsWith('i')));
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
