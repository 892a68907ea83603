import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestProject } from './project.js';

const onLinux = process.platform === 'linux' ? test : test.skip;
let project: TestProject | undefined;
afterEach(() => project?.remove());

function found(files: Record<string, string>, command: string) {
  project = new TestProject(files);
  const { reach } = project.find(command);
  return { ...reach, paths: reach.entries.map(({ kind, path }) => `${kind} ${path}`) };
}

onLinux('a name that is not UTF-8 in the folder of a script refuses the hook', () => {
  project = new TestProject({ 'hooks/run.sh': '#!/bin/sh\nfor file in hooks/plugins/*; do . "./$file"; done\n' });
  mkdirSync(project.path('hooks/plugins'));
  writeFileSync(Buffer.concat([Buffer.from(join(project.directory, 'hooks/plugins/')), Buffer.from([0xff])]), 'touch ran\n');
  expect(project.find('./hooks/run.sh').reach.refusals).toMatchObject([
    { code: 'not_regular', message: expect.stringContaining('not valid UTF-8'), remedy: 'Rename or remove it.' },
  ]);
});

test('a file that a sourced text makes relative to another directory is reached', () => {
  const files = {
    'hook.sh': 'run() { ./check.sh; }\n. ./env.sh\nrun\n',
    'env.sh': 'cd app\n',
    'check.sh': '#!/bin/sh\n',
    'app/check.sh': '#!/bin/sh\n. ./more.sh\n',
  };
  expect(found(files, 'sh ./hook.sh').paths).toEqual(
    expect.arrayContaining(['file check.sh', 'folder app', 'file app/check.sh', 'absent more.sh']),
  );
});

test.each([
  ['composed letters', 'import cafe\u0301\n', 'caf\u00e9.py'],
  ['a connector', 'import lib\u203fx\n', 'lib\u203fx.py'],
  ['other forms of letters', 'from \uff4c\uff49\uff42 import x\n', 'lib.py'],
])('a Python module with %s in its name is reached', (_, code, file) => {
  expect(found({ 'guard.py': code, [file]: '' }, 'python3 guard.py').paths).toContain(`file ${file}`);
});

test.each([
  ['a module whose name cannot be read', 'guard.py', 'import caf\u20ac\n'],
  ['exec without a call', 'guard.py', 'import os\nlist(map(exec, [open("data").read()]))\n'],
  ['a function of os by its name', 'guard.py', 'import os\ngetattr(os, "system")("sh ./x.sh")\n'],
  ['a configuration of logging', 'guard.py', 'import logging.config\nlogging.config.fileConfig("log.ini")\n'],
  ['a browser', 'guard.py', 'import webbrowser\nwebbrowser.get("./x.sh %s").open("a")\n'],
  ['a shell of asyncio', 'guard.py', 'import asyncio\nasyncio.get_running_loop().subprocess_shell(None, "sh ./x.sh")\n'],
  ['eval of an object', 'guard.cjs', 'globalThis.eval(process.argv[2])\n'],
  ['an indirect eval', 'guard.cjs', '(0, eval)(process.argv[2])\n'],
  ['a constructor of functions', 'guard.cjs', '(() => {}).constructor(process.argv[2])()\n'],
  ['arithmetic over a text like a command', 'guard.sh', `#!/bin/bash\nb='$(sh ./x.sh)]'; a='q['; z=$a$b; : $(( z ))\n`],
  ['a prompt in a value', 'guard.sh', '#!/bin/bash\ny=\'$(sh ./x.sh)\'; : "$\u007by@P}"\n'],
  ['a first line with a form feed', 'guard.sh', '#!./i\fx\n'],
  ['a first line that is cut', 'guard.sh', `#!/usr/bin/env${' '.repeat(234)}./evilDECOY\n`],
  ['a NUL behind the beginning', 'guard.sh', `: ok\n#${'x'.repeat(9_000)}\necho \\\0' ; . ./x.sh ; echo \\\0'\n`],
])('%s makes the hook open', (_, file, text) => {
  const start = file.endsWith('.py') ? `python3 ${file}` : file.endsWith('.cjs') ? `node ${file}` : './guard.sh';
  expect(found({ [file]: text, 'x.sh': '. ./lib.sh\n' }, start).open).not.toEqual([]);
});

test.each([
  ['guard.py', 'import json, re, sys\nfrom pathlib import Path\nx = re.compile("a")\nprint(json.load(sys.stdin), getattr(x, "y", None))\n'],
  [
    'guard.mjs',
    "import { readFileSync } from 'node:fs';\nconst input = JSON.parse(readFileSync(0, 'utf8'));\nclass A { constructor() {} }\n",
  ],
  ['guard.sh', '#!/usr/bin/env bash\ncat > /dev/null\n'],
  ['guard.sh', '#!/usr/bin/env bash\nn=$(wc -l < /etc/hosts)\nif [[ $n -gt 3 ]]; then echo "$(( n + 1 ))"; fi\n'],
])('a usual %s is not open', (file, text) => {
  const start = file.endsWith('.py') ? `python3 ${file}` : file.endsWith('.mjs') ? `node ${file}` : './guard.sh';
  expect(found({ [file]: text }, start).open).toEqual([]);
});
