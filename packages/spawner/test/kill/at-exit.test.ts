import { existsSync, readdirSync, rmSync } from 'node:fs';
import { atExit } from '../../src/kill/at-exit.js';
import { isRunning, openRig, type Rig, until } from '../process-rig.js';
import { openRealNode, type RealNode } from '../real-node.js';

let node: RealNode;
let rig: Rig;
beforeAll(() => {
  node = openRealNode();
  rig = openRig();
});
afterAll(async () => {
  node.close();
  await rig.close();
});

const prelude = (): string => `
  import { existsSync, readdirSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  import { createSpawner } from 'spawner';
  const cwd = ${JSON.stringify(rig.place)};
  const job = (text, options) => ({ command: { kind: 'shell', text }, cwd, env: { PATH: process.env.PATH }, stdin: '', timeoutMs: 20000, ...options });
  const until = async (condition) => { while (!condition()) await pause(5); };
  const exists = (name) => existsSync(cwd + '/' + name);
  const ours = () => ['/dev/shm', '/tmp'].flatMap((base) => existsSync(base) ? readdirSync(base).filter((name) => name.startsWith('tenterhook-' + process.pid + '-')) : []);
`;

test('process.exit() in the middle leaves no process and no directory, and spares what a job left running', async () => {
  const run = await node.run(`${prelude()}
    const spawner = createSpawner({ killGraceMs: 60000 });
    const left = await spawner.run(job('sleep 600 & echo $! > left'));
    const killed = await spawner.run(job("trap '' TERM; sleep 600 & echo $! > killed; while :; do sleep 0.1; done", { timeoutMs: 1000 }));
    void spawner.run(job("trap '' TERM; sleep 600 & echo $! > running; wait"));
    await until(() => exists('running'));
    console.log(left.kind, killed.kind, ours().length, process.pid);
    process.exit(7);
  `);
  const [left = '', killed, directories, pid] = run.stdout.trim().split(' ');
  expect([run.exitCode, left, killed, directories, run.stderr]).toEqual([7, 'exited', 'timed-out', '1', '']);
  const [spared, ...doomed] = [await rig.pid('left'), await rig.pid('killed'), await rig.pid('running')];
  await until('the killed and the running one are dead', () => !doomed.some(isRunning));
  expect(isRunning(spared)).toBe(true);
  expect(directoriesOf(pid ?? '')).toEqual([]);
});

test('a job that runs or waits keeps our process alive, one that was settled does not', async () => {
  const run = await node.run(`${prelude()}
    const spawner = createSpawner({ concurrency: 1, killGraceMs: 60000 });
    const stubborn = "trap '' TERM; echo $$ >> stubborn; while :; do sleep 0.1; done";
    for (const name of ['first', 'second']) spawner.run(job(stubborn, { timeoutMs: 500, killGraceMs: 500 })).then((exit) => console.log(name, exit.kind));
    // Two are dying when this one would have its turn, so it waits for one of them.
    spawner.run(job('sleep 0.2; echo last')).then((exit) => console.log(exit.stdout.trim(), exit.kind));
    spawner.run(job(stubborn + '; : minutes', { timeoutMs: 500 })).then((exit) => console.log('stubborn', exit.kind));
  `);
  expect(run).toEqual({
    exitCode: 0,
    signal: null,
    stdout: 'first timed-out\nsecond timed-out\nlast exited\nstubborn timed-out\n',
    stderr: '',
  });
});

test('a pending dispose() keeps our process alive until nothing is left', async () => {
  const run = await node.run(`${prelude()}
    const listeners = process.listenerCount('SIGTERM');
    const spawner = createSpawner();
    const job1 = spawner.run(job("trap '' TERM; echo > ready; while :; do sleep 0.1; done"));
    await until(() => exists('ready'));
    await spawner.dispose();
    console.log((await job1).kind, ours().length, process.listenerCount('SIGTERM') - listeners);
  `);
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: 'cancelled 0 0\n', stderr: '' });
});

