import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeOwner, PrivateDirectory } from '../../src/io/private-directory.js';
import { expectKind, openRig, type Rig } from '../process-rig.js';

let rig: Rig;
let directory: PrivateDirectory;
const variables = { ...process.env };
beforeEach(() => {
  rig = openRig();
  directory = new PrivateDirectory();
  process.env['XDG_RUNTIME_DIR'] = rig.place;
});
afterEach(async () => {
  for (const name of ['XDG_RUNTIME_DIR', 'TMPDIR']) {
    if (variables[name] === undefined) delete process.env[name];
    else process.env[name] = variables[name];
  }
  directory.remove();
  await rig.close();
});

test('it is ours alone, below $XDG_RUNTIME_DIR, with our pid in its name', () => {
  const path = directory.open();
  expect(dirname(path)).toBe(rig.place);
  expect(path).toContain(`/tenterhook-${process.pid}-`);
  expect(lstatSync(path).mode & 0o777).toBe(0o700);
  expect(directory.open()).toBe(path);
  directory.remove();
  expect(readdirSync(rig.place)).toEqual([]);
});

test('a place that does not exist is passed over', () => {
  process.env['XDG_RUNTIME_DIR'] = '/no/such/place';
  const path = directory.open();
  expect(path.startsWith('/no/such/place')).toBe(false);
  expect(existsSync(path)).toBe(true);
});

test('the directory of a dead process is removed, that of a living one is not', async () => {
  // Elsewhere, so that the directory of the rig is not among those here.
  delete process.env['XDG_RUNTIME_DIR'];
  const { pid: dead } = expectKind(await rig.sh('true'), 'exited');
  process.env['XDG_RUNTIME_DIR'] = rig.place;
  const [, startTime = '', namespace = ''] = describeOwner().split('-');
  const names = {
    dead: `tenterhook-${dead}-1-${namespace}-abcdef`,
    numberUsedAgain: `tenterhook-${process.pid}-${Number(startTime) - 1}-${namespace}-abcdef`,
    ours: `tenterhook-${process.pid}-${startTime}-${namespace}-abcdef`,
    init: `tenterhook-1-0-${namespace}-abcdef`,
    otherContainer: `tenterhook-${dead}-1-1-abcdef`,
    stranger: `something-${dead}-1-${namespace}-abcdef`,
  };
  for (const name of Object.values(names)) {
    mkdirSync(rig.path(name));
    writeFileSync(join(rig.path(name), 'o1'), 'left');
  }
  const file = `tenterhook-${dead}-1-${namespace}-afile`;
  writeFileSync(rig.path(file), '');
  directory.open();
  const left = readdirSync(rig.place).filter((name) => rig.path(name) !== directory.open());
  expect(left.sort()).toEqual([names.ours, names.init, names.otherContainer, names.stranger, file].sort());
});
