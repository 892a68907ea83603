// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { createSpawner, type ProcessExit, type Spawner } from '../../src/index.js';
import { expectKind, isRunning, type JobOptions, openRig, plainEnv, privateDirectories, shellJob, until } from '../process-rig.js';
import { openRealNode } from '../real-node.js';

const rig = openRig();
let spawner: Spawner;
beforeEach(() => {
  spawner = createSpawner({ concurrency: 1, killGraceMs: 200 }, { spawner: 'lanes' });
});
afterEach(() => spawner.dispose());
afterAll(() => rig.close());

async function run(text: string, options: JobOptions = {}): Promise<ProcessExit> {
  return spawner.run(shellJob(text, { cwd: rig.place, env: { ...plainEnv, LANG: 'C.UTF-8' }, ...options }));
}

// The jobs below kill their parent only if it is a shell: a job that is started directly is a child of this process.

/** The lane of a job, which is the parent of the job. */
async function laneOf(text: string, options: JobOptions = {}): Promise<number> {
  const exit = expectKind(await run(`read -r _ _ _ parent _ < /proc/$BASHPID/stat; echo "$parent"; ${text}`, options), 'exited');
  return Number(exit.stdout.split('\n')[0]);
}

const clean = { kind: 'exited', exitCode: 0, stdout: 'clean\n', stderr: '', leftProcesses: 0, route: { kind: 'lane' } };
const expectClean = async (): Promise<void> => expect(await run('echo clean')).toMatchObject(clean);

test('one lane runs one job after the other', async () => {
  const lanes = [await laneOf(''), await laneOf(''), await laneOf('')];
  expect(new Set(lanes).size).toBe(1);
});

