import { readdirSync, writeFileSync } from 'node:fs';
import { createSpawner, type ProcessExit } from '../src/index.js';
import { expectNoLeaks, expectOwnAnswers } from './many-jobs.js';
import { expectKind, isRunning, openRig, privateDirectories, type Rig, shellJob, timedOutWhenReady, until } from './process-rig.js';

const rigs: Rig[] = [];
function rigOf(limits: Parameters<typeof openRig>[0] = {}): Rig {
  const rig = openRig(limits);
  rigs.push(rig);
  return rig;
}
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

/** Says that it runs, and ends when it may. */
const untilGo = (name: string): string => `echo $$ > ${name}; until [ -e go ]; do sleep 0.05; done; rm ${name}; echo ${name}`;

describe('the concurrency limit', () => {
  test('no more run at once than may, in the order of run(), and the others follow', async () => {
    const rig = rigOf({ concurrency: 2 });
    const order: number[] = [];
    const jobs = [0, 1, 2, 3, 4].map((index) => rig.sh(untilGo(`job${index}`), { onStart: () => order.push(index) }));
    expect([rig.spawner.running, rig.spawner.queued]).toEqual([2, 3]);
    await rig.pid('job0');
    await rig.pid('job1');
    expect(readdirSync(rig.place).sort()).toEqual(['job0', 'job1']);
    expect([rig.spawner.running, rig.spawner.queued]).toEqual([2, 3]);
    writeFileSync(rig.path('go'), '');
    const exits = await Promise.all(jobs);
    expect(exits.map((exit) => expectKind(exit, 'exited').stdout)).toEqual([0, 1, 2, 3, 4].map((index) => `job${index}\n`));
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect([rig.spawner.running, rig.spawner.queued]).toEqual([0, 0]);
  });

  test('one more than may wait is overloaded at once', async () => {
    const rig = rigOf({ concurrency: 1, queued: 1 });
    const first = rig.sh(untilGo('first'));
    const second = rig.sh('echo second');
    expect(await rig.sh('echo third')).toEqual({ kind: 'not-started', reason: 'overloaded', durationMs: 0 });
    writeFileSync(rig.path('go'), '');
    expect(await first).toMatchObject({ kind: 'exited' });
    expect(await second).toMatchObject({ stdout: 'second\n' });
    expect(await rig.sh('echo fourth')).toMatchObject({ stdout: 'fourth\n' });
  });

  test('no job waits where none may', async () => {
    const rig = rigOf({ concurrency: 1, queued: 0 });
    const first = rig.sh(untilGo('first'));
    expect(await rig.sh('true')).toMatchObject({ reason: 'overloaded' });
    writeFileSync(rig.path('go'), '');
    expect(await first).toMatchObject({ kind: 'exited' });
    expect(await rig.sh('true')).toMatchObject({ kind: 'exited' });
  });

  test('one that is being killed does not hold up the next', async () => {
    const rig = rigOf({ concurrency: 1, killGraceMs: 60_000 });
    const stubborn = rig.sh("trap '' TERM; echo $$ > stubborn; echo ready; while :; do sleep 0.1; done", timedOutWhenReady);
    const next = rig.sh('echo next');
    expect(await stubborn).toMatchObject({ kind: 'timed-out' });
    expect(await next).toMatchObject({ stdout: 'next\n' });
    expect(isRunning(await rig.pid('stubborn'))).toBe(true);
  });

  test('those being killed are bounded: with too many of them, a slot waits for one to be gone', async () => {
    const rig = rigOf({ concurrency: 1, killGraceMs: 500 });
    const pids: number[] = [];
    const stubborn = () =>
      rig.sh("trap '' TERM; echo ready; while :; do sleep 0.1; done", { ...timedOutWhenReady, onStart: ({ pid }) => pids.push(pid) });
    const most = { seen: 0 };
    const look = (): void => {
      most.seen = Math.max(most.seen, pids.filter(isRunning).length);
    };
    const jobs = Array.from({ length: 4 }, () => stubborn().finally(look));
    expect((await Promise.all(jobs)).map((exit) => exit.kind)).toEqual(['timed-out', 'timed-out', 'timed-out', 'timed-out']);
    expect(most.seen).toBeLessThanOrEqual(2);
  });

  test('40 jobs at once all settle, each with its own answer', () => expectOwnAnswers(rigOf(), 40));
});

