import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namedPaths, watchNamedCode } from '../../../../src/runner/executors/resident/named-code.js';

const shell = (text: string, env = {}) => ({ command: { kind: 'shell' as const, text }, cwd: '/srv/app', env });

test.each([
  ['python3 hooks/guard.py --strict', ['/srv/app/python3', '/srv/app/hooks/guard.py']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a shell command.
  ['"$DIR"/my\\ guard.sh ${DIR}/b.js; ~/c.sh>log', ['/d/my guard.sh', '/d/b.js', '/home/u/c.sh', '/srv/app/log']],
  [`node '/a b.mjs'|tee "x y"`, ['/srv/app/node', '/a b.mjs', '/srv/app/tee', '/srv/app/x y']],
  ['', []],
])('the paths that %j may name', (text, paths) => {
  expect(namedPaths(shell(text, { DIR: '/d', HOME: '/home/u' }))).toEqual(paths);
});

test('a program names its file and its arguments, without expansion, and only the first words count', () => {
  const args = Array.from({ length: 100 }, (_, index) => `${index}.py`);
  const paths = namedPaths({ command: { kind: 'program', file: 'python3', args: ['-u', '$X', ...args] }, cwd: '/', env: { X: 'y' } });
  expect(paths.slice(0, 3)).toEqual(['/python3', '/$X', '/0.py']);
  expect(paths).toHaveLength(31);
});

test('a changed, created or removed script is noticed; a log is not, unless it can be executed', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'named-code-'));
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  const watch = () => watchNamedCode({ command: { kind: 'shell', text: 'sh guard.sh log missing.py' }, cwd, env: {} });
  write('guard.sh', '1');
  write('log', '1');
  const touched = watch();
  write('log', '22');
  expect(touched()).toBe(false);
  write('guard.sh', '22');
  expect(touched()).toBe(true);
  const created = watch();
  write('missing.py', '');
  expect(created()).toBe(true);
  const again = watch();
  expect(again()).toBe(false);
  utimesSync(join(cwd, 'guard.sh'), 1, 1);
  expect(again()).toBe(true);
  chmodSync(join(cwd, 'log'), 0o755);
  const executable = watch();
  write('log', '333');
  expect(executable()).toBe(true);
  rmSync(cwd, { recursive: true });
  expect(watch()()).toBe(false);
});

test('a word that is too long for a name of a file is not looked up, and a long path is', () => {
  const directory = 'd'.repeat(255);
  const paths = namedPaths({
    command: { kind: 'program', file: 'node', args: ['x'.repeat(256), `${directory}/guard.js`] },
    cwd: '/',
    env: {},
  });
  expect(paths).toEqual(['/node', `/${directory}/guard.js`]);
});
