import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { jest } from '@jest/globals';
import { Cancellation } from '@tenterhook/runtime/async';
import { PrivateDirectory } from '../../src/io/private-directory.js';
import type { StopSignal } from '../../src/job.js';
import { Lane, notBegun } from '../../src/lanes/lane.js';
import { SetupFile } from '../../src/lanes/setup-file.js';
import { findOnPath, findShell, type Shell } from '../../src/run/spawn-process.js';
import { isRunning, openRig, until } from '../process-rig.js';

const rig = openRig();
const directory = new PrivateDirectory();
const stdin = openSync('/dev/null', 'r');
let lane: Lane;

beforeEach(async () => {
  const shell = findShell({ platform: process.platform, env: process.env }) as Shell;
  const start = await Lane.start({ file: shell.file, args: ['-c'] }, findOnPath('mkfifo', process.env) as string, directory);
  if ('error' in start) throw start.error;
  lane = start.lane;
  for (const name of ['setup', 'ran']) rmSync(rig.path(name), { force: true });
});
afterEach(async () => {
  lane.kill();
  await lane.gone;
});
afterAll(async () => {
  closeSync(stdin);
  directory.remove();
  await rig.close();
});

/** Runs a job whose setup hangs, e.g. because a network disk does not answer. */
function hang(longestMs: number, control = new Cancellation()) {
  const setup = new SetupFile(
    directory,
    `{ echo $BASHPID > ${rig.path('setup')}; until false; do :; done; } && __th_c=': > ${rig.path('ran')}'`,
  );
  const onPid = jest.fn();
  const run = lane.run({ stdin, setup, isCall: false, longestMs, signal: control as StopSignal }, onPid).finally(() => setup.close());
  return { run, onPid };
}

const setupPid = (): number => Number(existsSync(rig.path('setup')) && readFileSync(rig.path('setup'), 'utf8'));

test.each(['nothing else happens', 'the job is stopped meanwhile'])(
  'a job that is not prepared in time has certainly not begun, so that it is started directly: %s',
  async (way) => {
    const control = new Cancellation();
    const { run, onPid } = hang(500, control);
    await until('the setup runs', () => setupPid() > 0);
    if (way !== 'nothing else happens') control.abort('cancelled');
    expect(await run).toEqual({ error: notBegun });
    expect(onPid).not.toHaveBeenCalled();
    expect(isRunning(setupPid())).toBe(false);
    expect(existsSync(rig.path('ran'))).toBe(false);
  },
);

test('a lane that is paused before it starts a process has certainly not begun the job', async () => {
  process.kill(lane.pid, 'SIGSTOP');
  const { run, onPid } = hang(100);
  const end = await run;
  expect('error' in end && end.error.code).toBe('EAGAIN');
  expect(onPid).not.toHaveBeenCalled();
});