test('Node has nothing to warn of: many jobs on one signal, many spawners, no rejection', async () => {
  const run = await node.run(`${prelude()}
    const { signal } = new AbortController();
    const spawners = Array.from({ length: 12 }, () => createSpawner());
    await Promise.all(spawners.flatMap((spawner) => [1, 2, 3].map(() => spawner.run(job('true', { signal })))));
    await Promise.all(spawners.map((spawner) => spawner.dispose()));
    console.log(ours().length);
  `);
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: '0\n', stderr: '' });
});

test('an onStart that throws is a warning, and the job goes on', async () => {
  const run = await node.run(`${prelude()}
    const spawner = createSpawner();
    const exit = await spawner.run(job('echo on', { onStart() { throw new Error('of the test'); } }));
    console.log(exit.kind, exit.stdout.trim());
  `);
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: 'exited on\n',
    stderr: expect.stringContaining('onStart of a process job threw, the job goes on: Error: of the test'),
  });
});

test('an onFirstLine that throws, or asks for an invalid time, is a warning, and the job goes on', async () => {
  const run = await node.run(`${prelude()}
    const spawner = createSpawner();
    const exit = await spawner.run(job('echo on', { onFirstLine: ({ replaceTimeout }) => replaceTimeout(0) }));
    console.log(exit.kind, exit.stdout.trim());
  `);
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: 'exited on\n',
    stderr: expect.stringContaining('onFirstLine of a process job threw, the job goes on: TypeError: timeoutMs must be a number from 1'),
  });
});

test('the loop turns between the starts of jobs that could all start at once', async () => {
  const run = await node.run(`${prelude()}
    const spawner = createSpawner({ concurrency: 32 });
    let turns = 0;
    let isOver = false;
    const turn = () => { turns += 1; if (!isOver) setImmediate(turn); };
    setImmediate(turn);
    const startedIn = [];
    await Promise.all(Array.from({ length: 32 }, () => spawner.run(job('true', { onStart: () => startedIn.push(turns) }))));
    isOver = true;
    console.log(new Set(startedIn).size);
  `);
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: '32\n', stderr: '' });
});

test('without descriptors for all of its time a job fails by value, an answer that is there is still read, and the next job works', async () => {
  const run = await node.run(`${prelude()}
    import { closeSync, openSync } from 'node:fs';
    const spawner = createSpawner();
    await spawner.run(job('true'));
    const taken = [];
    const takeAll = () => { try { for (;;) taken.push(openSync('/dev/null')); } catch (error) { return error.code; } };
    const running = spawner.run(job('until [ -e go-on ]; do sleep 0.05; done; echo deny; exit 2', { onStart: takeAll }));
    await until(() => taken.length > 0);
    const failed = await spawner.run(job('true', { timeoutMs: 100 }));
    closeSync(taken.pop());
    (await import('node:fs')).writeFileSync(cwd + '/go-on', '');
    takeAll();
    const exit = await running;
    console.log(failed.kind, failed.reason, exit.kind, exit.exitCode, exit.stdout.trim());
    for (const fd of taken) closeSync(fd);
    console.log((await spawner.run(job('echo again'))).stdout.trim());
  `);
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: 'unrunnable EMFILE exited 2 deny\nagain\n', stderr: '' });
});

test('a job that finds no descriptor for a moment is tried again', async () => {
  const run = await node.run(`${prelude()}
    import { closeSync, openSync } from 'node:fs';
    const spawner = createSpawner();
    await spawner.run(job('true'));
    const taken = [];
    try { for (;;) taken.push(openSync('/dev/null')); } catch {}
    let hasStarted = false;
    const running = spawner.run(job('echo at last', { onStart: () => { hasStarted = true; } }));
    // The first attempt is made in the next turn of the loop; none after it can succeed before the descriptors are back.
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    console.log(hasStarted);
    for (const fd of taken) closeSync(fd);
    console.log((await running).stdout.trim());
  `);
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: 'false\nat last\n', stderr: '' });
});

