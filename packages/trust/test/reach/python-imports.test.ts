import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { blockingWork } from '../../../../test/support/blocking-work.js';
import { readPython } from '../../src/reach/languages/python.js';
import { TestProject, textsOf } from './project.js';

const files = { 'y.py': 'print("y ran")\nx = 1\n', 'pkg/__init__.py': '', 'pkg/a.py': '', 'pkg/y.py': 'print("pkg.y ran")\n' };

function run(main: string | Buffer) {
  const project = new TestProject(files);
  try {
    writeFileSync(project.path('main.py'), main);
    const { stdout } = spawnSync('python3', ['-B', 'main.py'], { cwd: project.directory, encoding: 'utf8' });
    const { entries, open } = project.find('python3 main.py').reach;
    return { stdout, paths: entries.map(({ path }) => path), open: textsOf(open) };
  } finally {
    project.remove();
  }
}

test.each([
  ['a comment between the names', 'from pkg import (a, # )\n y)\n'],
  ['blanks in the name', 'import pkg . y\n'],
  ['blanks and a line break in the name', 'from pkg \\\n .\ty import os\n'],
  ['a comment with a bracket before it', '# from re import (\nfrom pkg import (\n  a as b, # b\n  y,\n)\n'],
])('a module is part of the pin with %s', (_, main) => {
  const { stdout, paths } = run(main);
  expect(stdout).toContain('pkg.y ran');
  expect(paths).toContain('pkg/y.py');
});

test.each([
  ['a string with the beginning of an import', '"""\nfrom re import (sub\n"""\nimport y\nprint(1)\n'],
  ['a condition with the beginning of an import', 'if "; import re x" : import y\n'],
  ['a carriage return', 'import re\rimport y\r'],
])('a module that is imported after %s is part of the pin', (_, main) => {
  const { stdout, paths } = run(main);
  expect(stdout).toContain('y ran');
  expect(paths).toContain('y.py');
});

test('names after a string with the character of a comment are not known', () => {
  const { stdout, open } = run('x = "#"; from pkg import (a, # )\n y)\n');
  expect(stdout).toContain('pkg.y ran');
  expect(open).toContain('main.py: It imports a module whose name cannot be read.');
});

test('a program in Latin-1 is not read as UTF-8', () => {
  // In Latin-1, the byte AA is a letter that Python normalizes to `a`.
  const project = new TestProject({ 'ay.py': 'print("ay ran")\nx = 1\n' });
  try {
    writeFileSync(project.path('main.py'), Buffer.from('# coding:latin-1\nfrom \xaay import x\n', 'latin1'));
    const { stdout } = spawnSync('python3', ['-B', 'main.py'], { cwd: project.directory, encoding: 'utf8' });
    expect(stdout).toContain('ay ran');
    expect(textsOf(project.find('python3 main.py').reach.open)).toContain('main.py: Its encoding is not UTF-8.');
  } finally {
    project.remove();
  }
});

test.each([
  ['# -*- coding: utf-8 -*-\n', true],
  ['#!/usr/bin/env python3\n# vim: set fileencoding=utf8 :\n', true],
  ['# coding: latin-1\n', true],
  ['# coding: latin-1\nx = "é"\n', false],
  ['# coding: utf-7\n', false],
  ['\n# coding:\tcp1252\n', false],
  ['\n\n# coding: cp1252\n', true],
])('%j is read as UTF-8: %s', (text, isRead) => {
  expect(readPython(text).open).toEqual(isRead ? [] : ['Its encoding is not UTF-8.']);
});

const length = 256 * 1024;
const long = (part: string) => part.repeat(length / part.length);

test.each([
  ['blanks', `from${long(' ')}x`, 0],
  ['blanks and dots', `from .${long(' ')}x`, 0],
  ['brackets', long(';from a import ('), length / 16],
  ['imports in one line', long('from os import x'), 1],
  ['characters of comments', `${long('#')}\n`, 0],
  ['colons', long(':import  a_module'), Math.floor(length / 17)],
])('the time for a program does not grow with the square of its %s', async (_, text, imports) => {
  expect((await blockingWork(() => readPython(text))).imports).toHaveLength(imports);
});