test('a job that kills its lane fails, and the next job gets another lane', async () => {
  const killer =
    'read -r _ _ _ parent _ < /proc/$BASHPID/stat; echo before; [[ $(</proc/$parent/comm) = bash ]] && kill -9 "$parent"; sleep 0.05; echo after; exit 0';
  const exit = await run(killer);
  expect(exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL', stdout: expect.stringMatching(/^before\n/) });
  await expectClean();
});

test('a job that kills its lane after its answer loses no other answer', async () => {
  for (let round = 0; round < 3; round += 1) {
    await run('read -r _ _ _ parent _ < /proc/$BASHPID/stat; [[ $(</proc/$parent/comm) = bash ]] && kill -9 "$parent"');
    await expectClean();
  }
});

test('after four killed lanes within a second, jobs are started directly, and the outcome says why', async () => {
  spawner = createSpawner({ concurrency: 8 }, { spawner: 'lanes' });
  const warning = jest.spyOn(process, 'emitWarning').mockReturnValue();
  const kill =
    'read -r _ _ _ parent _ < /proc/$BASHPID/stat; until [ -e all ]; do sleep 0.01; done; [[ $(</proc/$parent/comm) = bash ]] && kill -9 "$parent"';
  const killers = Array.from({ length: 8 }, () => run(kill));
  await until('all run', () => spawner.running === 8);
  writeFileSync(rig.path('all'), '');
  await Promise.all(killers);
  rmSync(rig.path('all'));
  const reason = '4 lanes were killed within 1000 ms';
  expect(warning).toHaveBeenCalledWith(`${reason}. From now on, each hook is started directly.`);
  warning.mockRestore();
  expect(await run('echo clean')).toMatchObject({ ...clean, route: { kind: 'direct', reason } });
});

test('a lane that dies between two jobs is replaced', async () => {
  const lane = await laneOf('');
  process.kill(lane, 'SIGKILL');
  // Our process may learn of the end later than the next job is submitted.
  while (isRunning(lane));
  await expectClean();
});

test('a lane that is paused between two jobs loses no job: it is killed, and the job is started again', async () => {
  const lane = await laneOf('');
  process.kill(lane, 'SIGSTOP');
  await expectClean();
  expect(isRunning(lane)).toBe(false);
});

test.each(['stays paused', 'continues after the cancel'])(
  'a job that is cancelled before its lane reads it never starts: the lane %s',
  async (way) => {
    const lane = await laneOf('');
    process.kill(lane, 'SIGSTOP');
    const cancel = new AbortController();
    const onStart = jest.fn();
    const exit = run(`: > ${rig.path('ran')}`, { signal: cancel.signal, onStart });
    await until('the job is submitted', () => spawner.running === 1 && spawner.queued === 0);
    await nextTurn();
    cancel.abort();
    if (way !== 'stays paused') process.kill(lane, 'SIGCONT');
    expect(await exit).toMatchObject({ kind: 'not-started', reason: 'cancelled' });
    expect(onStart).not.toHaveBeenCalled();
    await expectClean();
    expect(existsSync(rig.path('ran'))).toBe(false);
  },
);

test('a job that is cancelled at any moment has either started, and its start is reported, or never runs', async () => {
  spawner = createSpawner({ concurrency: 4, killGraceMs: 200 }, { spawner: 'lanes' });
  const jobs = Array.from({ length: 300 }, async (_, index) => {
    const cancel = new AbortController();
    const onStart = jest.fn();
    const settled = run(`: > ${rig.path(`ran-${index}`)}`, { signal: cancel.signal, onStart });
    await until('it has its turn', () => spawner.running > 0);
    for (let turn = 0; turn < index % 40; turn += 1) await nextTurn();
    cancel.abort();
    const { kind } = await settled;
    return { index, kind, starts: onStart.mock.calls.length };
  });
  const ends = await Promise.all(jobs);
  await spawner.dispose();
  const hasRun = (index: number): boolean => existsSync(rig.path(`ran-${index}`));
  expect(ends.filter(({ kind, starts }) => (kind === 'not-started') !== (starts === 0))).toEqual([]);
  expect(ends.filter(({ kind, index }) => kind === 'not-started' && hasRun(index))).toEqual([]);
});

test('the error of a setup that fails is not in the output of the next job', async () => {
  const lane = await laneOf('');
  const cwd = rig.path('removed');
  mkdirSync(cwd);
  process.kill(lane, 'SIGSTOP');
  const exit = run('echo clean', { cwd });
  await until('the job is submitted', () => spawner.running === 1 && spawner.queued === 0);
  await nextTurn();
  rmSync(cwd, { recursive: true });
  process.kill(lane, 'SIGCONT');
  expect(await exit).toMatchObject({ kind: 'unrunnable', reason: 'missing_cwd' });
  await expectClean();
});

test('a job has the environment of its own time, even if the caller changes the object between two jobs', async () => {
  const env: Record<string, string> = { ...plainEnv, COLOR: 'red' };
  const read = async (given = env): Promise<string> => expectKind(await run('echo "$COLOR"; :', { env: given }), 'exited').stdout;
  expect(await read()).toBe('red\n');
  env['COLOR'] = 'green';
  expect(await read()).toBe('green\n');
  env['COLOR'] = 'blue';
  expect(await read({ ...env, COLOR: 'green' })).toBe('green\n');
  expect(await read()).toBe('blue\n');
});

test('the descriptors of the lane are not in the job', async () => {
  const exit = expectKind(await run('for f in /proc/$BASHPID/fd/*; do echo "${f##*/} $(readlink "$f")"; done'), 'exited');
  const own = exit.stdout.split('\n').filter((line) => /tenterhook-|socket|pipe:/.test(line) && !/^[012] /.test(line));
  // Descriptor 3 and more are those of the command substitution.
  expect(own.filter((line) => line.includes('tenterhook-') || line.includes('socket'))).toEqual([]);
});

test.each([
  ['traps', 'trap "" TERM INT; trap "echo trapped" EXIT DEBUG ERR'],
  ['options', 'set -efux; shopt -s nullglob extglob; set -o noclobber'],
  ['limits', 'ulimit -n 20; ulimit -f 1; umask 777'],
  ['variables', 'IFS=x; PATH=/nowhere; export LC_ALL=tr_TR BASH_ENV=/nowhere PS4=x A=1; readonly B=2; declare -i clean=1; unset HOME'],
  ['functions', 'echo() { printf fake; }; wait() { exit 9; }; export -f echo; alias echo=false; enable -n wait echo read'],
  ['the directory', 'cd /; mkdir gone && cd gone && rmdir ../gone'],
  ['descriptors', 'exec 0<&- 1>&- 2>&- 5>&- 6>&- 7>&-; for n in 3 4 8 9 10 255; do eval "exec $n>&-"; done'],
  ['a flood', 'yes | head -c 3000000'],
  ['an exec', 'exec true'],
  ['an error of the grammar', 'if then ( "'],
  ['a paused job', 'kill -STOP $BASHPID & sleep 0.05; kill -CONT %1'],
  ['lines like those of a lane', 'echo "1 ended 0"; echo "2 started 1"; echo "2 unopened 0" >&2; echo "[1]+  Exit 1  x" >&2; sleep 0.02'],
])('%s of a job do not change the next one', async (_, text) => {
  await run(text, { timeoutMs: 5000 });
  const exit = await run(
    'echo clean; type -t echo wait; umask; ulimit -n >/dev/null; trap; set -o | grep -c "on$"; echo "$IFS" | wc -c; pwd',
  );
  const fresh = createSpawner({}, { spawner: 'direct' });
  const expected = await fresh.run(
    shellJob('echo clean; type -t echo wait; umask; ulimit -n >/dev/null; trap; set -o | grep -c "on$"; echo "$IFS" | wc -c; pwd', {
      cwd: rig.place,
      env: { ...plainEnv, LANG: 'C.UTF-8' },
    }),
  );
  await fresh.dispose();
  expect('stdout' in exit && exit.stdout).toBe('stdout' in expected && expected.stdout);
  expect(exit).toMatchObject({ exitCode: 0, route: { kind: 'lane' } });
});

test('what a job writes to the descriptors of its lane is not taken for the answer of a job', async () => {
  // The lane has a socket, which no other process can open.
  const forge =
    'trap "" PIPE; read -r _ _ _ parent _ < /proc/$BASHPID/stat; ls /proc/$parent/fd; for f in /proc/$parent/fd/*; do echo "ended $BASHPID 0 1" > $f; done 2>/dev/null; sleep 0.05; exit 2';
  const exit = await run(forge);
  expect(exit).toMatchObject({ kind: 'exited', exitCode: 2, stdout: expect.stringMatching(/^3$/m) });
  await expectClean();
});

test('jobs of different groups never use one lane, and there are no more lanes than jobs that can run', async () => {
  const first = await laneOf('', { laneGroup: 'project' });
  expect(await laneOf('', { laneGroup: 'project' })).toBe(first);
  const second = await laneOf('', { laneGroup: 'user' });
  expect(second).not.toBe(first);
  await until('the first lane has ended', () => !isRunning(first));
  expect(await laneOf('', { laneGroup: 'user' })).toBe(second);
});

test('a lane that is paused while its job runs: the deadline reports that a signal did it', async () => {
  const pause =
    'until [ -e go ]; do sleep 0.01; done; read -r _ _ _ parent _ < /proc/$BASHPID/stat; echo "$parent"; [[ $(</proc/$parent/comm) = bash ]] && kill -STOP "$parent"';
  const onStart = () => writeFileSync(rig.path('go'), '');
  const exit = expectKind(await run(pause, { timeoutMs: 2000, onStart }), 'timed-out');
  expect(exit).toMatchObject({ signal: 'SIGSTOP', route: { kind: 'lane' } });
  await until('the lane is killed', () => !isRunning(Number(exit.stdout)));
  await expectClean();
});

test('a job whose lane is killed at once does not run twice', async () => {
  for (let round = 0; round < 3; round += 1) {
    await run('echo x >> count; read -r _ _ _ parent _ < /proc/$BASHPID/stat; [[ $(</proc/$parent/comm) = bash ]] && kill -9 "$parent"');
    expect(readFileSync(rig.path('count'), 'utf8')).toBe('x\n'.repeat(round + 1));
    await expectClean();
  }
});

test('outputs of the jobs of one lane do not mix, and no descriptor is left', async () => {
  await expectClean();
  const before = readdirSync('/proc/self/fd').length;
  for (let round = 0; round < 30; round += 1) {
    const bytes = 1 + ((round * 7919) % 100_000);
    const exit = expectKind(await run(`head -c ${bytes} /dev/zero | tr '\\0' ${round % 10}; echo ${round} >&2`), 'exited');
    expect(exit).toMatchObject({ stdoutBytes: bytes, stdout: String(round % 10).repeat(bytes), stderr: `${round}\n` });
  }
  // Descriptors of earlier tests may be closed late.
  expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before);
  const left = run('(trap "" PIPE; while echo late; do sleep 0.01; done) & echo $! > late; echo first');
  const ended = await left;
  expect(ended).toMatchObject({ stdout: expect.stringMatching(/^(first|late)\n/) });
  // The loop is left, and each `sleep` of it that runs during the search.
  expect('leftProcesses' in ended && ended.leftProcesses).toBeGreaterThan(0);
  for (let round = 0; round < 10; round += 1) await expectClean();
  process.kill(Number(readFileSync(rig.path('late'), 'utf8')), 'SIGKILL');
});

