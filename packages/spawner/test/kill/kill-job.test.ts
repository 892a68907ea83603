import { readJobIds } from '../../src/kill/job-ids.js';
import { findProcesses } from '../../src/kill/job-processes.js';
import { killJob } from '../../src/kill/kill-job.js';
import { isGroupAlive, signalGroup } from '../../src/kill/process-group.js';
import { isRunning, openRig, type Rig } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

/** Its real id: without processes that have it, a look that comes a second late takes the group for another one's. */
function jobIdOf(pid: number): string {
  return readJobIds(pid).at(-1) as string;
}

/** Three processes that stay in the group after its leader has ended. */
async function leaveThree(trap = ''): Promise<{ group: number; jobId: string; pids: number[] }> {
  const loop = `${trap} while :; do sleep 0.1; done`;
  const exit = await rig.sh(
    `for i in 1 2 3; do (echo $BASHPID > p$i; ${loop}) & done; until [ -s p1 ] && [ -s p2 ] && [ -s p3 ]; do :; done`,
  );
  if (exit.kind !== 'exited') throw new Error(exit.kind);
  const pids = await Promise.all(['p1', 'p2', 'p3'].map((name) => rig.pid(name)));
  return { group: exit.pid, jobId: jobIdOf(pids[0] as number), pids };
}

test('SIGTERM is enough for most', async () => {
  const { group, jobId, pids } = await leaveThree();
  expect(isGroupAlive(group)).toBe(true);
  expect((await findProcesses({ group, jobId }))?.map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids));
  await killJob({ group, jobId }, 60_000).gone;
  expect(pids.filter(isRunning)).toEqual([]);
  expect(await findProcesses({ group, jobId })).toEqual([]);
});

test('SIGKILL after the grace for the others', async () => {
  const { group, jobId, pids } = await leaveThree("trap '' TERM;");
  const dying = killJob({ group, jobId }, 300);
  expect(pids.filter(isRunning)).toEqual(pids);
  await dying.gone;
  expect(pids.filter(isRunning)).toEqual([]);
});

test('a long grace can be shortened, not prolonged', async () => {
  const { group, jobId, pids } = await leaveThree("trap '' TERM;");
  const dying = killJob({ group, jobId }, 600_000);
  dying.hurry(100);
  dying.hurry(600_000);
  await dying.gone;
  expect(pids.filter(isRunning)).toEqual([]);
});

test('a group that is gone already', async () => {
  const { group, jobId, pids } = await leaveThree();
  signalGroup(group, 'SIGKILL');
  await killJob({ group, jobId }, 0).gone;
  expect(pids.filter(isRunning)).toEqual([]);
  signalGroup(group, 'SIGTERM');
});

test('a group of which only unreaped processes are left is gone, though it still answers', async () => {
  // With job control the child has a group of its own; then its parent becomes a program that never asks how it ended.
  const controller = new AbortController();
  const running = rig.sh('set -m; sleep 600 & echo $! > child; exec sleep 600', { signal: controller.signal });
  const group = await rig.pid('child');
  const jobId = jobIdOf(group);
  await killJob({ group, jobId }, 60_000).gone;
  expect(isGroupAlive(group)).toBe(true);
  expect(await findProcesses({ group, jobId })).toEqual([]);
  controller.abort();
  await running;
});
