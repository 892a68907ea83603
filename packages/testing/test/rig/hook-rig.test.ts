import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { type HookRig, hookRig } from '../../src/index.js';
import { makeRigSocket, shellText } from '../../src/rig/hook-rig.js';
import { asHost, endHosts, isRunning, socketOf, start, startRunOf } from './hosts.js';

let rig: HookRig;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  await rig.close();
  endHosts();
});

describe('what a run is', () => {
  test('it says who started where, with which arguments and environment', async () => {
    const cwd = realpathSync(tmpdir());
    const host = start(`${rig.command('guard')} --strict 'two words'`, 'pipe', {
      cwd,
      env: { PATH: process.env['PATH'], COLOUR: 'grün\u2028' },
    });
    const run = await rig.nextRun();
    expect(run).toMatchObject({ label: 'guard', cwd, env: { COLOUR: 'grün\u2028' } });
    expect(run.argv.slice(-2)).toEqual(['--strict', 'two words']);
    // bash replaces itself with its last command, so the hook has the process id of the shell.
    expect([run.pid, run.ppid]).toEqual([host.child.pid, process.pid]);
    await run.exit(0);
  });

  test('a hook without a label has none', async () => {
    const { run } = await startRunOf(rig);
    expect(run.label).toBeUndefined();
  });

  test.each(['it\'s "quoted" `twice`', 'two  blanks ', 'two\nlines', '$HOME \\ *', '', '--fork=1', "''"])(
    'the label %j arrives as it is',
    async (label) => {
      start(rig.command(label));
      expect((await rig.nextRun(label)).label).toBe(label);
    },
  );

  test('it is started without a shell as well', async () => {
    const { file, args } = rig.program('guard');
    asHost(spawn(file, args, { stdio: 'ignore' }));
    expect(await rig.nextRun('guard')).toMatchObject({ label: 'guard' });
  });

  test('a label that no process can have is refused', () => {
    expect(() => rig.command('a\0b')).toThrow(TypeError);
  });
});

describe('which run is next', () => {
  test('two runs are awaited before either is answered, so they run at once', async () => {
    const [one, other] = [start(rig.command('a')), start(rig.command('b'))];
    const [a, b] = await Promise.all([rig.nextRun('a'), rig.nextRun('b')]);
    expect([isRunning(a.pid), isRunning(b.pid)]).toEqual([true, true]);
    await b.exit(2);
    await a.exit(1);
    expect([(await one.exit).code, (await other.exit).code]).toEqual([1, 2]);
  });

  test('a call with a label skips the others, which wait for the next call', async () => {
    start(rig.command('a'));
    const b = rig.nextRun('b');
    const a = await rig.nextRun('a');
    start(rig.command('a'));
    start(rig.command('b'));
    expect((await b).label).toBe('b');
    expect((await rig.nextRun()).pid).not.toBe(a.pid);
  });

  test('a run that has ended before anybody asked still comes', async () => {
    // Simulates a hook that was killed. Only this client can see that the hook has connected and disconnected.
    const hook = connect(socketOf(rig)).resume();
    hook.end(`${JSON.stringify({ kind: 'hook', pid: 2 ** 30, ppid: 1, argv: [], env: {}, cwd: '/', label: 'gone' })}\n`);
    await once(hook, 'close');
    const run = await rig.nextRun();
    expect(run.label).toBe('gone');
    await run.ended;
  });

  test('close() tells who waits what was awaited, and what had started', async () => {
    const { run } = await startRunOf(rig, 'a');
    const waiting = rig.nextRun('guard');
    const anything = rig.nextRun();
    const refused = Promise.all([
      expect(waiting).rejects.toMatchObject({
        name: 'HookRigError',
        code: 'closed',
        message: expect.stringMatching(new RegExp(`nextRun\\("guard"\\).*"a" \\(pid ${run.pid}\\)`)),
      }),
      expect(anything).rejects.toMatchObject({ code: 'closed', message: expect.stringContaining('nextRun()') }),
    ]);
    await rig.close();
    await refused;
    await expect(rig.nextRun()).rejects.toMatchObject({ code: 'closed' });
  });

  test('with timeoutMs, waiting ends by itself', async () => {
    const impatient = await hookRig({ timeoutMs: 1 });
    await expect(impatient.nextRun('guard')).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('nextRun("guard")'),
    });
    await impatient.close();
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 31])('timeoutMs %p is wrong use', async (timeoutMs) => {
    await expect(hookRig({ timeoutMs })).rejects.toThrow(TypeError);
  });
});

describe('the text of a command', () => {
  const program = { file: '/opt/my node', args: ["it's", '"two"\n$lines', ''] };

  test('for bash and sh each word is one in single quotes', () => {
    expect(shellText(program, 'linux')).toBe(`'/opt/my node' 'it'\\''s' '"two"\n$lines' ''`);
  });

  test('for PowerShell quotes are doubled, double ones escaped, and the exit code is handed on', () => {
    expect(shellText(program, 'win32')).toBe(`& '/opt/my node' 'it''s' '\\"two\\"\n$lines' ''; exit $LASTEXITCODE`);
  });
});

test('a temporary directory that is too long for the address of a socket is passed over', () => {
  const { path, remove } = makeRigSocket(`/tmp/${'long/'.repeat(20)}`);
  expect(Buffer.byteLength(path)).toBeLessThan(104);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  remove();
  remove();
  expect(existsSync(dirname(path))).toBe(false);
});
