import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TurnMark, TurnMarkReader } from '../../src/wire/turn-mark.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'th-turn-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const create = () => TurnMark.create(folder) as TurnMark;

test('a hub reads the last turn that the client began, and the file has no name any more', () => {
  const mark = create();
  const reader = TurnMarkReader.open(folder, mark.name);
  expect(readdirSync(folder)).toEqual([]);
  for (const turn of [1, 2, 2 ** 40]) expect(mark.write(turn)).toBe(true);
  mark.close();
  expect(reader?.close()).toBe(2 ** 40);
});

test('a client that began no turn has begun the turn 0', () => {
  const mark = create();
  const reader = TurnMarkReader.open(folder, mark.name);
  mark.close();
  expect(reader?.close()).toBe(0);
});

test('a file that the hub did not open is removed', () => {
  create().close();
  expect(readdirSync(folder)).toEqual([]);
});

test('without a folder, or in one that does not exist, there is no mark', () => {
  expect(TurnMark.create(undefined)).toBeUndefined();
  expect(TurnMark.create(join(folder, 'missing'))).toBeUndefined();
});

test('a hub opens only a file with the name of a mark, in the folder of the socket, and no link or folder', () => {
  const mark = create();
  const uuid = mark.name.slice('.turn-'.length);
  for (const name of [undefined, '', '.turn-', `../${folder}/${mark.name}`, '/etc/passwd', `.turn-${uuid}/`]) {
    expect(TurnMarkReader.open(folder, name)).toBeUndefined();
  }
  expect(TurnMarkReader.open(undefined, mark.name)).toBeUndefined();
  renameSync(join(folder, mark.name), join(folder, 'real'));
  symlinkSync('real', join(folder, mark.name));
  expect(TurnMarkReader.open(folder, mark.name)).toBeUndefined();
  rmSync(join(folder, mark.name));
  mkdirSync(join(folder, mark.name));
  expect(TurnMarkReader.open(folder, mark.name)).toBeUndefined();
  rmSync(join(folder, mark.name), { recursive: true });
  mark.close();
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 60])('a file with %p has no number of a turn', (value) => {
  const mark = create();
  const reader = TurnMarkReader.open(folder, mark.name);
  expect(mark.write(value)).toBe(true);
  mark.close();
  expect(reader?.close()).toBe(0);
});

test('a mark in a folder that was replaced can be closed', () => {
  const mark = create();
  renameSync(folder, `${folder}-moved`);
  writeFileSync(folder, '');
  try {
    expect(() => mark.close()).not.toThrow();
  } finally {
    rmSync(folder);
    renameSync(`${folder}-moved`, folder);
  }
});
