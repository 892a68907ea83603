import { createSpawner } from '../../src/index.js';
import { plainEnv, shellJob } from '../process-rig.js';

/** Texts that end within a millisecond, and their ends. Bash 5.2 may lose the end of a process that ends while `wait` begins. */
const ends: readonly (readonly [text: string, end: object])[] = [
  ['exit 0', { kind: 'exited', exitCode: 0 }],
  ['exit 2', { kind: 'exited', exitCode: 2 }],
  ['exit 127', { kind: 'exited', exitCode: 127 }],
  ['no-such-program', { kind: 'exited', exitCode: 127 }],
  ['exit 137', { kind: 'exited', exitCode: 137 }],
  ['exit 147', { kind: 'exited', exitCode: 147 }],
  ['kill -KILL $BASHPID', { kind: 'signalled', signal: 'SIGKILL' }],
  ['kill -INT $BASHPID', { kind: 'signalled', signal: 'SIGINT' }],
];

test('the end of a job in a new lane is always reported, as it was', async () => {
  for (let round = 0; round < 30; round += 1) {
    const spawner = createSpawner({}, { spawner: 'lanes' });
    const env = round % 2 === 0 ? {} : plainEnv;
    const [first = ['', {}], ...others] = [...ends.slice(round % ends.length), ...ends.slice(0, round % ends.length)];
    expect(await spawner.run(shellJob(first[0], { env }))).toMatchObject({ ...first[1], route: { kind: 'lane' } });
    const exits = await Promise.all(others.map(([text]) => spawner.run(shellJob(text, { env }))));
    expect(exits).toMatchObject(others.map(([, end]) => end));
    await spawner.dispose();
  }
}, 120_000);
