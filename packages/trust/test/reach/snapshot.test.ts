import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HookCommand } from '../../src/reach/command/read-command.js';
import { TestProject } from './project.js';

const guard = '.claude/hooks/guard.sh';
let project: TestProject;
let target: string;

beforeEach(() => {
  project = new TestProject({
    [guard]: '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\necho "$0 $1 $PWD"\n',
    '.claude/hooks/lib.sh': 'echo of the copy\n',
    'x.py': 'print("python")\n',
    linked: `link:${guard}`,
  });
  mkdirSync(join(project.base, 'copies'), { mode: 0o700 });
  target = join(project.base, 'copies', 'ab12');
});

afterEach(() => project.remove());

const run = ({ file, args }: Extract<HookCommand, { kind: 'program' }>) =>
  spawnSync(file, args, { cwd: project.directory, encoding: 'utf8' }).stdout.trim().split('\n');

test.each<[string, HookCommand | string]>([
  ['a line of a shell', '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh "a b"'],
  ['a relative path', './.claude/hooks/guard.sh "a b"'],
  ['an interpreter', "sh -eu .claude/hooks/guard.sh 'a b'"],
  ['an interpreter with a path', "/bin/sh .claude/hooks/guard.sh 'a b'"],
  ['a program with args', { kind: 'program', file: `$${'{CLAUDE_PROJECT_DIR}'}/.claude/hooks/guard.sh`, args: ['a b'] }],
])('a copy of the script runs, with what it sources, whatever becomes of the original: %s', (_, command) => {
  const found = project.find(command);
  const copied = found.snapshot(target);
  project.write(guard, '#!/bin/sh\necho evil\n');
  project.write('.claude/hooks/lib.sh', 'echo evil\n');
  expect(run(copied as never)).toEqual(['of the copy', `${target}/${guard} a b ${project.directory}`]);
});

test('a variable that is not known is left as it is, whatever its name', () => {
  const args = [`$${'{constructor}'}`, `$${'{OTHER}'}`];
  expect(project.find({ kind: 'program', file: `./${guard}`, args }).snapshot(target)).toMatchObject({ args });
});

test('only the user can read and enter the copy, and nothing of it is writable', () => {
  project.find(guard).snapshot(target);
  expect(statSync(target).mode & 0o777).toBe(0o700);
  expect(statSync(join(target, guard)).mode & 0o777).toBe(0o500);
  expect(statSync(join(target, '.claude/hooks/lib.sh')).mode & 0o777).toBe(0o400);
});

test('a second copy replaces the first one', () => {
  project.find(guard).snapshot(target);
  project.write('.claude/hooks/lib.sh', 'echo again\n');
  const copied = project.find(guard).snapshot(target);
  expect(run(copied as never)[0]).toBe('again');
  expect(readdirSync(join(project.base, 'copies'))).toEqual(['ab12']);
});

test('a file that has changed since it was hashed is not copied', () => {
  const found = project.find(guard);
  project.write('.claude/hooks/lib.sh', 'echo evil\n');
  expect(found.snapshot(target)).toBe('changed');
  expect(readdirSync(join(project.base, 'copies'))).toEqual([]);
});

test.each([
  `${guard} "$X"`,
  `${guard} | cat`,
  `${guard}; ${guard}`,
  `${guard} > log`,
  `A=1 ${guard}`,
  `! ${guard}`,
  `. ${guard}`,
  `eval ${guard}`,
  `env ${guard}`,
  `sh -c ${guard}`,
  'npm test',
  'python3 -m x',
  'python3 -c 1',
  'jq . x.py',
  './linked',
  '/bin/true',
  './missing.sh',
])('there is no copy of %s', (command) => {
  expect(project.find(command).snapshot(target)).toBe('impossible');
  expect(existsSync(target)).toBe(false);
});
