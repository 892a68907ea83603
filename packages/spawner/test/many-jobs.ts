import { readdirSync } from 'node:fs';
import { openRig, privateDirectories, type Rig, shellJob, until } from './process-rig.js';

/** All at once, each with an answer of its own. */
export async function expectOwnAnswers(rig: Rig, jobs: number): Promise<void> {
  const exits = await Promise.all(
    Array.from({ length: jobs }, (_, index) => rig.sh(`read -r n; echo $n; exit ${index % 100}`, { stdin: `${index}\n` })),
  );
  expect(exits.map((exit) => (exit.kind === 'exited' ? `${exit.exitCode} ${exit.stdout}` : exit.kind))).toEqual(
    exits.map((_, index) => `${index % 100} ${index}\n`),
  );
}

const descriptors = (): number => readdirSync('/proc/self/fd').length;

/** Jobs that end in all ways, so many rounds. */
export async function expectNoLeaks(rounds: number): Promise<void> {
  const controller = new AbortController();
  const round = (rig: Rig): Promise<unknown> =>
    Promise.all([
      rig.sh('cat', { stdin: 'x'.repeat(10_000), signal: controller.signal }),
      rig.sh('exit 1', { signal: controller.signal }),
      rig.sh('kill -9 $$'),
      rig.sh('sleep 600', { timeoutMs: 50 }),
      rig.sh('head -c 100000 /dev/zero', { stdoutBytes: 10 }),
      rig.sh('true', { cwd: '/no/such/place' }),
      rig.spawner.run({ ...shellJob('', { stdin: 'unused' }), command: { kind: 'program', file: '/no/such/program', args: [] } }),
      rig.sh(`: ${'x'.repeat(200_000)}`),
      rig.sh('true', { signal: AbortSignal.abort() }),
    ]);
  // What Node opens once is open after this.
  const first = openRig({ killGraceMs: 100 });
  await round(first);
  await first.close();
  const listeners = process.listenerCount('SIGTERM');
  const before = descriptors();

  const rig = openRig({ killGraceMs: 100 });
  for (let index = 0; index < rounds; index += 1) await round(rig);
  // One is kept in reserve as long as there may be jobs, two of each pipe that no job has taken yet (fewer than 8, and a batch of at most
  // 64), and two of each lane, of which there are at most 8.
  await until('descriptors are closed', () => descriptors() <= before + 1 + 2 * 71 + 2 * 8);
  await until('no name is left', () => privateDirectories().every((path) => readdirSync(path).length === 0));
  await rig.close();
  expect(privateDirectories()).toEqual([]);
  expect(process.listenerCount('SIGTERM')).toBe(listeners);
  await until('the last is closed', () => descriptors() === before);
}
