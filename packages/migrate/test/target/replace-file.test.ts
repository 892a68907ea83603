import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../../src/target/replace-file.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenterhook-replace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a file is replaced as a whole, with its mode, and nothing is left behind', () => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, 'old');
  chmodSync(file, 0o640);
  replaceFile(file, 'old', 'new ü');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777, readdirSync(folder)]).toEqual(['new ü', 0o640, ['settings.json']]);
});

test('a file that is not there is made, with its folders', () => {
  const file = join(folder, 'a/b/settings.json');
  replaceFile(file, undefined, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['settings.json']);
});

test.each([
  ['was changed', 'another', 'old'],
  ['appeared', 'another', undefined],
])('a file that %s meanwhile is left as it is', (_, text, before) => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, text);
  expect(() => replaceFile(file, before, 'new')).toThrow('another process changed the file in the meantime');
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([text, ['settings.json']]);
});

test('where no folder can be made, the reason is that of the file system', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => replaceFile(join(folder, 'file/settings.json'), undefined, 'new')).toThrow(/EEXIST|ENOTDIR/);
});

test('a new file has the mode that any new file gets', () => {
  const [made, other] = [join(folder, 'settings.json'), join(folder, 'other')];
  replaceFile(made, undefined, 'new');
  writeFileSync(other, '');
  expect(statSync(made).mode).toBe(statSync(other).mode);
});

test('what appears where nothing was, a link to nothing too, is not replaced', () => {
  const file = join(folder, 'settings.json');
  symlinkSync('nowhere', file);
  expect(() => replaceFile(file, undefined, 'new')).toThrow('another process changed the file in the meantime');
  expect([readlinkSync(file), readdirSync(folder)]).toEqual(['nowhere', ['settings.json']]);
});
