import { atExit } from '../../src/kill/at-exit.js';
import { isRunning, until } from '../process-rig.js';
import { useAgent } from './agent-with-jobs.js';

const agent = useAgent();

test('process.exit() in the middle leaves no process and no directory, and spares what a job left running', async () => {
  const run = await agent.run(`
    const spawner = createSpawner({ killGraceMs: 60000 });
    const left = await spawner.run(job('sleep 600 & echo $! > left'));
    const killed = await spawner.run(job("trap '' TERM; sleep 600 & echo $! > killed; echo ready; while :; do sleep 0.1; done", timedOutWhenReady));
    void spawner.run(job("trap '' TERM; sleep 600 & echo $! > running; wait"));
    await until(() => hasLine('running'));
    console.log(left.kind, killed.kind, ours().length, process.pid);
    process.exit(7);
  `);
  const [left = '', killed, directories, pid] = run.stdout.trim().split(' ');
  expect([run.exitCode, left, killed, directories, run.stderr]).toEqual([7, 'exited', 'timed-out', '1', '']);
  const [spared, ...doomed] = [await agent.pid('left'), await agent.pid('killed'), await agent.pid('running')];
  await until('the killed and the running one are dead', () => !doomed.some(isRunning));
  expect(isRunning(spared)).toBe(true);
  expect(agent.directoriesOf(pid ?? '')).toEqual([]);
});

test('a job that runs or waits keeps our process alive, one that was settled does not', async () => {
  const run = await agent.run(`
    const spawner = createSpawner({ concurrency: 1, killGraceMs: 60000 });
    const stubborn = "trap '' TERM; echo $$ >> stubborn; echo ready; while :; do sleep 0.1; done";
    for (const name of ['first', 'second']) spawner.run(job(stubborn, { ...timedOutWhenReady, killGraceMs: 400 })).then((exit) => console.log(name, exit.kind));
    // Two are dying when this one would have its turn, so it waits for one of them.
    spawner.run(job('sleep 0.2; echo last')).then((exit) => console.log(exit.stdout.trim(), exit.kind));
    spawner.run(job(stubborn + '; : minutes', timedOutWhenReady)).then((exit) => console.log('stubborn', exit.kind));
  `);
  expect(run).toEqual({
    exitCode: 0,
    signal: null,
    stdout: 'first timed-out\nsecond timed-out\nlast exited\nstubborn timed-out\n',
    stderr: '',
  });
});

test('a pending dispose() keeps our process alive until nothing is left', async () => {
  const run = await agent.run(`
    const listeners = process.listenerCount('SIGTERM');
    const spawner = createSpawner();
    const job1 = spawner.run(job("trap '' TERM; echo > ready; while :; do sleep 0.1; done"));
    await until(() => exists('ready'));
    await spawner.dispose();
    console.log((await job1).kind, ours().length, process.listenerCount('SIGTERM') - listeners);
  `);
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: 'cancelled 0 0\n', stderr: '' });
});

test('an onStart that throws is a warning, and the job continues', async () => {
  const run = await agent.run(`
    const spawner = createSpawner();
    const exit = await spawner.run(job('echo on', { onStart() { throw new Error('of the test'); } }));
    console.log(exit.kind, exit.stdout.trim());
  `);
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: 'exited on\n',
    stderr: expect.stringContaining('onStart of a process job threw an error. The job continues: Error: of the test'),
  });
});

test('a spawner that is never disposed, with its jobs settled, does not keep our process alive', async () => {
  const run = await agent.run(`
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

test('a signal that the agent handles is the agent’s: nothing of ours ends', async () => {
  const run = await agent.run(`
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

test('a write beyond the largest file size stays an error: Node ignores that signal', () => {
  const stop = atExit(() => {});
  expect(process.listenerCount('SIGXFSZ')).toBe(0);
  stop();
});
