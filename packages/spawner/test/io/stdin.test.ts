import { chmodSync, closeSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { NoRoom, PrivateDirectory } from '../../src/io/private-directory.js';
import { type StdinFile, StdinFiles } from '../../src/io/stdin.js';
import type { StopSignal } from '../../src/job.js';
import { expectKind, openRig, type Rig, timedOutWhenReady, until } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig({ concurrency: 8 });
});
afterEach(() => rig.close());

const never = new AbortController().signal as StopSignal;
const directoryIn = (...bases: readonly string[]) => new PrivateDirectory(() => bases);
const limits = { smallBytes: 10, largeBytes: 64 };
const bytes = (count: number) => 'x'.repeat(count);

function giveBack(file: StdinFile): void {
  file.close();
  file.release();
}

test('each job has a file of its own, for reading only, without a name', async () => {
  const files = new StdinFiles();
  const directory = directoryIn(rig.place);
  const [a, b] = [await files.open(directory, 'text', never), await files.open(directory, 'text', never)];
  expect(readdirSync(directory.open())).toEqual([]);
  expect(() => writeFileSync(a.fd, 'other')).toThrow('EBADF');
  // As the process of a job could, whose user owns the file.
  chmodSync(`/proc/self/fd/${a.fd}`, 0o600);
  writeFileSync(`/proc/self/fd/${a.fd}`, 'changed');
  expect([a, b].map(({ fd }) => readFileSync(`/proc/self/fd/${fd}`, 'utf8'))).toEqual(['changed', 'text']);
  giveBack(a);
  giveBack(b);
  directory.remove();
});

test('a job cannot change what another one reads', async () => {
  const writer = rig.sh('chmod u+w /dev/stdin; echo changed > /dev/stdin; cat; echo > wrote', { stdin: 'text' });
  const reader = rig.sh('until [ -e wrote ]; do sleep 0.05; done; cat', { stdin: 'text' });
  expect(await writer).toMatchObject({ stdout: 'changed\n' });
  expect(await reader).toMatchObject({ stdout: 'text' });
});

test('a job can open its input again, also with a program that asks for its name', async () => {
  expect(await rig.sh('head -c 2 >/dev/null; cat /dev/stdin; test -r /dev/stdin; echo $?', { stdin: 'text\n' })).toMatchObject({
    stdout: 'text\n0\n',
  });
});

test('nothing is left of the input of a job that is stopped', async () => {
  const exit = expectKind(await rig.sh('readlink /proc/$$/fd/0; exec sleep 600', { stdin: 'text', ...timedOutWhenReady }), 'timed-out');
  expect(exit.stdout).toMatch(/\/[i#][0-9a-f-]+ \(deleted\)\n$/);
});

describe('large inputs', () => {
  test('wait for room while others fill it, and get it in their order', async () => {
    const files = new StdinFiles(limits);
    const directory = directoryIn(rig.place);
    const opened: string[] = [];
    const open = (name: string, text: string) =>
      files.open(directory, text, never).then((file) => {
        opened.push(name);
        return file;
      });
    const first = await open('first', bytes(40));
    const second = open('second', bytes(30));
    const third = open('third', bytes(20));
    giveBack(await open('small', 'text'));
    expect(opened).toEqual(['first', 'small']);
    giveBack(first);
    for (const file of [await second, await third]) giveBack(file);
    expect(opened).toEqual(['first', 'small', 'second', 'third']);
    directory.remove();
  });

  test('one that is larger than that waits until it is the only one', async () => {
    const files = new StdinFiles(limits);
    const directory = directoryIn(rig.place);
    const first = await files.open(directory, bytes(11), never);
    let isOpen = false;
    const second = files.open(directory, bytes(65), never).then((file) => {
      isOpen = true;
      return file;
    });
    giveBack(await files.open(directory, 'text', never));
    expect(isOpen).toBe(false);
    giveBack(first);
    giveBack(await second);
    directory.remove();
  });

  test('a job that is stopped no longer waits, and those after it go on', async () => {
    const files = new StdinFiles(limits);
    const directory = directoryIn(rig.place);
    const first = await files.open(directory, bytes(40), never);
    const control = new AbortController();
    const second = files.open(directory, bytes(50), control.signal as StopSignal);
    const third = files.open(directory, bytes(20), never);
    control.abort('cancelled');
    await expect(second).rejects.toThrow('stopped');
    giveBack(await third);
    giveBack(first);
    directory.remove();
  });

  test('through real jobs: at most 64 MiB are there at a time', async () => {
    const stdin = 'x'.repeat(20 * 1024 * 1024);
    const text = 'echo > started.$1; until [ -e go ]; do sleep 0.02; done; wc -c';
    const runs = ['a', 'b', 'c', 'd', 'e'].map((name) => rig.sh(text.replace('$1', name), { stdin }));
    const started = () => readdirSync(rig.place).filter((name) => name.startsWith('started')).length;
    await until('three have started', () => started() === 3);
    expect(await rig.sh('echo small', { stdin: 'text' })).toMatchObject({ stdout: 'small\n' });
    expect(started()).toBe(3);
    writeFileSync(rig.path('go'), '');
    for (const exit of await Promise.all(runs)) expect(exit).toMatchObject({ stdout: `${stdin.length}\n` });
  });
});

test('a failure is an error that names every place, and leaves nothing', async () => {
  const files = new StdinFiles(limits);
  const missing = directoryIn('/no/such/place', rig.path('absent'));
  await expect(files.open(missing, 'text', never)).rejects.toThrow(NoRoom);
  await expect(files.open(missing, bytes(65), never)).rejects.toThrow(/\/no\/such\/place: ENOENT.*absent: ENOENT/s);
  mkdirSync(rig.path('present'));
  const directory = directoryIn(rig.path('present'));
  // Its room was given back.
  const file = await files.open(directory, bytes(65), never);
  closeSync(file.fd);
  file.release();
  rmSync(rig.path('present'), { recursive: true });
});
