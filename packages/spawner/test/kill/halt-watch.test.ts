import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { HaltWatch, readFields } from '../../src/kill/halt-watch.js';
import { readProcStat } from '../../src/kill/job-processes.js';
import { isRunning, openRig, type Rig, until } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

const openFiles = () => readdirSync('/proc/self/fd').length;

test('finds a pause of the process and of its child, and the end, and leaves no file open', async () => {
  const ended = rig.sh('echo $$ > parent; sleep 600 & echo $! > child; wait');
  const [parent, child] = [await rig.pid('parent'), await rig.pid('child')];
  const before = openFiles();
  const watch = new HaltWatch(parent);
  expect(watch.find()).toBeUndefined();
  for (const pid of [child, parent]) {
    process.kill(pid, 'SIGSTOP');
    await until('it is paused', () => readProcStat(pid)?.state === 'T');
    expect(watch.find()).toBe('stopped');
    process.kill(pid, 'SIGCONT');
    await until('it continues', () => readProcStat(pid)?.state !== 'T');
    expect(watch.find()).toBeUndefined();
  }
  process.kill(parent, 'SIGKILL');
  await ended;
  await until('it is gone', () => !isRunning(parent));
  expect(watch.find()).toBeUndefined();
  watch.close();
  expect(openFiles()).toBeLessThanOrEqual(before);
});

test('a list that is longer than the buffer is read to its end, and from its start each time', async () => {
  const ended = rig.sh('echo $$ > parent; for i in {1..20}; do sleep 600 & done; echo $! > child; wait', { killGraceMs: 0 });
  const [parent, last] = [await rig.pid('parent'), await rig.pid('child')];
  const fd = openSync(`/proc/${parent}/task/${parent}/children`, 'r');
  const whole = readFileSync(fd, 'latin1');
  expect(whole.split(' ')).toContain(String(last));
  for (let round = 0; round < 2; round += 1) expect(readFields(fd, Buffer.alloc(32))).toBe(whole);
  closeSync(fd);
  process.kill(parent, 'SIGKILL');
  await ended;
});
