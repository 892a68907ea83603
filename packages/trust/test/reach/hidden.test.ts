import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hasUnknownCode } from '../../src/reach/open-reasons.js';
import { TestProject } from './project.js';

const marker = 'echo ran > "$MARKER"\n';
const python = 'import os\nopen(os.environ["MARKER"], "w").write("ran")\n';
const javascript = 'require("node:fs").writeFileSync(process.env.MARKER, "ran");\n';
const braces = (text: string) => text.replaceAll('$<', '$\u007b').replaceAll('>$', '\u007d');

/** The code of a word runs `x.sh`, which is not an argument of a shell that is taken apart. So `y.sh` is not reached. */
const evaluated = { 'x.sh': 'cat >/dev/null\n. ./y.sh </dev/null\n', 'g.sh': 'true\n', conf: './x.sh\n', 'y.sh': marker };

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
  'an import of Python after a carriage return': ['python3 main.py\n', 'y.py', { 'main.py': 'import os\rimport y\n', 'y.py': python }],
  'a module of Python with blanks before import': [
    'python3 main.py\n',
    'pkg/y.py',
    { 'main.py': 'from pkg . y import os\n', 'pkg/__init__.py': '', 'pkg/y.py': python },
  ],
  'an import of Python after one in a condition': [
    'python3 main.py\n',
    'y.py',
    { 'main.py': 'if "; import os x" : import y\n', 'y.py': python },
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
  'a name of a module in two parts': ['node main.cjs\n', 'why.cjs', { 'main.cjs': 'require("./wh" + "y.cjs");\n', 'why.cjs': javascript }],
  'a name of a module with a method': [
    'node main.cjs\n',
    'why.cjs',
    { 'main.cjs': 'require("./wh".concat("y.cjs"));\n', 'why.cjs': javascript },
  ],
  'a name of a module on two lines': ['node main.cjs\n', 'why.cjs', { 'main.cjs': 'require("./wh\\\ny.cjs");\n', 'why.cjs': javascript }],
  'a module of an import on two lines': [
    'node main.mjs\n',
    'why.mjs',
    { 'main.mjs': 'import "./wh\\\r\ny.mjs";\n', 'why.mjs': 'import fs from "node:fs"; fs.writeFileSync(process.env.MARKER, "ran");\n' },
  ],
  'a module after the beginning of an import in a string': [
    'node main.cjs\n',
    'why.cjs',
    { 'main.cjs': `const s = "import 'fs/"; require('./why.cjs');\n`, 'why.cjs': javascript },
  ],
  'a module with a line break in its name': [
    'node main.cjs\n',
    'wh\ny.cjs',
    { 'main.cjs': 'require(`./wh\ny.cjs`);\n', 'wh\ny.cjs': javascript },
  ],
  'an index file': ['node main.cjs\n', 'lib/index.js', { 'main.cjs': 'require("./lib");\n', 'lib/index.js': javascript }],
  'an import of a package by its own name': [
    'node main.cjs\n',
    'y.cjs',
    { 'main.cjs': 'require("me/y");\n', 'package.json': '{"name":"me","exports":{"./y":"./y.cjs"}}', 'y.cjs': javascript },
  ],
  'sed with another delimiter': ["echo a | sed '\\,a,e sh ./x.sh'\n", 'y.sh', evaluated],
  'sed with a step': ["echo a | sed '1~2e sh ./x.sh'\n", 'y.sh', evaluated],
  'sed with a flag of an address': ["echo a | sed '/A/Ie sh ./x.sh'\n", 'y.sh', evaluated],
  'sed with a range': ["echo a | sed '1,+1e sh ./x.sh'\n", 'y.sh', evaluated],
  'sed with a program in a variable': ['p=\'1e sh x.sh\'; echo a | sed "$p"\n', 'y.sh', evaluated],
  'sed with a variable in a program': ['p=\'sh x.sh,e\'; echo a | sed "s,a,$p"\n', 'y.sh', evaluated],
  'awk with a variable in quotes': ['a=\'system("sh x.sh")\'; awk "BEGIN{x=\\"\'\\";$a;y=\\"\'\\"}"\n', 'y.sh', evaluated],
  'sed by its path': ["echo a | /usr/bin/sed '1~2e sh ./x.sh'\n", 'y.sh', evaluated],
  'the beginning of a long option of sed': ["echo a | sed --ex '1~2e sh ./x.sh'\n", 'y.sh', evaluated],
  'sed with words from stdin': ["echo '1esh<x.sh x.sh' | xargs sed\n", 'y.sh', evaluated],
  'awk with a program in a variable': ['a=sys b=\'tem("sh x.sh")\'; awk "BEGIN{$a$b}"\n', 'y.sh', evaluated],
  read: ['set -a; read BASH_ENV < conf; bash ./g.sh\n', 'y.sh', evaluated],
  'read with an argument in its options': ['set -a; read -ru0 BASH_ENV < conf; bash ./g.sh\n', 'y.sh', evaluated],
  'read of a name in a variable': ['set -a; v=BASH_ENV; read "$v" < conf; bash ./g.sh\n', 'y.sh', evaluated],
  for: ['set -a; for BASH_ENV in ./x.sh; do bash ./g.sh; done\n', 'y.sh', evaluated],
  'a default value of BASH_ENV': [braces('set -a; : "$<BASH_ENV:=./x.sh>$"; bash ./g.sh\n'), 'y.sh', evaluated],
  'printf -v of BASH_ENV': ['set -a; printf -v BASH_ENV %s ./x.sh; bash ./g.sh\n', 'y.sh', evaluated],
  'a number in BASH_ENV': ['cp x.sh 7; set -a; ((BASH_ENV=7)); bash ./g.sh\n', 'y.sh', evaluated],
  'let and BASH_ENV': ['cp x.sh 7; set -a; let BASH_ENV=7; bash ./g.sh\n', 'y.sh', evaluated],
  'a descriptor in BASH_ENV': ['cp x.sh 10; set -a; exec {BASH_ENV}</dev/null; bash ./g.sh\n', 'y.sh', evaluated],
  let: ["let 'b[$(sh ./x.sh)]'\n", 'y.sh', evaluated],
  'let with backquotes': ["let 'b[`sh ./x.sh`]'\n", 'y.sh', evaluated],
  'declare -i': ["declare -i a='b[$(sh ./x.sh)]'\n", 'y.sh', evaluated],
  '[[ -eq': ["[[ 'b[$(sh ./x.sh)]' -eq 0 ]]\n", 'y.sh', evaluated],
  '[[ -v': ["[[ -v 'b[$(sh ./x.sh)]' ]]\n", 'y.sh', evaluated],
  'test -v': ["test -v 'b[$(sh ./x.sh)]'\n", 'y.sh', evaluated],
  '[ -v': ["[ -v 'b[$(sh ./x.sh)]' ]\n", 'y.sh', evaluated],
  'printf -v of an index': ["printf -v 'b[$(sh ./x.sh)]' x\n", 'y.sh', evaluated],
  unset: ["b=(1)\nunset 'b[$(sh ./x.sh)]'\n", 'y.sh', evaluated],
  'unset with a variable': ['b=(1) x=\'$(sh ./x.sh)\'\nunset "b[$x]"\n', 'y.sh', evaluated],
  'read of an index': ["read 'b[$(sh ./x.sh)]' < conf\n", 'y.sh', evaluated],
  'a variable of arithmetic with an index': ["a='b[$(sh ./x.sh)]'; echo $((a))\n", 'y.sh', evaluated],
  'an index in a list of for': ["for a in 'b[$(sh ./x.sh)]'; do [[ $a -eq 0 ]]; done\n", 'y.sh', evaluated],
  'an index in a here-string': ["read -r a <<< 'b[$(sh ./x.sh)]'; [[ $a -eq 0 ]]\n", 'y.sh', evaluated],
  'an index in a here-document': ["read -r a <<'X'\nb[$(sh ./x.sh)]\nX\n[[ $a -eq 0 ]]\n", 'y.sh', evaluated],
  'an index of an array': ["declare -a a=(['$(sh ./x.sh)']=1)\n", 'y.sh', evaluated],
  'an index of an assignment': ["a['$(sh ./x.sh)']=1\n", 'y.sh', evaluated],
  'an index of an argument': ["f() { [[ $1 -eq 0 ]]; }; f 'b[$(sh ./x.sh)]'\n", 'y.sh', evaluated],
  'jobs -x': ['jobs -x sh ./x.sh\n', 'y.sh', evaluated],
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

test.each(Object.entries(ways))('a hook of the user that runs a file by %s is asked about', (_, [script, , files = {}]) => {
  const project = new TestProject(files);
  try {
    const { open, entries } = project.find(script, { isOwn: true }).reach;
    expect(hasUnknownCode(open) || entries.some(({ kind }) => kind !== 'absent')).toBe(true);
  } finally {
    project.remove();
  }
});
