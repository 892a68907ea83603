import { rmSync } from 'node:fs';
import { isRunning, until } from '../process-rig.js';
import { family, useAgent } from './agent-with-jobs.js';

const agent = useAgent();

test('Node has nothing to warn of: many jobs on one signal, many spawners, no rejection', async () => {
  const run = await agent.run(`
    const { signal } = new AbortController();
    const spawners = Array.from({ length: 12 }, () => createSpawner());
    await Promise.all(spawners.flatMap((spawner) => [1, 2, 3].map(() => spawner.run(job('true', { signal })))));
    await Promise.all(spawners.map((spawner) => spawner.dispose()));
    console.log(ours().length);
  `);
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: '0\n', stderr: '' });
});

test('an onFirstLine that throws, or asks for an invalid time, is a warning, and the job continues', async () => {
  const run = await agent.run(`
    const spawner = createSpawner();
    const exit = await spawner.run(job('echo on', { onFirstLine: ({ replaceTimeout }) => replaceTimeout(0) }));
    console.log(exit.kind, exit.stdout.trim());
  `);
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: 'exited on\n',
    stderr: expect.stringContaining(
      'onFirstLine of a process job threw an error. The job continues: TypeError: timeoutMs must be a number from 1',
    ),
  });
});

test('the loop turns between the starts of jobs that could all start at once', async () => {
  const run = await agent.run(`
    const spawner = createSpawner({ concurrency: 32 }, { spawner: 'direct' });
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
  const run = await agent.run(`
    import { closeSync, openSync } from 'node:fs';
    const spawner = createSpawner();
    await spawner.run(job('true'));
    const taken = [];
    const takeAll = () => { try { for (;;) taken.push(openSync('/dev/null')); } catch (error) { return error.code; } };
    const running = spawner.run(job('until [ -e go-on ]; do sleep 0.05; done; echo deny; exit 2', { onStart: takeAll }));
    await until(() => taken.length > 0);
    // A start that fails closes the pipes that it had.
    const taking = setInterval(takeAll, 1);
    const failed = await spawner.run(job('true', { timeoutMs: 100 }));
    clearInterval(taking);
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
  const run = await agent.run(`
    import { closeSync, openSync } from 'node:fs';
    const spawner = createSpawner();
    await spawner.run(job('true'));
    const taken = [];
    const takeAll = () => { try { for (;;) taken.push(openSync('/dev/null')); } catch {} };
    takeAll();
    const taking = setInterval(takeAll, 1);
    let hasStarted = false;
    const running = spawner.run(job('echo at last', { onStart: () => { hasStarted = true; } }));
    // The first attempt is made in the next turn of the loop; none after it can succeed before the descriptors are back.
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    console.log(hasStarted);
    clearInterval(taking);
    for (const fd of taken) closeSync(fd);
    console.log((await running).stdout.trim());
  `);
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: 'false\nat last\n', stderr: '' });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s without a handler ends us as it always does, and first everything that runs',
  async (signal) => {
    const run = await agent.run(`
      const spawner = createSpawner({ killGraceMs: 60000 });
      const left = await spawner.run(job('sleep 600 & echo $! > left'));
      void spawner.run(job(${JSON.stringify(family)}));
      await until(() => ['child', 'stray', 'leader'].every(hasLine));
      console.log(left.kind, process.pid);
      process.kill(process.pid, '${signal}');
    `);
    expect(run).toMatchObject({ exitCode: null, signal, stderr: '' });
    const pids = [await agent.pid('leader'), await agent.pid('child'), await agent.pid('stray')];
    await until('everything that ran is dead', () => !pids.some(isRunning));
    expect(isRunning(await agent.pid('left'))).toBe(true);
    const [, pid = ''] = run.stdout.trim().split(' ');
    expect(agent.directoriesOf(pid)).toEqual([]);
    for (const name of ['leader', 'child', 'stray', 'left']) rmSync(agent.path(name));
  },
);

test.each([
  ['an uncaught exception', "throw new Error('of the test')", 1],
  ['an unhandled rejection', "void Promise.reject(new Error('of the test'))", 1],
  ['an exit code of its own', 'process.exit(3)', 3],
])('%s leaves no process', async (_, source, exitCode) => {
  const run = await agent.run(`
    const spawner = createSpawner({ killGraceMs: 60000 });
    void spawner.run(job(${JSON.stringify(family)}));
    await until(() => ['child', 'stray', 'leader'].every(hasLine));
    console.log(process.pid);
    ${source};
  `);
  expect(run.exitCode).toBe(exitCode);
  const pids = [await agent.pid('leader'), await agent.pid('child'), await agent.pid('stray')];
  await until('everything that ran is dead', () => !pids.some(isRunning));
  expect(agent.directoriesOf(run.stdout.trim())).toEqual([]);
  for (const name of ['leader', 'child', 'stray']) rmSync(agent.path(name));
});
