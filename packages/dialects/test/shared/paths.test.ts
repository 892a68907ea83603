import { isAbsolute, join, parentOf } from '../../src/parts.js';

test.each([
  ['/srv/app', 'a.json', '/srv/app/a.json'],
  ['/srv/app/', 'a/b.json', '/srv/app/a/b.json'],
  ['/', 'a.json', '/a.json'],
  ['C:\\srv', 'a.json', 'C:\\srv/a.json'],
])('%s and %s', (folder, file, joined) => {
  expect(join(folder, file)).toBe(joined);
});

test.each([
  ['/srv/app', '/srv'],
  ['/srv/app/', '/srv'],
  ['/srv//app', '/srv'],
  ['/srv', undefined],
  ['/', undefined],
  ['', undefined],
  ['app', undefined],
  ['C:\\srv\\app', 'C:\\srv'],
  ['C:/srv/app', 'C:/srv'],
  ['C:\\srv', 'C:'],
  ['C:', undefined],
])('the parent of %j is %j', (path, parent) => {
  expect(parentOf(path)).toBe(parent);
});

test.each([
  ['/srv', true],
  ['C:\\srv', true],
  ['c:/srv', true],
  ['\\\\host\\share', true],
  ['srv', false],
  ['./srv', false],
  ['C:srv', false],
  ['~/srv', false],
  ['', false],
])('%j is absolute: %j', (path, expected) => {
  expect(isAbsolute(path)).toBe(expected);
});
