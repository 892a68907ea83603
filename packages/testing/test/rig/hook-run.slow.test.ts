import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HookRig, hookRig } from '../../src/index.js';
import { endHosts, isRunning, processesWith, socketOf, startRunOf } from './hosts.js';

let rig: HookRig;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  await rig.close();
  endHosts();
});

describe('how a run ends', () => {
  test('a pending command that is not awaited does no harm when the hook ends', async () => {
    const { run, child } = await startRunOf(rig);
    void run.stdin();
    void run.signalled('SIGHUP');
    child.kill('SIGKILL');
    await run.ended;
  });
});

describe('signals, stopping, moving', () => {
  test('SIGKILL cannot be ignored', async () => {
    const { run } = await startRunOf(rig);
    await expect(run.ignoreSignals('SIGKILL')).rejects.toMatchObject({ code: 'EINVAL' });
  });

  test('what watches over a stopped hook is not a child, a group member or an heir of it', async () => {
    const { run } = await startRunOf(rig);
    await run.stop();
    const [watcher, ...others] = processesWith(socketOf(rig)).filter((pid) => pid !== run.pid);
    expect(others).toEqual([]);
    expect(readFileSync(`/proc/${watcher}/environ`, 'utf8').replace(/(PWD|SHLVL|OLDPWD|_)=[^\0]*\0/g, '')).toBe('');
    const [ppid, group] = statOf(watcher as number);
    expect(ppid).not.toBe(run.pid);
    expect(group).not.toBe(statOf(run.pid)[1]);
  });

  test('it works elsewhere after chdir', async () => {
    const place = realpathSync(mkdtempSync(join(tmpdir(), 'hook-rig-test-')));
    const { run } = await startRunOf(rig);
    await run.chdir(place);
    expect(await run.fork()).toMatchObject({ cwd: place });
    await expect(run.chdir(join(place, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    rmSync(place, { recursive: true });
  });

  function statOf(pid: number): number[] {
    const [, ppid, group] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return [ppid as number, group as number];
  }
});

describe('forks', () => {
  test('a killed parent is seen as ended although its fork lives on and holds its output', async () => {
    const { run, child } = await startRunOf(rig);
    const fork = await run.fork({ stdio: 'inherit' });
    child.kill('SIGKILL');
    await run.ended;
    expect(isRunning(fork.pid)).toBe(true);
    await fork.stdout('still here');
  });

  test('a fork that ignores the output does not hold it', async () => {
    const { run, stdout } = await startRunOf(rig);
    const fork = await run.fork({ stdio: 'ignore' });
    await run.exit(0);
    expect(await stdout).toBe('');
    expect(isRunning(fork.pid)).toBe(true);
  });

  test('a fork into closed output gets /dev/null there', async () => {
    const { run } = await startRunOf(rig);
    await run.closeStdin();
    await run.closeStdout();
    const fork = await run.fork();
    expect(await fork.stdin()).toBe('');
    await fork.stdout('nowhere');
  });
});