test('nothing of the environment of our process reaches a lane but its locale', async () => {
  const poison = {
    BASH_ENV: '/nowhere',
    ENV: '/nowhere',
    'BASH_FUNC_echo%%': '() { printf fake; }',
    SHELLOPTS: 'noexec',
    IFS: 'x',
    POSIXLY_CORRECT: '1',
    PROMPT_COMMAND: 'exit',
    TMPDIR: '/nowhere',
  };
  const before = { ...process.env };
  Object.assign(process.env, poison);
  try {
    const names =
      'read -r _ _ _ parent _ < /proc/$BASHPID/stat; tr "\\0" "\\n" < /proc/$parent/environ | cut -d= -f1 | grep -v -e ^LANG$ -e ^LC_';
    expect(await run(names)).toMatchObject({ stdout: 'TENTERHOOK_JOB\n', route: { kind: 'lane' } });
    await expectClean();
  } finally {
    for (const name of Object.keys(poison)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
});

test('a process that a job leaves keeps running, and is counted; the next job runs in another lane', async () => {
  const exit = expectKind(
    await run('sleep 600 & read -r _ _ _ p _ < /proc/$BASHPID/stat; echo "$p" > lane; jobs -p > left; echo clean'),
    'exited',
  );
  expect(exit).toMatchObject({ stdout: 'clean\n', leftProcesses: 1 });
  const left = Number(readFileSync(rig.path('left'), 'utf8'));
  expect(isRunning(left)).toBe(true);
  const lane = Number(readFileSync(rig.path('lane'), 'utf8'));
  expect(await laneOf('')).not.toBe(lane);
  await until('the lane has ended', () => !isRunning(lane));
  expect(isRunning(left)).toBe(true);
  process.kill(left, 'SIGKILL');
});

test('a deadline ends the job and its children, not the lane', async () => {
  const lane = await laneOf('');
  const exit = expectKind(await run('sleep 600 & echo $BASHPID > self; wait', { timeoutMs: 300 }), 'timed-out');
  expect(exit.route).toEqual({ kind: 'lane' });
  const self = Number(readFileSync(rig.path('self'), 'utf8'));
  await until('the job is gone', () => !isRunning(self));
  expect(isRunning(lane)).toBe(true);
  await expectClean();
});

test('the private directory may be removed between and during jobs', async () => {
  await expectClean();
  for (const path of privateDirectories()) rmSync(path, { recursive: true });
  await expectClean();
  await run(
    privateDirectories()
      .map((path) => `rm -rf ${dirname(path)}/tenterhook-${process.pid}-*`)
      .join('; '),
  );
  await expectClean();
});

test('without bash on the PATH, or with an old or broken one, jobs are started directly', async () => {
  const before = process.env['PATH'];
  const folder = rig.path('bin');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of ['sh', 'mkfifo']) symlinkSync(`/bin/${name}`, `${folder}/${name}`);
  try {
    process.env['PATH'] = folder;
    expect(await run('echo clean')).toMatchObject({ ...clean, route: { kind: 'direct', reason: 'the shell is not bash' } });
    writeFileSync(`${folder}/bash`, '#!/bin/sh\ncase "$*" in *__th_*) exit 3;; esac; exec /bin/bash "$@"\n');
    chmodSync(`${folder}/bash`, 0o755);
    expect(await run('echo clean')).toMatchObject({ ...clean, route: { kind: 'direct', reason: 'the shell cannot run jobs' } });
  } finally {
    process.env['PATH'] = before;
  }
});

test('with a mkfifo that hangs, jobs are started directly', async () => {
  const before = process.env['PATH'];
  const folder = rig.path('bin');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of ['bash', 'sleep']) symlinkSync(`/bin/${name}`, `${folder}/${name}`);
  writeFileSync(`${folder}/mkfifo`, '#!/bin/bash\necho $$ >"$0.pid"; exec sleep 600\n');
  chmodSync(`${folder}/mkfifo`, 0o755);
  try {
    process.env['PATH'] = folder;
    spawner = createSpawner({ concurrency: 1 }, { spawner: 'lanes' });
    const reason = 'the shell cannot run jobs';
    expect(await run('echo clean')).toMatchObject({ ...clean, route: { kind: 'direct', reason } });
    await spawner.dispose();
    expect(isRunning(Number(readFileSync(`${folder}/mkfifo.pid`, 'utf8')))).toBe(false);
  } finally {
    process.env['PATH'] = before;
  }
});

