import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { describeOwner, removeDeadDirectories } from '../../src/io/dead-directories.js';
import { NoRoom, PrivateDirectory } from '../../src/io/private-directory.js';
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
  const link = `tenterhook-${dead}-1-${namespace}-alink`;
  symlinkSync(rig.path(names.stranger), rig.path(link));
  directory.open();
  const left = readdirSync(rig.place).filter((name) => rig.path(name) !== directory.open());
  expect(left.sort()).toEqual([names.ours, names.init, names.otherContainer, names.stranger, file, link].sort());
  expect(readdirSync(rig.path(names.stranger))).toEqual(['o1']);
});

test('of a base with very many names, only a part is looked at', async () => {
  const { pid: dead } = expectKind(await rig.sh('true'), 'exited');
  const [, , namespace = ''] = describeOwner().split('-');
  const many = rig.path('many');
  mkdirSync(many);
  for (let count = 0; count < 2500; count += 1) mkdirSync(join(many, `tenterhook-${dead}-1-${namespace}-${count}`));
  removeDeadDirectories(many);
  expect(readdirSync(many)).toHaveLength(500);
});

describe('a base without room', () => {
  const full = (path: string): never => {
    throw Object.assign(new Error(`ENOSPC: no space left on device, write ${path}`), { code: 'ENOSPC' });
  };
  let bases: readonly string[];
  beforeEach(() => {
    bases = ['first', 'second'].map((name) => rig.path(name));
    for (const base of bases) mkdirSync(base);
    directory = new PrivateDirectory(() => bases);
  });

  test('the next one is used, and stays in use', () => {
    expect(dirname(directory.open())).toBe(bases[0]);
    const used = directory.use(10, (path) => (path.startsWith(bases[0] as string) ? full(path) : path));
    expect(dirname(used)).toBe(bases[1]);
    expect(directory.open()).toBe(used);
    directory.remove();
    expect(bases.flatMap((base) => readdirSync(base))).toEqual([]);
  });

  test('for a large file alone it is not', () => {
    const before = directory.open();
    const used = directory.use(2_000_000, (path) => (path.startsWith(bases[0] as string) ? full(path) : path));
    expect(dirname(used)).toBe(bases[1]);
    expect(directory.open()).toBe(before);
  });

  test('if no base has room, the error names each', () => {
    expect(() => directory.use(10, full)).toThrow(NoRoom);
    expect(() => directory.use(10, full)).toThrow(/first: ENOSPC.*second: ENOSPC/);
  });

  test('a file for which no base can have room is not begun', () => {
    const create = jest.fn((path: string) => path);
    expect(() => directory.use(2 ** 52, create)).toThrow(/first: \d+ of 4503599627370496 bytes are free; .*second: /);
    expect(create).not.toHaveBeenCalled();
  });

  test('a shortage of the machine is an error of its own, for which no other base is tried', () => {
    const tried: string[] = [];
    const attempt = () =>
      directory.use(10, (path) => {
        tried.push(dirname(path));
        throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      });
    expect(attempt).toThrow('EMFILE');
    expect(tried).toEqual([bases[0]]);
  });
});
