import { existsSync, statSync, writeFileSync } from 'node:fs';
import { openRig, type Rig } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

test('directories exist when the process starts, and only the user can read new ones', async () => {
  const directories = [rig.path('kept/of/plugin'), rig.path('kept')];
  for (const _ of ['missing', 'existing'])
    expect(await rig.sh(`cd ${directories[0]} && touch here`, { directories })).toMatchObject({ kind: 'exited', exitCode: 0 });
  expect(existsSync(rig.path('kept/of/plugin/here'))).toBe(true);
  if (process.platform !== 'win32') expect(statSync(rig.path('kept/of/plugin')).mode & 0o777).toBe(0o700);
});

test('a process starts although a directory cannot be created', async () => {
  writeFileSync(rig.path('file'), '');
  const directories = [rig.path('file/below'), rig.path('other')];
  expect(await rig.sh('echo started', { directories })).toMatchObject({ kind: 'exited', stdout: 'started\n' });
  expect(existsSync(rig.path('other'))).toBe(true);
});

test('no directory is created for a job that is not started', async () => {
  const directories = [rig.path('kept')];
  expect(await rig.sh('true', { directories, mayStart: () => false })).toMatchObject({ kind: 'not-started' });
  expect(await rig.sh('true', { directories, signal: AbortSignal.abort() })).toMatchObject({ kind: 'not-started' });
  expect(existsSync(rig.path('kept'))).toBe(false);
});