describe('cancelling', () => {
  const notStarted = { kind: 'not-started', reason: 'cancelled', durationMs: 0 };

  test('a running job settles at once, and its group is killed afterwards', async () => {
    const rig = rigOf({ killGraceMs: 500 });
    const controller = new AbortController();
    const running = rig.sh("trap '' TERM; echo so far; sleep 600 & echo $! > child; wait", { signal: controller.signal });
    const child = await rig.pid('child');
    controller.abort();
    const exit = expectKind(await running, 'cancelled');
    expect(exit).toMatchObject({ stdout: 'so far\n', leftProcesses: 0 });
    expect(isRunning(exit.pid)).toBe(true);
    await until('the group is dead', () => ![exit.pid, child].some(isRunning));
  });

  test('a waiting job settles at once, and makes room', async () => {
    const rig = rigOf({ concurrency: 1, queued: 1 });
    const first = rig.sh(untilGo('first'));
    for (let round = 0; round < 50; round += 1) {
      const controller = new AbortController();
      const waiting = rig.sh('true', { signal: controller.signal });
      expect(rig.spawner.queued).toBe(1);
      controller.abort();
      expect(rig.spawner.queued).toBe(0);
      expect(await waiting).toEqual(notStarted);
    }
    const last = rig.sh('echo last');
    writeFileSync(rig.path('go'), '');
    expect(await first).toMatchObject({ kind: 'exited' });
    expect(await last).toMatchObject({ stdout: 'last\n' });
  });

  test('an aborted signal, and one that is aborted in the same turn', async () => {
    const rig = rigOf();
    expect(await rig.sh('true', { signal: AbortSignal.abort() })).toEqual(notStarted);
    const controller = new AbortController();
    const job = rig.sh('true', { signal: controller.signal });
    controller.abort();
    expect(await job).toEqual(notStarted);
  });

  test('an onStart that aborts cancels a job that runs', async () => {
    const rig = rigOf();
    const controller = new AbortController();
    const exit = expectKind(await rig.sh('sleep 600', { signal: controller.signal, onStart: () => controller.abort() }), 'cancelled');
    await until('it is dead', () => !isRunning(exit.pid));
  });

  test('one signal for many jobs', async () => {
    const rig = rigOf({ concurrency: 3 });
    const controller = new AbortController();
    const started: number[] = [];
    const jobs = Array.from({ length: 40 }, () =>
      rig.sh('sleep 600', { signal: controller.signal, onStart: ({ pid }) => started.push(pid) }),
    );
    await until('three run', () => started.length === 3);
    controller.abort();
    const count = (kind: ProcessExit['kind'], exits: ProcessExit[]): number => exits.filter((exit) => exit.kind === kind).length;
    const exits = await Promise.all(jobs);
    expect([count('cancelled', exits), count('not-started', exits)]).toEqual([3, 37]);
  });

  test('after the exit it only ends the waiting for those left running', async () => {
    const rig = rigOf();
    const controller = new AbortController();
    let sleeper = 0;
    const running = rig.sh('sleep 600 & echo $! > sleeper; echo $$ > shell; exit 2', { signal: controller.signal });
    const shell = await rig.pid('shell');
    sleeper = await rig.pid('sleeper');
    await until('the shell has ended', () => !isRunning(shell));
    await new Promise(setImmediate);
    controller.abort();
    expect(await running).toMatchObject({ kind: 'exited', exitCode: 2, leftProcesses: 1 });
    expect(isRunning(sleeper)).toBe(true);
  });
});

describe('dispose()', () => {
  test('nothing is left of running, waiting and killed jobs', async () => {
    const rig = rigOf({ concurrency: 3, killGraceMs: 60_000 });
    const stubborn = (name: string): string => `trap '' TERM; sleep 600 & echo $! > ${name}; echo ready; while :; do sleep 0.1; done`;
    const timedOut = rig.sh(stubborn('a'), timedOutWhenReady);
    const running = [rig.sh(stubborn('b')), rig.sh(stubborn('c'))];
    const sleepers = [await rig.pid('a'), await rig.pid('b'), await rig.pid('c')];
    const { pid } = expectKind(await timedOut, 'timed-out');
    const busy = rig.sh('sleep 600');
    const waiting = rig.sh('true');
    expect(privateDirectories()).toHaveLength(1);

    const disposed = rig.spawner.dispose();
    expect(rig.spawner.dispose()).toBe(disposed);
    expect(await waiting).toEqual({ kind: 'not-started', reason: 'disposed', durationMs: 0 });
    for (const exit of await Promise.all(running)) expect(exit.kind).toBe('cancelled');
    await busy;
    await disposed;
    expect([...sleepers, pid].filter(isRunning)).toEqual([]);
    expect(privateDirectories()).toEqual([]);
    expect(await rig.sh('true')).toEqual({ kind: 'not-started', reason: 'disposed', durationMs: 0 });
    expect([rig.spawner.running, rig.spawner.queued]).toEqual([0, 0]);
  });

  test('of a spawner that never ran anything', async () => {
    const listeners = process.listenerCount('SIGTERM');
    const spawner = createSpawner();
    await spawner.dispose();
    expect(await spawner.run(shellJob('true'))).toMatchObject({ reason: 'disposed' });
    expect(process.listenerCount('SIGTERM')).toBe(listeners);
  });

  test('in the very turn of run()', async () => {
    const rig = rigOf();
    const job = rig.sh('true');
    await rig.spawner.dispose();
    expect(await job).toMatchObject({ kind: 'not-started', reason: 'disposed' });
  });
});

describe('leaks', () => {
  test('no descriptor, no file, no listener stays, whatever way jobs end', () => expectNoLeaks(3));
});
