import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { TestProject } from './project.js';

const marker = 'echo ran > "$MARKER"\n';
const python = 'import os\nopen(os.environ["MARKER"], "w").write("ran")\n';
const javascript = 'require("node:fs").writeFileSync(process.env.MARKER, "ran");\n';
const braces = (text: string) => text.replaceAll('$<', '$\u007b').replaceAll('>$', '\u007d');

/** Ways to hide which file a hook runs: the files of the project, and the path of the file that runs. The command is `bash hook.sh`. */
const ways: Record<string, [script: string, hidden: string, files?: Record<string, string>]> = {
  'a variable of a function that is never called': [
    'f() { local A=x/; }\n. "./lib$A/y.sh"\n',
    'lib/y.sh',
    { 'lib/y.sh': marker, 'libx/y.sh': '' },
  ],
  'a variable of a branch that is not taken': [
    'if false; then D=./safe; fi\nE=$D/y.sh; cd lib; . ".$E"\n',
    'lib/y.sh',
    { 'lib/y.sh': marker },
  ],
  'a variable of a subshell': ['(D=safe/)\n. "./$D"y.sh\n', 'y.sh', { 'y.sh': marker, 'safe/y.sh': '' }],
  'a variable of arithmetic': ['A=./1; B=1; ((B++)); . "./lib$B.sh"\n', 'lib2.sh', { 'lib2.sh': marker, 'lib1.sh': '' }],
  'a default value': [braces('A=; : "$<A:=./y.sh>$"; . "$A"\n'), 'y.sh', { 'y.sh': marker }],
  'a reference to a name': [
    'declare -n r=CLAUDE_PROJECT_DIR; r=./lib; . "$CLAUDE_PROJECT_DIR/y.sh"\n',
    'lib/y.sh',
    { 'lib/y.sh': marker, 'y.sh': '' },
  ],
  printf: ['printf -v HOME %s ./lib; . ~/y.sh\n', 'lib/y.sh', { 'lib/y.sh': marker }],
  'a variable that a sourced file sets': [
    'D=./safe\n. ./set.sh\n. "$D/y.sh"\n',
    'lib/y.sh',
    { 'lib/y.sh': marker, 'safe/y.sh': '', 'set.sh': 'D=./lib\n' },
  ],
  'a variable that eval sets': ['D=./safe\neval D=./lib\n. "$D/y.sh"\n', 'lib/y.sh', { 'lib/y.sh': marker, 'safe/y.sh': '' }],
  '$0 in a file that is sourced': ['. ./lib/a.sh\n', 'y.sh', { 'lib/a.sh': '. "$(dirname "$0")/y.sh"\n', 'lib/y.sh': '', 'y.sh': marker }],
  '$0 in bash -c': ['bash -c \'. "$(dirname "$0")/lib/y.sh"\'\n', 'lib/y.sh', { 'lib/y.sh': marker }],
  '$0 after cd': ['cd lib\n. "$(dirname "$0")/y.sh"\n', 'lib/y.sh', { 'lib/y.sh': marker, 'y.sh': '' }],
  'hash -p': ['hash -p ./x.sh cat; cat\n', 'y.sh', { 'x.sh': '#!/bin/bash\n. ./y.sh\n', 'y.sh': marker }],
  'a function that is only in a text': [": 'eslint () { true; }'\nPATH=.:$PATH eslint\n", 'eslint', { eslint: `#!/bin/sh\n${marker}` }],
  'an alias': ['shopt -s expand_aliases\nalias ls=". ./y.sh"\nls\n', 'y.sh', { 'y.sh': marker }],
  'an array': [braces('a=(. ./y.sh)\n"$<a[@]>$"\n'), 'y.sh', { 'y.sh': marker }],
  'a pattern of file names': ['. ./y.?h\n', 'y.sh', { 'y.sh': marker }],
  braces: ['. ./{y,z}.sh\n', 'y.sh', { 'y.sh': marker }],
  escapes: ["$'\\x2e' ./y.sh\n", 'y.sh', { 'y.sh': marker }],
  'set and $1': ['set -- ./y.sh; . "$1"\n', 'y.sh', { 'y.sh': marker }],
  mapfile: ['mapfile -t a <<< ./y.sh; . "$a"\n', 'y.sh', { 'y.sh': marker }],
  'case with a bracket': ['case x in (x) . ./y.sh ;; esac\n', 'y.sh', { 'y.sh': marker }],
  'a pipe into sh': ['printf %s ". ./""y.sh" | sh\n', 'y.sh', { 'y.sh': marker }],
  'a here-document': ['sh <<X\n. ./y.sh\nX\n', 'y.sh', { 'y.sh': marker }],
  BASH_ENV: ['BASH_ENV=./y.sh bash -c true\n', 'y.sh', { 'y.sh': marker }],
  awk: ['awk \'BEGIN { system("./y" ".sh") }\'\n', 'y.sh', { 'y.sh': `#!/bin/sh\n${marker}` }],
  sed: ["echo a | sed 's/a/.\\/y.sh/e'\n", 'y.sh', { 'y.sh': `#!/bin/sh\n${marker}` }],
  find: ['find . -name "y.s*" -exec sh {} ";"\n', 'y.sh', { 'y.sh': marker }],
  xargs: ['echo y.sh | xargs -n1 sh\n', 'y.sh', { 'y.sh': marker }],
  'a dollar sign before a quote': ['echo "a$"; . ./y.sh "b"\n', 'y.sh', { 'y.sh': marker }],
  'a test that fails in sh': ['sh -c "[[ a || ./x ]]"\n', 'y.sh', { x: '#!/bin/sh\n. ./y.sh\n', 'y.sh': marker }],
  'a copy': ['cp data z.sh; . ./z.sh\n', 'y.sh', { data: '. ./y.sh\n', 'y.sh': marker }],
  'a carriage return': ['./x\r\n', 'y.sh', { 'x\r': '#!/bin/sh\n. ./y.sh\n', x: '', 'y.sh': marker }],
  trap: ["trap '. ./y.sh' EXIT\n", 'y.sh', { 'y.sh': marker }],
  'a script without a first line': ['./x\n', 'y.sh', { x: '#!\n. ./y.sh\n', 'y.sh': marker }],
  'an interpreter of the project': ['./x\n', 'interpreter', { x: '#!./interpreter\n', interpreter: `#!/bin/sh\n${marker}` }],
  'a module of Python that the library imports': [`python3 -c 'import statistics'\n`, 'fractions.py', { 'fractions.py': python }],
  'a package of Python': [`python3 -c 'import a.b'\n`, 'a/__init__.py', { 'a/__init__.py': python, 'a/b.py': '' }],
  'a module that a module of Python imports': [
    'python3 main.py\n',
    'sub/y.py',
    { 'main.py': 'from sub import x\n', 'sub/x.py': 'from . import y\n', 'sub/y.py': python },
  ],
  'an import path of Python': [
    'python3 main.py\n',
    'lib/y.py',
    { 'main.py': 'import sys as s\ns.path.insert(0, "lib")\nimport y\n', 'lib/y.py': python },
  ],
  'python -m': ['python3 -m pkg.tool\n', 'pkg/tool.py', { 'pkg/tool.py': python }],
  'a folder of Python': ['python3 pkg\n', 'pkg/__main__.py', { 'pkg/__main__.py': python }],
  'an import with a comment': ['node main.mjs\n', 'y.cjs', { 'main.mjs': 'import/* a */"./y.cjs";\n', 'y.cjs': javascript }],
  'an import with an escape': ['node main.cjs\n', 'y.cjs', { 'main.cjs': 'requ\\u0069re("./y.cjs");\n', 'y.cjs': javascript }],
  'a name of a module in a variable': [
    'node main.cjs\n',
    'y.cjs',
    { 'main.cjs': 'const r = require; r("./y.cjs");\n', 'y.cjs': javascript },
  ],
  'an index file': ['node main.cjs\n', 'lib/index.js', { 'main.cjs': 'require("./lib");\n', 'lib/index.js': javascript }],
  'an import of a package by its own name': [
    'node main.cjs\n',
    'y.cjs',
    { 'main.cjs': 'require("me/y");\n', 'package.json': '{"name":"me","exports":{"./y":"./y.cjs"}}', 'y.cjs': javascript },
  ],
  'node -r': ['node -r ./y.cjs -e 0\n', 'y.cjs', { 'y.cjs': javascript }],
};

test.each(Object.entries(ways))('a file that a script runs by %s is reached, or the hook is open', (_, [script, hidden, files = {}]) => {
  const project = new TestProject({ 'hook.sh': script, ...files });
  try {
    const mark = `${project.base}/marker`;
    const { reach } = project.find('bash hook.sh');
    const env = { ...project.variables, PATH: process.env['PATH'], MARKER: mark };
    spawnSync('bash', ['-c', 'chmod +x x* eslint y.sh interpreter 2>/dev/null; bash hook.sh'], { cwd: project.directory, env });
    // The way works, so it must not be missed.
    expect(existsSync(mark)).toBe(true);
    expect(reach.open.length > 0 || reach.entries.some(({ path }) => path === hidden || hidden.startsWith(`${path}/`))).toBe(true);
  } finally {
    project.remove();
  }
});
