import { execFile } from 'node:child_process';
import { PrivateDirectory } from '../../src/io/private-directory.js';
import { SetupFile } from '../../src/lanes/setup-file.js';

const directory = new PrivateDirectory();
afterAll(() => directory.remove());

/** Reads the setup as a lane does, and runs a command. */
function runJob({ fd }: SetupFile): Promise<{ readonly signal: string | null; readonly stdout: string }> {
  const text = `__th_p=/proc/${process.pid}/fd __th_s=${fd}; . "$__th_p/$__th_s" || exit; echo "$A"`;
  return new Promise((resolve) => {
    execFile('bash', ['-c', text], (error, stdout) => resolve({ signal: error?.signal ?? null, stdout }));
  });
}

test('a job that begins is noticed', async () => {
  const setup = new SetupFile(directory, 'A=ready');
  expect(setup.hasBegun).toBe(false);
  expect(await runJob(setup)).toEqual({ signal: null, stdout: 'ready\n' });
  expect(setup.hasBegun).toBe(true);
  setup.lock();
  expect(setup.hasBegun).toBe(true);
  setup.close();
});

test('a job whose setup fails has not begun', async () => {
  const setup = new SetupFile(directory, 'cd /nowhere && A=ready');
  expect(await runJob(setup)).toMatchObject({ stdout: '' });
  expect(setup.hasBegun).toBe(false);
  setup.close();
});

test('a job that reads its setup after it was locked kills itself', async () => {
  const setup = new SetupFile(directory, 'A=ready');
  setup.lock();
  expect(await runJob(setup)).toEqual({ signal: 'SIGKILL', stdout: '' });
  expect(setup.hasBegun).toBe(false);
  setup.close();
});

test('a process that a lost lane has forked does not begin', async () => {
  const setup = new SetupFile(directory, 'A=ready');
  setup.closeLate();
  expect(await runJob(setup)).toEqual({ signal: 'SIGKILL', stdout: '' });
});
