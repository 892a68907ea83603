import { TrackedJobs } from '../../src/kill/tracked-jobs.js';
import { expectKind, openRig, type Rig } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

const jobs = new TrackedJobs();
const deadlineAt = Number.POSITIVE_INFINITY;
const { signal } = new AbortController();

test('a job that has left nothing has 0 processes', async () => {
  const { pid } = expectKind(await rig.sh('true'), 'exited');
  expect(await jobs.countLeft({ group: pid, jobId: 'none' }, { isOutputHeld: () => false, deadlineAt, signal })).toBe(0);
});

test('once it is stopped a job is not searched for: "at least one" while its group is there', async () => {
  const { pid } = expectKind(await rig.sh('sleep 600 & echo $! > a; sleep 600 & echo $! > b'), 'exited');
  await Promise.all([rig.pid('a'), rig.pid('b')]);
  const stopped = AbortSignal.abort('cancelled');
  expect(await jobs.countLeft({ group: pid, jobId: 'none' }, { isOutputHeld: () => true, deadlineAt, signal: stopped })).toBe(1);
});