test('a job is cancelled before and while a lane forks it', async () => {
  for (let round = 0; round < 20; round += 1) {
    const controller = new AbortController();
    const running = run('sleep 600', { signal: controller.signal });
    for (let turns = 0; turns < round; turns += 1) await new Promise(setImmediate);
    controller.abort();
    expect(['cancelled', 'not-started']).toContain((await running).kind);
  }
  await expectClean();
});

test('dispose ends the lanes, and leaves no file', async () => {
  const lane = await laneOf('');
  await spawner.dispose();
  expect(isRunning(lane)).toBe(false);
  expect(privateDirectories().flatMap((path) => readdirSync(path))).toEqual([]);
});

test('idle lanes do not keep the process of the agent alive, and end with it', async () => {
  const node = openRealNode();
  const result = await node.run(`
    import { createSpawner } from 'spawner';
    const spawner = createSpawner({}, { spawner: 'lanes' });
    const env = { PATH: process.env.PATH };
    const exit = await spawner.run({ command: { kind: 'shell', text: 'read -r _ _ _ p _ < /proc/$BASHPID/stat; echo "$p"' }, cwd: '/', env, stdin: '', timeoutMs: 20000 });
    console.log(exit.route.kind, exit.stdout.trim());
  `);
  node.close();
  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^lane \d+\n$/), stderr: '' });
  const lane = Number(/\d+/.exec(result.stdout)?.[0]);
  await until('the lane has ended', () => !isRunning(lane));
});

