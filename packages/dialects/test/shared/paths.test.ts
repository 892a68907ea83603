import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { isAbsolute, join, parentOf } from '../../src/parts.js';
import { absolutePath, claimedByPlace } from '../../src/shared/paths.js';

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

test.each([
  ['/srv/app/.x/settings.json', { projectDir: '/srv/app' }],
  ['.x/settings.json', { projectDir: '.' }],
  ['/.x/settings.json', { projectDir: '/' }],
  ['C:\\app\\.x\\settings.json', { projectDir: 'C:\\app' }],
  ['/srv/app.x/settings.json', undefined],
  ['/srv/.x/settings.json/more', undefined],
  ['', undefined],
])('%j: %j', (file, expected) => expect(claimedByPlace(file, '.x/settings.json')).toEqual(expected));

test.each([
  ['a.txt', '/srv/app', '/srv/app/a.txt'],
  ['./src/../a.txt', '/srv/app/', '/srv/app/a.txt'],
  ['/srv/app/../../etc/passwd', '/srv/app', '/etc/passwd'],
  ['../../../../etc/passwd', '/srv/app', '/etc/passwd'],
  ['.', '/', '/'],
  ['a\\b', '/srv/app', '/srv/app/a\\b'],
  ['src\\a.txt', 'C:\\app', 'C:\\app\\src\\a.txt'],
  ['../a.txt', 'C:/app/src', 'C:\\app\\a.txt'],
  ['\\a.txt', 'C:\\app', 'C:\\a.txt'],
  ['D:\\x\\..\\a.txt', 'C:\\app', 'D:\\a.txt'],
  ['c:a.txt', 'C:\\app', 'c:\\app\\a.txt'],
  ['..\\..\\a.txt', '\\\\server\\share\\app', '\\\\server\\share\\a.txt'],
])('%j in %j is %j', (path, cwd, absolute) => {
  expect(absolutePath(path, cwd)).toBe(absolute);
});

test.each([
  ['', '/srv/app'],
  ['a.txt', ''],
  ['a.txt', 'app'],
  ['a.txt', 'C:app'],
])('%j in %j cannot be resolved, and stays as it is', (path, cwd) => {
  expect(absolutePath(path, cwd)).toBe(path);
});

test('a path that looks like one of Windows is a relative one on POSIX, and leads where the tool would go', () => {
  expect(absolutePath('C:/../../../etc/passwd', '/srv/app')).toBe('/etc/passwd');
});

const names = fc.constantFrom('a', 'b.txt', '.', '..', '', ' ', '...', '~');
const pathOf = (separators: readonly string[], starts: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...starts), fc.array(fc.tuple(names, fc.constantFrom(...separators)), { maxLength: 6 }))
    .map(([start, parts]) => start + parts.flat().join(''))
    // Paths of devices (`\\.\x`) are left out: they are not files, and versions of Node.js treat them differently.
    .filter((path) => path !== '' && !/^[\\/]{2}\./.test(path));

test('every path leads where Node says that it leads', () => {
  fc.assert(
    fc.property(pathOf(['/'], ['', '/']), pathOf(['/'], ['/']), (path, cwd) => {
      expect(absolutePath(path, cwd)).toBe(posix.resolve(cwd, path));
    }),
    { numRuns: 2_000 },
  );
  const windows = ['C:\\', 'D:/', '\\\\server\\share\\'];
  fc.assert(
    fc.property(pathOf(['\\', '/'], ['', ...windows]), pathOf(['\\', '/'], windows), (path, cwd) => {
      // Node.js ends a root with a separator, and so does `absolutePath`.
      expect(absolutePath(path, cwd)).toBe(win32.resolve(cwd, path));
    }),
    { numRuns: 2_000 },
  );
});
