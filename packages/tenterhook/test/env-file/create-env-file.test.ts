import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createHookClient, startSessionWithHooks } from '@tenterhook/agent';
import { createEnvFile, createHooks, type EnvFile } from '../../src/index.js';

const made: EnvFile[] = [];
afterEach(async () => {
  for (const envFile of made.splice(0)) await envFile.dispose();
});

async function newFile(): Promise<EnvFile> {
  const envFile = await createEnvFile();
  made.push(envFile);
  return envFile;
}

test('an empty file that no other user can read, in a directory of its own, and gone when it is disposed of', async () => {
  const [one, other] = [await newFile(), await newFile()];
  expect(dirname(one.file)).not.toBe(dirname(other.file));
  if (process.platform !== 'win32') {
    expect([statSync(one.file).mode & 0o777, statSync(dirname(one.file)).mode & 0o777]).toEqual([0o600, 0o700]);
  }
  expect(await one.read()).toEqual({ variables: {}, problems: [] });
  await one.dispose();
  await one.dispose();
  expect(existsSync(dirname(one.file))).toBe(false);
});

test('what hooks append is read as often as asked', async () => {
  const envFile = await newFile();
  const append =
    'read -r event; file=$(printf %s "$event" | sed \'s/.*"env_file":"\\([^"]*\\)".*/\\1/\'); echo "export MODE=fast" >> "$file"';
  const hooks = await createHooks({
    settings: { hooks: { SessionStart: [{ hooks: [{ command: append }] }] } },
  });
  await startSessionWithHooks(createHookClient(hooks), 'startup', { envFile: envFile.file });
  await hooks.dispose();
  expect(await envFile.read()).toEqual({ variables: { MODE: 'fast' }, problems: [] });
  appendFileSync(envFile.file, 'export NODE_ENV="test"\nnonsense\n');
  expect(await envFile.read()).toEqual({
    variables: { MODE: 'fast', NODE_ENV: 'test' },
    problems: [expect.stringContaining('Line 3')],
  });
});

test.each<[string, (file: string) => void]>([
  ['is gone', () => {}],
  ['is a directory', (file) => mkdirSync(file)],
  ['leads elsewhere', (file) => symlinkSync('/etc/hostname', file)],
  ['is a pipe', (file) => spawnSync('mkfifo', [file])],
])('a file that %s is a problem and no variable', async (_, replace) => {
  const envFile = await newFile();
  rmSync(envFile.file);
  replace(envFile.file);
  expect(await envFile.read()).toEqual({ variables: {}, problems: [expect.stringContaining(envFile.file)] });
});

test('of a file that is too large nothing is read', async () => {
  const envFile = await newFile();
  writeFileSync(envFile.file, `export A=1\n${'#'.repeat(2 ** 20)}`);
  expect(await envFile.read()).toEqual({ variables: {}, problems: [expect.stringContaining('1048576')] });
});