test('a spawner that is never disposed, with its jobs settled, does not keep our process alive', async () => {
  const run = await node.run(`${prelude()}
    const spawner = createSpawner();
    console.log((await spawner.run(job('echo done'))).stdout.trim(), ours().length);
  `);
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: 'done 1\n', stderr: '' });
});

test('one set of listeners serves all, and the last one takes it away', () => {
  const before = process.listenerCount('SIGTERM');
  const stops = [1, 2, 3].map(() => atExit(() => {}));
  expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  for (const stop of stops) stop();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

/** A job with a child in its group, one that ignores SIGTERM, and one that has left the group; all three write their numbers. */
const family = `trap '' TERM; sh -c 'echo $$ > child; exec sleep 600' & setsid sh -c 'echo $$ > stray; exec sleep 600' & echo $$ > leader; wait`;

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s without a handler ends us as it always does, and first everything that runs',
  async (signal) => {
    const run = await node.run(`${prelude()}
      const spawner = createSpawner({ killGraceMs: 60000 });
      const left = await spawner.run(job('sleep 600 & echo $! > left'));
      void spawner.run(job(${JSON.stringify(family)}));
      await until(() => exists('child') && exists('stray') && exists('leader'));
      console.log(left.kind, process.pid);
      process.kill(process.pid, '${signal}');
    `);
    expect(run).toMatchObject({ exitCode: null, signal, stderr: '' });
    const pids = [await rig.pid('leader'), await rig.pid('child'), await rig.pid('stray')];
    await until('everything that ran is dead', () => !pids.some(isRunning));
    expect(isRunning(await rig.pid('left'))).toBe(true);
    const [, pid = ''] = run.stdout.trim().split(' ');
    expect(directoriesOf(pid)).toEqual([]);
    for (const name of ['leader', 'child', 'stray', 'left']) rmSync(rig.path(name));
  },
);

test('a signal that the agent handles is the agent’s: nothing of ours ends', async () => {
  const run = await node.run(`${prelude()}
    const heard = new Promise((resolve) => process.once('SIGTERM', resolve));
    const spawner = createSpawner();
    const running = spawner.run(job('echo > ready; until [ -e go-on-2 ]; do sleep 0.05; done; echo unharmed'));
    await until(() => exists('ready'));
    process.kill(process.pid, 'SIGTERM');
    await heard;
    (await import('node:fs')).writeFileSync(cwd + '/go-on-2', '');
    console.log((await running).stdout.trim());
  `);
  expect(run).toMatchObject({ exitCode: 0, signal: null, stdout: 'unharmed\n', stderr: '' });
});

test.each([
  ['an uncaught exception', "throw new Error('of the test')", 1],
  ['an unhandled rejection', "void Promise.reject(new Error('of the test'))", 1],
  ['an exit code of its own', 'process.exit(3)', 3],
])('%s leaves no process', async (_, source, exitCode) => {
  const run = await node.run(`${prelude()}
    const spawner = createSpawner({ killGraceMs: 60000 });
    void spawner.run(job(${JSON.stringify(family)}));
    await until(() => exists('child') && exists('stray') && exists('leader'));
    console.log(process.pid);
    ${source};
  `);
  expect(run.exitCode).toBe(exitCode);
  const pids = [await rig.pid('leader'), await rig.pid('child'), await rig.pid('stray')];
  await until('everything that ran is dead', () => !pids.some(isRunning));
  expect(directoriesOf(run.stdout.trim())).toEqual([]);
  for (const name of ['leader', 'child', 'stray']) rmSync(rig.path(name));
});

function directoriesOf(pid: string): string[] {
  return ['/dev/shm', '/tmp']
    .filter((path) => existsSync(path))
    .flatMap((base) => readdirSync(base).filter((name) => name.startsWith(`tenterhook-${pid}-`)));
}
