import { writeFileSync } from 'node:fs';
import { listProcesses } from '../../src/kill/job-processes.js';
import { expectKind, isRunning, openRig, type Rig, timedOutWhenReady, until } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig({ killGraceMs: 500 });
});
afterEach(() => rig.close());

/** A program in a session of its own, of which `setsid` and its parents are gone. */
const daemon = (name: string, before = ''): string =>
  `(setsid sh -c '${before} echo $$ > ${name}.new; mv ${name}.new ${name}; exec sleep 600' &) ; until [ -s ${name} ]; do sleep 0.01; done;`;

test('a daemon that left the group of a job is killed when the job is timed out', async () => {
  const exit = await rig.sh(`${daemon('daemon')} echo ready; sleep 600`, timedOutWhenReady);
  expect(exit.kind).toBe('timed-out');
  const pid = await rig.pid('daemon');
  await until('it is dead', () => !isRunning(pid));
});

test('so is one that ignores SIGTERM, and one that has stopped', async () => {
  const exit = await rig.sh(
    `${daemon('stubborn', 'trap "" TERM;')} ${daemon('stopped')} kill -STOP "$(cat stopped)"; echo ready; sleep 600`,
    timedOutWhenReady,
  );
  expect(exit.kind).toBe('timed-out');
  const pids = [await rig.pid('stubborn'), await rig.pid('stopped')];
  await until('both are dead', () => !pids.some(isRunning));
});

test('when the job is cancelled, and when a signal ended it', async () => {
  const control = new AbortController();
  const cancelled = rig.sh(`${daemon('first')} sleep 600`, { signal: control.signal });
  const first = await rig.pid('first');
  control.abort();
  expect((await cancelled).kind).toBe('cancelled');
  expect((await rig.sh(`${daemon('second')} kill -9 $$`)).kind).toBe('signalled');
  const second = await rig.pid('second');
  await until('both are dead', () => !isRunning(first) && !isRunning(second));
});

test('dispose() resolves when it is gone', async () => {
  const running = rig.sh(`${daemon('daemon', 'trap "" TERM;')} echo > ready; sleep 600`);
  await rig.line('ready');
  const pid = await rig.pid('daemon');
  await rig.spawner.dispose();
  expect(isRunning(pid)).toBe(false);
  expect((await running).kind).toBe('cancelled');
});

test('what a normal exit left running is left alone, in the group or out of it, also by dispose() and by the kills of other jobs', async () => {
  const exit = await rig.sh(`${daemon('daemon')} sleep 600 & echo $! > child`);
  // On a busy machine, counting takes too long, and 1 means at least one.
  expect([1, 2]).toContain(expectKind(exit, 'exited').leftProcesses);
  const pids = [await rig.pid('daemon'), await rig.pid('child')];
  expect((await rig.sh('sleep 600', { timeoutMs: 300 })).kind).toBe('timed-out');
  await rig.spawner.dispose();
  expect(pids.filter(isRunning)).toEqual(pids);
});

test('a job of a job ends with it', async () => {
  const outer = rig.sh(
    `export TENTERHOOK_JOB="$TENTERHOOK_JOB/inner-1"; ${daemon('inner')} until [ -e go ]; do sleep 0.01; done; echo ready; sleep 600`,
    timedOutWhenReady,
  );
  const pid = await rig.pid('inner');
  const inner = (await listProcesses())?.find((seen) => seen.pid === pid);
  writeFileSync(rig.path('go'), '');
  expect(inner?.jobIds).toEqual([expect.stringMatching(/^[\w-]+-\d+$/), 'inner-1']);
  expect((await outer).kind).toBe('timed-out');
  await until('it is dead', () => !isRunning(pid));
});

test('the tag is all that is added to the environment, after that of the job we run in', async () => {
  const env = { ONLY: 'this', TENTERHOOK_JOB: 'outer-7' };
  const exit = await rig.spawner.run({
    command: { kind: 'program', file: '/usr/bin/env', args: [] },
    cwd: rig.place,
    env,
    stdin: '',
    timeoutMs: 20_000,
  });
  expect(exit).toMatchObject({ kind: 'exited', stdout: expect.stringMatching(/^ONLY=this\nTENTERHOOK_JOB=outer-7\/[\w-]+-\d+\n$/) });
  expect(env).toEqual({ ONLY: 'this', TENTERHOOK_JOB: 'outer-7' });
});

test('hundreds that left the group are all found', async () => {
  const control = new AbortController();
  const running = rig.sh('for i in $(seq 300); do setsid sleep 600 & done; echo $TENTERHOOK_JOB > mark; sleep 600', {
    signal: control.signal,
  });
  const mark = await rig.line('mark');
  const ofJob = async (): Promise<number> => (await listProcesses())?.filter(({ jobIds }) => jobIds.includes(mark)).length ?? 0;
  // One that is just becoming another program shows no environment.
  for (let looks = 0; looks < 100 && (await ofJob()) < 300; looks += 1);
  expect(await ofJob()).toBeGreaterThanOrEqual(300);
  control.abort();
  expect((await running).kind).toBe('cancelled');
  await rig.spawner.dispose();
  expect(await ofJob()).toBe(0);
});
