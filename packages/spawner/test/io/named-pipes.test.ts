import { chmodSync, closeSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { NamedPipes } from '../../src/io/named-pipes.js';
import { expectKind, openRig, type Rig } from '../process-rig.js';
import { openRealNode } from '../real-node.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

/** A PATH with a bash and this `mkfifo`; without one where the text is undefined. */
function pathWith(mkfifo: string | undefined): string {
  const path = rig.path('bin');
  mkdirSync(path);
  symlinkSync('/bin/bash', join(path, 'bash'));
  if (mkfifo !== undefined) {
    writeFileSync(join(path, 'mkfifo'), `#!/bin/bash\n${mkfifo}\n`);
    chmodSync(join(path, 'mkfifo'), 0o755);
  }
  return path;
}

test('both ends are open, and the name is gone', async () => {
  const pipes = new NamedPipes();
  const ends = await pipes.open(rig.place);
  if (ends === undefined) throw new Error('there is no mkfifo here');
  expect(writeSync(ends.writeFd, 'text')).toBe(4);
  expect(readdirSync(rig.place).filter((name) => name.startsWith('p'))).toHaveLength(127);
  closeSync(ends.readFd);
  closeSync(ends.writeFd);
});

test('names that were removed are made anew', async () => {
  const pipes = new NamedPipes();
  for (let round = 0; round < 3; round += 1) {
    const ends = await pipes.open(rig.place);
    closeSync(ends?.readFd as number);
    closeSync(ends?.writeFd as number);
    for (const name of readdirSync(rig.place)) rmSync(rig.path(name));
  }
});

test('names that are removed again and again, as soon as they are made, keep no job from starting', async () => {
  const count = rig.path('count');
  const mkfifo = `read -r n < ${count}; echo $((n + 1)) > ${count}; /usr/bin/mkfifo "$@" || exit; shift 2; [ $n -lt 3 ] && /bin/rm -f "$@"; exit 0`;
  writeFileSync(count, '0\n');
  const node = openRealNode();
  const run = await node.run(
    `import { createSpawner } from 'spawner';
    const spawner = createSpawner();
    const job = { command: { kind: 'shell', text: 'echo there' }, cwd: '/', env: {}, stdin: '', timeoutMs: 20000 };
    const { kind, stdout } = await spawner.run(job);
    console.log(kind, stdout);
    await spawner.dispose();`,
    { PATH: pathWith(mkfifo) },
  );
  node.close();
  expect(run).toMatchObject({ exitCode: 0, stdout: 'exited there\n\n', stderr: '' });
});

test.each([
  ['is missing', undefined, ''],
  ['fails', 'exit 3', 'ended with 3. What jobs print goes through pipes'],
  ['hangs', 'exec sleep 600', 'did not end within 2000 ms. What jobs print goes through pipes'],
] as const)('where mkfifo %s jobs run all the same, and it is said once', async (_, mkfifo, warning) => {
  const node = openRealNode();
  const run = await node.run(
    `import { createSpawner } from 'spawner';
    const spawner = createSpawner();
    const job = { command: { kind: 'shell', text: 'read -r line; echo "got $line"; echo no >&2; exit 2' }, cwd: '/', env: {}, stdin: 'x\\n', timeoutMs: 20000 };
    for (const _ of [1, 2]) {
      const { exitCode, stdout, stderr, stdoutBytes } = await spawner.run(job);
      console.log(JSON.stringify({ exitCode, stdout, stderr, stdoutBytes }));
    }
    const flood = await spawner.run({ ...job, command: { kind: 'shell', text: 'printf "%0100000d" 1' }, stdoutBytes: 10 });
    console.log(flood.exitCode, flood.stdout, flood.stdoutBytes);
    await spawner.dispose();`,
    { PATH: pathWith(mkfifo) },
  );
  node.close();
  const answer = '{"exitCode":2,"stdout":"got x\\n","stderr":"no\\n","stdoutBytes":6}\n';
  expect(run).toMatchObject({ exitCode: 0, stdout: `${answer}${answer}0 0000000000 100000\n` });
  expect(run.stderr.split('Warning').length - 1).toBe(warning === '' ? 0 : 1);
  expect(run.stderr).toContain(warning);
});

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
    { PATH: pathWith(`echo > ${rig.path('hangs')}; exec sleep 600`) },
  );
  node.close();
  expect(run).toMatchObject({ exitCode: 0, stdout: 'not-started cancelled 0\nmkfifo is given up\nfalse\n' });
});

test('what a process printed before a signal ended it is read to its end', async () => {
  for (let round = 0; round < 30; round += 1) {
    const exit = expectKind(await rig.sh('head -c 60000 /dev/zero; echo why >&2; kill -KILL $$'), 'signalled');
    expect([exit.stdoutBytes, exit.stderr]).toEqual([60_000, 'why\n']);
  }
});

test('of a job that was stopped no more is kept than people look at', async () => {
  const exit = expectKind(await rig.sh('head -c 200000 /dev/zero; echo > ready; exec sleep 600', { timeoutMs: 1500 }), 'timed-out');
  expect(exit).toMatchObject({ stdoutBytes: 200_000, stdoutTruncated: true });
  expect(exit.stdout).toHaveLength(65_536);
});
