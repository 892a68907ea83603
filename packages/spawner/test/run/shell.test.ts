import { symlinkSync, writeFileSync } from 'node:fs';
import { findShell } from '../../src/run/shell.js';
import { openRig, type Rig } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

const find = (path: string | undefined) => findShell({ platform: 'linux', env: path === undefined ? {} : { PATH: path } });

test('bash before sh, wherever on PATH they are (decision 31)', () => {
  symlinkSync('/bin/sh', rig.path('sh'));
  expect(find(rig.place)).toEqual({ file: rig.path('sh'), args: ['-c'] });
  symlinkSync('/bin/sh', rig.path('bash'));
  expect(find(`/no/such/place:${rig.place}`)).toEqual({ file: rig.path('bash'), args: ['-c'] });
});

test('a file that cannot be executed is not a shell, nor is one in the current directory', () => {
  writeFileSync(rig.path('bash'), '', { mode: 0o644 });
  expect(find(rig.place)).toBeUndefined();
  expect(find('.:bin::')).toBeUndefined();
});

test('without PATH, where the system looks', () => {
  expect(find(undefined)?.file).toMatch(/^\/.*\/(ba)?sh$/);
});

test('no PowerShell on a machine that has none', () => {
  expect(findShell({ platform: 'win32', env: { SystemRoot: rig.place } })).toBeUndefined();
});
