import { expectKind, openRig, type Rig } from '../process-rig.js';
import { openRealNode } from '../real-node.js';
import { expectJobsWithoutPipes, expectWholeOutput, pathWith } from './mkfifo-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

test.each([['hangs', 'exec sleep 600', 'did not end within 2000 ms. Jobs now write to pipes of Node']] as const)(
  'if mkfifo %s, jobs run anyway, with one warning',
  (_, mkfifo, warning) => expectJobsWithoutPipes(rig, mkfifo, warning),
);

test('a job that is stopped does not wait for a mkfifo that hangs, and starts nothing afterwards', async () => {
  const node = openRealNode();
  const run = await node.run(
    `import { existsSync } from 'node:fs';
    import { setTimeout as pause } from 'node:timers/promises';
    import { createSpawner } from 'spawner';
    const spawner = createSpawner();
    const control = new AbortController();
    process.on('warning', () => console.log('mkfifo is given up'));
    const job = { command: { kind: 'shell', text: 'echo > started' }, cwd: ${JSON.stringify(rig.place)}, env: {}, stdin: '', timeoutMs: 20000 };
    const running = spawner.run({ ...job, signal: control.signal });
    while (!existsSync(job.cwd + '/hangs')) await pause(5);
    control.abort();
    const { kind, reason } = await running;
    console.log(kind, reason, spawner.running);
    await spawner.dispose();
    await pause(1);
    console.log(existsSync(job.cwd + '/started'));`,
    { PATH: pathWith(rig, `echo > ${rig.path('hangs')}; exec sleep 600`) },
  );
  node.close();
  expect(run).toMatchObject({ exitCode: 0, stdout: 'not-started cancelled 0\nmkfifo is given up\nfalse\n' });
});

test('what a process printed before a signal ended it is read to its end', () => expectWholeOutput(rig, 30));

test('of a job that was stopped no more is kept than people look at', async () => {
  const exit = expectKind(await rig.sh('head -c 200000 /dev/zero; echo > ready; exec sleep 600', { timeoutMs: 1500 }), 'timed-out');
  expect(exit).toMatchObject({ stdoutBytes: 200_000, stdoutTruncated: true });
  expect(exit.stdout).toHaveLength(65_536);
});