test('a lane that goes on keeps no promise of a job that has ended', async () => {
  const node = openRealNode();
  // Each job ends after its start was reported. A shorter job has ended before it is looked up, and never waits for its lane.
  const result = await node.run(
    `
    import { rmSync, writeFileSync } from 'node:fs';
    import { queryObjects } from 'node:v8';
    import { createSpawner } from 'spawner';
    const spawner = createSpawner({ concurrency: 1 }, { spawner: 'lanes' });
    const command = { kind: 'shell', text: 'until [ -e go ]; do sleep 0.01; done' };
    const job = { command, cwd: process.env.PLACE, env: { PATH: process.env.PATH }, stdin: '', timeoutMs: 20000, onStart: () => writeFileSync(process.env.PLACE + '/go', '') };
    const run = async (times) => {
      for (let left = times; left > 0; left -= 1) {
        const { kind, route } = await spawner.run(job);
        if (kind !== 'exited' || route.kind !== 'lane') throw new Error(kind);
        rmSync(process.env.PLACE + '/go');
      }
      await new Promise(setImmediate);
      return queryObjects(Promise, { format: 'count' });
    };
    const before = await run(5);
    console.log((await run(20)) - before);
    await spawner.dispose();
  `,
    { PLACE: rig.place, NODE_NO_WARNINGS: '1' },
  );
  node.close();
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
  expect(Number(result.stdout)).toBeLessThan(10);
});

test('dispose() waits for a lane that is being started ahead', async () => {
  const children = (): string => readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1');
  const before = children();
  for (const turns of [0, 1, 3]) {
    const other = createSpawner({}, { spawner: 'lanes' });
    other.prepare();
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    await other.dispose();
    expect([turns, children()]).toEqual([turns, before]);
  }
});
