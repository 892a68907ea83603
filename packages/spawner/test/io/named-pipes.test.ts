import { readdirSync, writeFileSync, writeSync } from 'node:fs';
import { closeEnds, NamedPipes, type PipeEnds } from '../../src/io/named-pipes.js';
import { PrivateDirectory } from '../../src/io/private-directory.js';
import { openRig, type Rig, until } from '../process-rig.js';
import { openRealNode } from '../real-node.js';
import { expectJobsWithoutPipes, expectWholeOutput, pathWith } from './mkfifo-rig.js';

let rig: Rig;
let directory: PrivateDirectory;
beforeEach(() => {
  rig = openRig();
  directory = new PrivateDirectory(() => [rig.place]);
});
afterEach(() => rig.close());

test('both ends are open, and no pipe has a name, also those that wait for a job', async () => {
  const pipes = new NamedPipes();
  const ends = await pipes.open(directory);
  if (ends === undefined) throw new Error('there is no mkfifo here');
  expect(writeSync(ends.writeFd, 'text')).toBe(4);
  expect(readdirSync(directory.open())).toEqual([]);
  closeEnds(ends);
  pipes.close();
});

test('pipes that wait are closed with their owner, also a batch that is being made', async () => {
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const before = descriptors();
  const pipes = new NamedPipes();
  const taken = [];
  // After nine of the first batch, the next one is made.
  for (let count = 0; count < 9; count += 1) taken.push((await pipes.open(directory)) as PipeEnds);
  pipes.close();
  taken.forEach(closeEnds);
  await until('all are closed', () => descriptors() === before);
});

test('more jobs at once than a batch has pipes', async () => {
  const pipes = new NamedPipes();
  const ends = (await Promise.all(Array.from({ length: 100 }, () => pipes.open(directory)))) as PipeEnds[];
  expect(new Set(ends.flatMap(({ readFd, writeFd }) => [readFd, writeFd])).size).toBe(200);
  ends.forEach(closeEnds);
  pipes.close();
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
    { PATH: pathWith(rig, mkfifo) },
  );
  node.close();
  expect(run).toMatchObject({ exitCode: 0, stdout: 'exited there\n\n', stderr: '' });
});

test.each([
  ['is missing', undefined, ''],
  ['fails', 'exit 3', 'ended with 3. Jobs now write to pipes of Node'],
] as const)('if mkfifo %s, jobs run anyway, with one warning', (_, mkfifo, warning) => expectJobsWithoutPipes(rig, mkfifo, warning));

test('what a process printed before a signal ended it is read to its end', () => expectWholeOutput(rig, 8));
