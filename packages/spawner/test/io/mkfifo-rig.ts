import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectKind, type Rig } from '../process-rig.js';
import { openRealNode } from '../real-node.js';

/** A PATH with a bash and this `mkfifo`; without one where the text is undefined. */
export function pathWith(rig: Rig, mkfifo: string | undefined): string {
  const path = rig.path('bin');
  mkdirSync(path);
  symlinkSync('/bin/bash', join(path, 'bash'));
  if (mkfifo !== undefined) {
    writeFileSync(join(path, 'mkfifo'), `#!/bin/bash\n${mkfifo}\n`);
    chmodSync(join(path, 'mkfifo'), 0o755);
  }
  return path;
}

/** Jobs have their answers without pipes, and one warning reports it. */
export async function expectJobsWithoutPipes(rig: Rig, mkfifo: string | undefined, warning: string): Promise<void> {
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
    { PATH: pathWith(rig, mkfifo) },
  );
  node.close();
  const answer = '{"exitCode":2,"stdout":"got x\\n","stderr":"no\\n","stdoutBytes":6}\n';
  expect(run).toMatchObject({ exitCode: 0, stdout: `${answer}${answer}0 0000000000 100000\n` });
  expect(run.stderr.split('Warning').length - 1).toBe(warning === '' ? 0 : 1);
  expect(run.stderr).toContain(warning);
}

/** Nothing is lost of what processes print that a signal ends at once. */
export async function expectWholeOutput(rig: Rig, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const exit = expectKind(await rig.sh('head -c 60000 /dev/zero; echo why >&2; kill -KILL $$'), 'signalled');
    expect([exit.stdoutBytes, exit.stderr]).toEqual([60_000, 'why\n']);
  }
}
