import { spawnSync } from 'node:child_process';

/** Runs a program in a process of its own, and returns the modules of the NATS library that it has loaded. */
function libraryModulesAfter(program: string): string[] {
  const print =
    "const { createRequire } = await import('node:module'); console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'));";
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', `${program}; ${print}`], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('transport-nats');
  return stdout.split('\n').filter((file) => file.includes('/@nats-io/'));
}

test('the NATS library is loaded by the first call, and not by the import', () => {
  expect(libraryModulesAfter("await import('@tenterhook/transport-nats')")).toEqual([]);
  const connecting = "await (await import('@tenterhook/transport-nats')).connectToNats({ servers: '127.0.0.1:1' }).catch(() => {})";
  const loaded = libraryModulesAfter(connecting);
  expect(loaded).not.toEqual([]);
  // The library for object stores is loaded only with the option `largeMessages`.
  expect(loaded.filter((file) => /@nats-io\/(obj|jetstream)\//.test(file))).toEqual([]);
});
