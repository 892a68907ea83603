import { readFileSync } from 'node:fs';
import { type HookRig, hookRig } from '../../src/index.js';
import { endHosts, isRunning, processesWith, socketOf, start, startRunOf, stateOf, until } from './hosts.js';

let rig: HookRig;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  await rig.close();
  endHosts();
});

describe('how a run ends', () => {
  test('with the given code', async () => {
    const { run, exit } = await startRunOf(rig);
    await run.exit(42);
    await run.ended;
    expect(await exit).toEqual({ code: 42, signal: null });
  });

  test.each([-1, 256, 0.5])('the exit code %p is wrong use', async (code) => {
    const { run } = await startRunOf(rig);
    await expect(run.exit(code)).rejects.toThrow(TypeError);
  });

  test.each(['SIGTERM', 'SIGKILL', 'SIGPIPE', 'SIGUSR1', 'SIGSEGV'] as const)('by %s, as the system has it by default', async (signal) => {
    const { run, exit } = await startRunOf(rig);
    await run.ignoreSignals('SIGTERM');
    await run.kill(signal);
    expect(await exit).toEqual({ code: null, signal });
  });

  test.each(['SIGCONT', 'SIGSTOP', 'SIGNOTHING'])('%s ends nothing, so kill() refuses it', async (signal) => {
    const { run } = await startRunOf(rig);
    await expect(run.kill(signal as NodeJS.Signals)).rejects.toThrow(TypeError);
  });

  test('a kill from outside is seen, SIGKILL included', async () => {
    const { run, child } = await startRunOf(rig);
    child.kill('SIGKILL');
    await run.ended;
    await until(() => !isRunning(run.pid));
  });

  test('a command to a run that has ended is refused, with its label and pid', async () => {
    const { run } = await startRunOf(rig, 'guard');
    await run.exit(0);
    await expect(run.stdout('late')).rejects.toMatchObject({
      name: 'HookRigError',
      code: 'ended',
      message: expect.stringMatching(new RegExp(`"guard" \\(pid ${run.pid}\\)`)),
    });
    await expect(run.signalled('SIGTERM')).rejects.toMatchObject({ code: 'ended' });
    await run.exit(0).then(
      () => expect(true).toBe(false),
      (error) => expect(error).toMatchObject({ code: 'ended' }),
    );
  });
});

describe('signals, stopping, moving', () => {
  test('an ignored signal is reported to calls before and after it', async () => {
    const { run, child, exit } = await startRunOf(rig);
    await run.ignoreSignals('SIGTERM', 'SIGINT');
    const term = run.signalled('SIGTERM');
    child.kill('SIGTERM');
    await term;
    await run.signalled('SIGTERM');
    child.kill('SIGINT');
    await run.signalled('SIGINT');
    await run.exit(0);
    expect(await exit).toEqual({ code: 0, signal: null });
  });

  test('a stopped hook stands still, goes on with SIGCONT, and only SIGKILL ends it meanwhile', async () => {
    const { run, child, exit, stdout } = await startRunOf(rig);
    await run.stop();
    expect(stateOf(run.pid)).toBe('T');
    const written = run.stdout('again');
    expect(stateOf(run.pid)).toBe('T');
    child.kill('SIGCONT');
    await written;
    await run.stop();
    expect(stateOf(run.pid)).toBe('T');
    child.kill('SIGKILL');
    await run.ended;
    expect([(await exit).signal, await stdout]).toEqual(['SIGKILL', 'again']);
    // The watcher of the stopped process ends together with this process.
    await until(() => processesWith(socketOf(rig)).length === 0);
  });
});

describe('forks', () => {
  test('a fork is a run of its own, with what it inherits, and is never the next run', async () => {
    const { run, stdout, exit } = await startRunOf(rig, 'parent');
    const fork = await run.fork({ label: 'child', env: { ONLY: 'this' } });
    expect(fork).toMatchObject({ label: 'child', ppid: run.pid, env: { ONLY: 'this' } });
    expect(Object.keys(fork.env)).toEqual(['ONLY']);
    expect((await run.fork()).env).toEqual(run.env);
    start(rig.command('next'));
    expect((await rig.nextRun()).label).toBe('next');
    await fork.stdout('from the child');
    await fork.exit(0);
    await run.kill('SIGTERM');
    await exit;
    expect(isRunning(run.pid)).toBe(false);
    await rig.close();
    expect(await stdout).toBe('from the child');
  });

  test('a detached fork leads a session, outlives its parent and is ended by close()', async () => {
    const { run } = await startRunOf(rig);
    const fork = await run.fork({ detached: true });
    const grandchild = await fork.fork();
    const session = Number(
      readFileSync(`/proc/${fork.pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')[3],
    );
    expect(session).toBe(fork.pid);
    await run.exit(0);
    expect([isRunning(fork.pid), isRunning(grandchild.pid)]).toEqual([true, true]);
    await rig.close();
    await Promise.all([fork.ended, grandchild.ended]);
    await until(() => !isRunning(fork.pid) && !isRunning(grandchild.pid));
  });
});
