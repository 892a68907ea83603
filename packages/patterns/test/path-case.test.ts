import { compilePathGlob, foldCase, ignoresCase, pathVariants } from '../src/index.js';

function matches(pattern: string, path: string, ignoreCase: boolean): boolean {
  const compiled = compilePathGlob(pattern, { ignoreCase });
  if (!compiled.ok) throw new Error(compiled.error.message);
  return compiled.test(path);
}

test('file systems of macOS and Windows ignore case by default', () => {
  expect(['darwin', 'win32', 'linux', 'freebsd', ''].map(ignoresCase)).toEqual([true, true, false, false, false]);
});

test.each([
  ['secrets/**', 'SECRETS/a'],
  ['SECRETS/**', 'secrets/a'],
  ['*.PEM', 'x/key.pem'],
  ['src/[a-c].ts', 'SRC/B.TS'],
  ['{a,B}/x', 'b/X'],
  ['caf\u00e9/**', 'CAFE\u0301/a'],
  ['cafe\u0301/**', 'Caf\u00c9/a'],
  ['stra\u00dfe/**', 'STRASSE/a'],
  ['password/**', 'pa\u00dfword/a'],
  ['p?ssword/**', 'P\u00e4SSWORD/a'],
  ['[\u00e9]/x', 'E\u0301/x'],
  ['kelvin', '\u212aelvin'],
  ['.git/**', '.g\u200cit/config'],
  ['\\*/x', '*/X'],
])('%s fits %s without regard to case, and only so', (pattern, path) => {
  expect(matches(pattern, path, true)).toBe(true);
  expect(matches(pattern, path, false)).toBe(false);
});

test.each([
  ['secrets/**', 'secret/a'],
  ['a.b', 'AxB'],
  ['\uff0a/x', 'anything/x'],
  ['[!a]/x', 'a/x'],
])('%s does not fit %s, whatever the case', (pattern, path) => {
  expect(matches(pattern, path, true)).toBe(false);
});

test('a path is inside of the working directory under every name of it', () => {
  expect(pathVariants('/SRV/App/src/a', '/srv/app', { ignoreCase: true })).toEqual(['/SRV/App/src/a', 'src/a']);
  expect(pathVariants('/STRASSE/src', '/stra\u00dfe', { ignoreCase: true })).toEqual(['/STRASSE/src', 'src']);
  expect(pathVariants('/SRV/App/src/a', '/srv/app')).toEqual(['/SRV/App/src/a']);
});

test('names that a file system takes for one have one folded form', () => {
  expect(new Set(['Stra\u00dfe', 'STRASSE', 'strasse', 'stra\u200dsse'].map(foldCase)).size).toBe(1);
  expect(foldCase('A-z_0')).toBe('a-z_0');
});
