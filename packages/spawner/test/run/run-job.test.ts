import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { expectKind, isRunning, openRig, plainEnv, programJob, type Rig, shellJob, timedOutWhenReady, until } from '../process-rig.js';
import { testStopsAfterTheEnd } from './stops-after-the-end.js';

// One for all jobs that leave nothing: to open a spawner and to close it takes longer than most of them.
let rig: Rig;
beforeAll(() => {
  rig = openRig();
});
afterAll(() => rig.close());

describe('standard streams', () => {
  test('stdout, stderr and the exit code of a shell command', async () => {
    const exit = expectKind(await rig.sh('echo out; echo err >&2; exit 3'), 'exited');
    expect(exit).toMatchObject({ exitCode: 3, stdout: 'out\n', stderr: 'err\n', stdoutBytes: 4, stderrBytes: 4 });
    expect(exit).toMatchObject({ stdoutTruncated: false, stderrTruncated: false, invalidUtf8: false, leftProcesses: 0 });
    expect(exit.durationMs).toBeGreaterThan(0);
    expect(exit.pid).toBeGreaterThan(0);
  });

  test.each([
    ['cat /dev/stdin', 'cat /dev/stdin', 'in', ''],
    ['cat /proc/self/fd/0', 'cat /proc/self/fd/0', 'in', ''],
    ['echo to /dev/stderr', 'echo no > /dev/stderr', '', 'no\n'],
    ['tee /dev/stderr', 'echo both | tee /dev/stderr', 'both\n', 'both\n'],
    ['writing on after > /dev/stderr', 'echo long >&2; echo a > /dev/stderr; echo b >&2', '', 'long\na\nb\n'],
    ['stdout and stderr are apart', 'echo 1; echo 2 >&2; echo 3', '1\n3\n', '2\n'],
    ['2>&1 keeps the order', 'exec 2>&1; echo 1; echo 2 >&2; echo 3', '1\n2\n3\n', ''],
    ['a shell builtin reads stdin to its end', 'while read -r line || [ -n "$line" ]; do echo "<$line>"; done', '<in>\n', ''],
  ])('%s', async (_name, text, stdout, stderr) => {
    expect(await rig.sh(text, { stdin: 'in' })).toMatchObject({ kind: 'exited', exitCode: 0, stdout, stderr });
  });

  test('a process that never reads its stdin is not disturbed by it', async () => {
    expect(await rig.sh('true', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  test('1 MB goes in and comes out', async () => {
    const stdin = '0123456789abcdé\n'.repeat(62_500);
    const exit = expectKind(await rig.sh('cat', { stdin }), 'exited');
    expect(exit.stdout === stdin).toBe(true);
    expect(exit.stdoutBytes).toBe(Buffer.byteLength(stdin));
  });

  test('an empty stdin is at its end', async () => {
    expect(await rig.sh('cat; echo end')).toMatchObject({ kind: 'exited', stdout: 'end\n' });
  });

  test('a byte order mark is left in the text', async () => {
    expect(await rig.sh(String.raw`printf '\357\273\277{}'`)).toMatchObject({ stdout: '\uFEFF{}', invalidUtf8: false });
  });

  test('invalid UTF-8 is replaced and reported', async () => {
    expect(await rig.sh(String.raw`printf 'a\377b' >&2`)).toMatchObject({ stderr: 'a\uFFFDb', stderrBytes: 3, invalidUtf8: true });
  });

  test('a character written in two halves is one character', async () => {
    expect(await rig.sh(String.raw`printf '\342\202'; printf '\254'`)).toMatchObject({ stdout: '€', invalidUtf8: false });
  });
});

describe('command, directory, environment', () => {
  test('the environment is what was given and our tag', async () => {
    const exit = expectKind(await rig.spawner.run(programJob('/usr/bin/env', [], { env: { B: 'two words', A: '' } })), 'exited');
    expect(exit.stdout.trim().split('\n').sort()).toEqual(['A=', 'B=two words', expect.stringMatching(/^TENTERHOOK_JOB=[\w-]+-\d+$/)]);
  });

  test('the arguments of a program reach it as they are', async () => {
    const args = ['%s\n', 'a b', '$HOME', '"', "'", '*', '', 'é'];
    expect(await rig.spawner.run(programJob('printf', args))).toMatchObject({ stdout: 'a b\n$HOME\n"\n\'\n*\n\né\n' });
  });

  test('the text of a command reaches the shell as it is', async () => {
    const text = `echo "$0:$#" 'a  b' "\${HOOK:-none}" \\\n&& echo "line 2" # comment`;
    expect(await rig.sh(text, { env: { ...plainEnv, HOOK: '$(touch hacked)' } })).toMatchObject({
      stdout: expect.stringMatching(/bash:0 a {2}b \$\(touch hacked\)\nline 2\n$/),
    });
  });

  test('a hook runs where the job says', async () => {
    expect(await rig.sh('pwd -P')).toMatchObject({ stdout: `${rig.place}\n` });
  });

  test('the shell does not depend on the PATH of the job', async () => {
    expect(await rig.sh('echo here', { env: {} })).toMatchObject({ kind: 'exited', stdout: 'here\n' });
  });
});

describe('how it ended', () => {
  test.each([0, 1, 2, 3, 42, 100, 125, 126, 127, 128, 160, 200, 254, 255])('exit code %i', async (exitCode) => {
    expect(await rig.sh(`exit ${exitCode}`)).toMatchObject({ kind: 'exited', exitCode });
  });

  test('a command that does not exist is the exit code 127 of the shell', async () => {
    expect(await rig.sh('no-such-command-here')).toMatchObject({
      kind: 'exited',
      exitCode: 127,
      stderr: expect.stringContaining('not found'),
    });
  });

  test.each(['SIGTERM', 'SIGKILL', 'SIGSEGV', 'SIGABRT', 'SIGHUP', 'SIGPIPE'] as const)('%s', async (signal) => {
    const number = constants.signals[signal];
    expect(await rig.sh(`echo before; kill -${number} $$`)).toMatchObject({ kind: 'signalled', signal, stdout: 'before\n' });
  });

  test('a code above 128 is a code, whether a child was killed or it was meant', async () => {
    expect(await rig.sh(`sh -c 'kill -9 $$'; exit $?`)).toMatchObject({ kind: 'exited', exitCode: 137 });
    expect(await rig.sh('exit 130')).toMatchObject({ kind: 'exited', exitCode: 130 });
    expect(await rig.spawner.run(programJob('sh', ['-c', 'exit 137']))).toMatchObject({ kind: 'exited', exitCode: 137 });
  });

  test('a process that opens its output anew loses nothing of it', async () => {
    expect(await rig.sh('echo first; echo second > /dev/stdout; echo third')).toMatchObject({ stdout: 'first\nsecond\nthird\n' });
    expect(await rig.sh('echo first >&2; echo second > /dev/stderr; echo third | tee /dev/stderr')).toMatchObject({
      stdout: 'third\n',
      stderr: 'first\nsecond\nthird\n',
    });
    expect(await rig.sh('echo a; echo b >> /dev/stdout')).toMatchObject({ stdout: 'a\nb\n' });
  });

  test('what a shell that was killed leaves running is killed too', async () => {
    expect(await rig.sh('sleep 600 & echo $! > sleeper; kill -9 $$')).toMatchObject({
      kind: 'signalled',
      signal: 'SIGKILL',
      leftProcesses: 0,
    });
    const sleeper = await rig.pid('sleeper');
    await until('the sleeper is dead', () => !isRunning(sleeper));
  });
});

describe('not to be started', () => {
  const missing = `${tmpdir()}/no-such-directory-here`;

  test('a missing working directory is named', async () => {
    expect(await rig.sh('true', { cwd: missing })).toEqual({
      kind: 'unrunnable',
      code: 'spawn_failed',
      reason: 'missing_cwd',
      message: `the working directory ${missing} does not exist: create it, or run the command in a directory that exists`,
      durationMs: 0,
    });
  });

  test('a working directory that is a file', async () => {
    expect(await rig.sh('true', { cwd: '/dev/null' })).toMatchObject({
      reason: 'missing_cwd',
      message: expect.stringContaining('/dev/null is not a directory'),
    });
  });

  test('a missing program, and a missing interpreter', async () => {
    const exit = await rig.spawner.run(programJob('no-such-program-here', []));
    expect(exit).toMatchObject({
      kind: 'unrunnable',
      code: 'missing_command',
      reason: 'missing_program',
      message: expect.stringContaining('no-such-program-here'),
    });
    writeFileSync(rig.path('script'), '#!/no/such/interpreter\n', { mode: 0o755 });
    expect(await rig.spawner.run(programJob(rig.path('script'), []))).toMatchObject({ reason: 'missing_program' });
  });

  test('a file that is not executable', async () => {
    writeFileSync(rig.path('data'), 'data', { mode: 0o644 });
    expect(await rig.spawner.run(programJob(rig.path('data'), []))).toMatchObject({
      reason: 'EACCES',
      message: expect.stringContaining('executable bit'),
    });
  });

  test('a command longer than the system takes', async () => {
    expect(await rig.sh(`: ${'x'.repeat(200_000)}`)).toMatchObject({
      kind: 'unrunnable',
      code: 'spawn_failed',
      reason: 'E2BIG',
      message: expect.stringContaining('too long'),
    });
  });

  test('a NUL byte in the working directory', async () => {
    expect(expectKind(await rig.spawner.run(shellJob('true', { cwd: '/tmp\0' })), 'unrunnable')).toMatchObject({
      code: 'spawn_failed',
      reason: 'missing_cwd',
      message: expect.stringContaining('the working directory contains a NUL byte'),
    });
  });

  test.each([
    ['the text', shellJob('echo a\0b'), 'the command contains a NUL byte'],
    ['an argument', programJob('echo', ['a', 'b\0']), 'argument 2 contains a NUL byte'],
    ['the program', programJob('ec\0ho', []), 'the name of the program contains a NUL byte'],
    ['a value', shellJob('true', { env: { SECRET: 'hush\0' } }), 'the value of the environment variable SECRET contains a NUL byte'],
    ['a name', shellJob('true', { env: { 'A\0': 'hush' } }), 'the environment variable "A\\u0000" has a NUL byte'],
  ])('a NUL byte in %s', async (_name, job, message) => {
    const exit = expectKind(await rig.spawner.run(job), 'unrunnable');
    expect(exit).toMatchObject({ code: 'invalid_input', reason: 'invalid_input', message: expect.stringContaining(message) });
    expect(exit.message).not.toContain('hush');
  });

  test('an environment value that is not a string, and an empty program', async () => {
    const env = { COUNT: 3 } as unknown as Record<string, string>;
    expect(await rig.sh('true', { env })).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('COUNT must be a string, and is a number'),
    });
    expect(await rig.spawner.run(programJob('', []))).toMatchObject({ code: 'invalid_input' });
  });

  test('no shell on PATH, and no bash', async () => {
    const path = process.env['PATH'];
    try {
      process.env['PATH'] = rig.place;
      expect(await rig.sh('true')).toMatchObject({
        kind: 'unrunnable',
        code: 'spawn_failed',
        reason: 'missing_shell',
        message: expect.stringContaining('PATH'),
      });
      symlinkSync('/bin/sh', rig.path('sh'));
      expect(await rig.sh('echo $0')).toMatchObject({ kind: 'exited', stdout: `${rig.path('sh')}\n` });
    } finally {
      process.env['PATH'] = path;
    }
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648, '5000' as unknown as number])(
    'timeoutMs %p is wrong use',
    (timeoutMs) => {
      expect(() => rig.sh('true', { timeoutMs })).toThrow(TypeError);
    },
  );

  test('so are a fractional cap, a negative grace, and a command of no kind', () => {
    expect(() => rig.sh('true', { stdoutBytes: 1.5 })).toThrow('stdoutBytes must be an integer from 0 to 268435456, and is 1.5');
    expect(() => rig.sh('true', { killGraceMs: -1 })).toThrow(TypeError);
    expect(() => rig.spawner.run({ ...shellJob(''), command: { kind: 'python' } as never })).toThrow('is "python"');
  });
});

describe('a process that leaves others running (decision 29)', () => {
  let rig: Rig;
  beforeEach(() => {
    rig = openRig();
  });
  afterEach(() => rig.close());

  test('its answer counts, and they are counted and left alone', async () => {
    const exit = expectKind(await rig.sh('sleep 600 & echo $! > sleeper; echo answer; exit 2'), 'exited');
    const sleeper = await rig.pid('sleeper');
    expect(exit).toMatchObject({ exitCode: 2, stdout: 'answer\n', leftProcesses: 1 });
    expect(isRunning(sleeper)).toBe(true);
    await rig.spawner.dispose();
    expect(isRunning(sleeper)).toBe(true);
  });

  test('what they write right after the exit belongs to the answer', async () => {
    const exit = expectKind(await rig.sh('(while kill -0 $$ 2> /dev/null; do echo tick; done; echo late) & echo early'), 'exited');
    // Whether the writer itself has ended by then is its affair, and depends on the moment.
    expect(exit.stdout).toMatch(/late\n$/);
  });

  test('one that never stops writing is waited for only so long', async () => {
    const exit = expectKind(
      await rig.sh('(echo $BASHPID > writer; while :; do echo on; sleep 0.01; done) & echo answer', { stdoutBytes: 10 }),
      'exited',
    );
    const writer = await rig.pid('writer');
    expect(exit).toMatchObject({ exitCode: 0, stdoutTruncated: true });
    expect(exit.leftProcesses).toBeGreaterThanOrEqual(1);
    expect(isRunning(writer)).toBe(true);
  });

  test('what has ended and is not reaped is not counted', async () => {
    // The subshell becomes a program that never asks how its child ended; the child ends when it has.
    const child = 'until grep -q sleep "/proc/$PPID/comm"; do :; done';
    const hasEnded = 'grep -q ") Z" "/proc/$(cat child)/stat"';
    const exit = await rig.sh(
      `(sh -c '${child}' & echo $! > child; exec sleep 600) & echo $! > sleeper; until [ -s child ] && ${hasEnded}; do :; done`,
    );
    expect(isRunning(await rig.pid('sleeper'))).toBe(true);
    expect(exit).toMatchObject({ kind: 'exited', exitCode: 0, leftProcesses: 1 });
  });
});

describe('the deadline (decision 28)', () => {
  let rig: Rig;
  beforeEach(() => {
    rig = openRig();
  });
  afterEach(() => rig.close());

  test('a process that ignores SIGTERM: settled while it lives, killed after the grace', async () => {
    let pid = 0;
    const job = shellJob("trap 'echo term > seen' TERM; echo ready; while :; do sleep 0.1; done", {
      cwd: rig.place,
      timeoutMs: 1000,
      killGraceMs: 400,
      onStart: (info) => {
        pid = info.pid;
      },
    });
    const exit = expectKind(await rig.spawner.run(job), 'timed-out');
    expect(isRunning(pid)).toBe(true);
    expect(exit).toMatchObject({ stdout: 'ready\n', pid, leftProcesses: 0 });
    expect(exit.durationMs).toBeGreaterThanOrEqual(999);
    expect(await rig.line('seen')).toBe('term');
    await until('the group is gone', () => !isRunning(pid));
  });

  test('SIGTERM ignored by the shell and its child', async () => {
    const exit = expectKind(
      await rig.sh("trap '' TERM; sleep 600 & echo $! > child; echo ready; wait", { ...timedOutWhenReady, killGraceMs: 400 }),
      'timed-out',
    );
    const child = await rig.pid('child');
    expect([exit.pid, child].map(isRunning)).toEqual([true, true]);
    await until('both are dead', () => !isRunning(exit.pid) && !isRunning(child));
  });

  test('the whole group is killed, grandchildren included', async () => {
    const text =
      'sh -c \'sh -c "echo \\$\\$ > grandchild; exec sleep 600" & echo $$ > child; wait\' & until [ -s child ] && [ -s grandchild ]; do sleep 0.01; done; echo ready; wait';
    const exit = await rig.sh(text, timedOutWhenReady);
    expect(exit).toMatchObject({ kind: 'timed-out', stdout: 'ready\n' });
    const pids = [await rig.pid('child'), await rig.pid('grandchild')];
    await until('all are dead', () => !pids.some(isRunning));
  });

  test('a stopped process dies of SIGTERM, too', async () => {
    const exit = expectKind(await rig.sh('kill -STOP $$', { timeoutMs: 300, killGraceMs: 600_000 }), 'timed-out');
    await until('it is dead', () => !isRunning(exit.pid));
  });

  (process.platform === 'linux' ? test : test.skip)('a stopped process is reported, also if it is not the first of its job', async () => {
    expect(await rig.sh("(sh -c 'kill -STOP $$'); true", { timeoutMs: 1000 })).toMatchObject({ kind: 'timed-out', signal: 'SIGSTOP' });
    expect(await rig.sh('(sleep 600); true', { timeoutMs: 300 })).not.toHaveProperty('signal');
  });

  test('the time in the queue does not count', async () => {
    const narrow = openRig({ concurrency: 1 });
    const first = narrow.sh('until [ -e go ]; do sleep 0.05; done');
    const second = narrow.sh('echo in time', { timeoutMs: 5000 });
    await until('the first runs', () => narrow.spawner.running === 1 && narrow.spawner.queued === 1);
    writeFileSync(narrow.path('go'), '');
    expect(await first).toMatchObject({ kind: 'exited' });
    expect(await second).toMatchObject({ kind: 'exited', stdout: 'in time\n' });
    await narrow.close();
  });

  test('an answer that came while our own loop was blocked past the deadline counts', async () => {
    const running = rig.sh('echo deny; exit 2', {
      timeoutMs: 400,
      onStart: ({ pid }) => {
        // In a later turn of the loop, when the deadline has been set: until it has ended, which we cannot hear of yet, and on to well past the deadline.
        setImmediate(() => {
          const start = Date.now();
          while ((isRunning(pid) || Date.now() - start < 600) && Date.now() - start < 20_000);
        });
      },
    });
    expect(await running).toMatchObject({ kind: 'exited', exitCode: 2, stdout: 'deny\n' });
  });
});

test('of our files a process gets its own three and no more', async () => {
  const others = rig.sh('until [ -e go ]; do sleep 0.05; done', { stdin: 'other' });
  const exit = expectKind(await rig.sh('ls -l /proc/self/fd', { stdin: 'mine' }), 'exited');
  writeFileSync(rig.path('go'), '');
  await others;
  expect(
    exit.stdout
      .split('\n')
      .filter((line) => line.includes('/tenterhook-'))
      .map((line) => /(\d) -> .*\/([#ip])[\da-foe-]+(?: \(deleted\))?$/.exec(line)?.slice(1).join(' ').replace('#', 'i')),
  ).toEqual(['0 i', '1 p', '2 p']);
});

test('a process is the leader of its own group and session', async () => {
  const exit = expectKind(await rig.sh('cat /proc/$$/stat'), 'exited');
  const [, , group, session] = exit.stdout.slice(exit.stdout.lastIndexOf(')') + 2).split(' ');
  expect([Number(group), Number(session)]).toEqual([exit.pid, exit.pid]);
});

test('a removed private directory is made again', async () => {
  const exit = expectKind(await rig.sh('readlink /proc/$$/fd/0'), 'exited');
  rmSync(dirname(exit.stdout), { recursive: true });
  expect(await rig.sh('cat', { stdin: 'again' })).toMatchObject({ kind: 'exited', stdout: 'again' });
});

testStopsAfterTheEnd(() => rig, 5);
