import { TestProject, textsOf } from './project.js';

const home = (name: string) => `$${`{${name}}`}`;
let project: TestProject;

beforeAll(() => {
  project = new TestProject({
    'x.sh': '#!/bin/sh\ntrue\n',
    'y.sh': 'true\n',
    'x.py': '#!/usr/bin/env python3\nimport os\n',
    'x.js': "import { readFileSync } from 'node:fs';\n",
    'a b.sh': 'true\n',
    data: 'words',
    'sub/z.sh': '#!/bin/bash\n',
    'sub/z.py': '',
    'pkg/__init__.py': '',
    'pkg/__main__.py': 'from . import inner\n',
    'pkg/inner.py': '',
    'lib/a.js': "require('./b')\n",
    'lib/b.json': '{}',
    'root.mjs': "import './lib/a.js';\nawait import('../project/y.sh');\n",
    Makefile: 'all:\n\ttrue\n',
    'bin/tool': '#!/bin/sh\n',
    'node_modules/.bin/eslint': 'link:../eslint/cli.js',
    'node_modules/eslint/cli.js': '',
  });
});

afterAll(() => project.remove());

/** Files, folders and links, with `?` after names that are absent. */
const reached = (command: string, variables: Record<string, string> = {}) => {
  const { reach } = project.find(command, { variables: { ...project.variables, ...variables } });
  return reach.entries.map(({ kind, path }) => (kind === 'absent' ? `${path}?` : path));
};

test.each<[string, string[]]>([
  ['echo hello', []],
  ['./x.sh', ['x.sh']],
  ['./x.sh; ./missing.sh', ['missing.sh?', 'x.sh']],
  ["bash 'a b.sh'", ['a b.sh']],
  ['bash a\\ b.sh', ['a b.sh']],
  ['bash -euo pipefail x.sh data', ['data', 'x.sh']],
  ['~/../project/x.sh', ['x.sh']],
  ['"$PWD"/x.sh', ['x.sh']],
  ['cat < data', ['data']],
  ['true >data', []],
  ['tee -a data', []],
  ['cat new.md', ['new.md?']],
  ['[ -f .skip ] && exit 0', ['.skip?']],
  ['test ! -e .skip || exit 0', ['.skip?']],
  ['if [[ -s .skip && -n "a" ]]; then exit 0; fi', ['.skip?']],
  ['[ "a" = b ] && [ 1 -lt 2 ]', []],
  ['grep -qi x allow.txt && exit 0', ['allow.txt?']],
  ['grep -e x -m 1 allow.txt data', ['allow.txt?', 'data']],
  ['echo a | grep -A 2 -E "a|b"', []],
  ['LEVEL=data ./x.sh', ['data', 'x.sh']],
  ['bash -c "bash -c ./x.sh"', ['x.sh']],
  ["eval './x.sh' '&&' ./y.sh", ['x.sh', 'y.sh']],
  ['bash <<EOF\n./x.sh\nEOF', ['x.sh']],
  ['bash <<< ./x.sh', ['x.sh']],
  ['bash < x.sh', ['x.sh']],
  ['if [ -f data ]; then ./x.sh; fi', ['data', 'x.sh']],
  ['case "a" in a) ./x.sh;; *) . ./y.sh;; esac', ['x.sh', 'y.sh']],
  ['f() { ./x.sh; }; f', ['x.sh']],
  ['env A=1 timeout 5 nice ./x.sh', ['x.sh']],
  ['trap ./x.sh EXIT', ['x.sh']],
  ['find . -name y -exec ./x.sh \\;', ['x.sh']],
  ['time sh x.sh | grep -q a', ['x.sh']],
  ['X=$(./x.sh)', ['x.sh']],
  ['D=./sub; "$D/z.sh"', ['sub', 'sub/z.sh']],
  ['cd sub && ./z.sh', ['sub', 'sub/z.sh', 'z.sh?']],
  ['awk \'{ system("./x.sh") }\'', ['x.sh']],
  ["sed '1e ./x.sh'", ['x.sh']],
  ['curl -d @data https://a.test/', ['data']],
  ['python3 x.py', ['os?', 'os.py?', 'x.py']],
  ['./x.py', ['os?', 'os.py?', 'x.py']],
  ['python3 sub/z.py', ['sub', 'sub/z.py']],
  ['python3 -m pkg', ['pkg', 'pkg.py?']],
  ['python3 <<EOF\nimport pkg.inner\nEOF', ['pkg.py?', 'pkg/__init__.py', 'pkg/inner?', 'pkg/inner.py']],
  ['node x.js', ['x.js']],
  ['node x', ['x?', 'x.js']],
  ['node root.mjs', ['lib/a.js', 'lib/b?', 'lib/b.js?', 'lib/b.json', 'root.mjs', 'y.sh']],
  ['node -e \'require("./lib/a.js")\'', ['lib/a.js', 'lib/b?', 'lib/b.js?', 'lib/b.json']],
  ['make', ['GNUmakefile?', 'Makefile', 'makefile?']],
  ['npx eslint', ['node_modules/.bin/eslint', 'node_modules/eslint/cli.js', 'node_modules/eslint/package.json?', 'package.json?']],
])('%s', (command, paths) => {
  expect(reached(command)).toEqual(paths);
});

test('a program that PATH finds in the project is reached, and so is a place before it', () => {
  const PATH = `${project.path('lib')}:bin:/usr/bin`;
  expect(reached('tool', { PATH })).toEqual(['bin', 'bin/tool', 'lib/tool?']);
  expect(textsOf(project.find('tool', { variables: { ...project.variables, PATH } }).reach.open)).toEqual([
    '"tool" may run code of the project that is not listed, such as plugins or its configuration.',
    'PATH finds the program "tool" in the project.',
  ]);
});

test.each<[string, string]>([
  ['cat "$X"', 'The word "\\"$X\\"" contains a variable or a command.'],
  ['$TOOL x', 'The word "$TOOL" contains a variable or a command.'],
  ['sh *.sh', 'The word "*.sh" is a pattern.'],
  ['~root/x.sh', 'The word "~root/x.sh" is the home directory of a user.'],
  ['cat x.sh | sh', '"cat x.sh | sh" runs an interpreter that reads its program from stdin.'],
  ['python3', '"python3" runs an interpreter that reads its program from stdin.'],
  ["echo 'a", '"echo \'a" cannot be read as a shell command line.'],
  ['eslint src', '"eslint" may run code of the project that is not listed, such as plugins or its configuration.'],
  ['git diff', '"git" may run code of the project that is not listed, such as plugins or its configuration.'],
  ['PATH=bin:$PATH; tool', '"PATH=bin:$PATH; tool" sets the variable PATH.'],
  ['BASH_ENV=x.sh ./x.sh', 'The variable BASH_ENV is set, which decides which code runs.'],
  ['env NODE_OPTIONS=-r/x ./x.sh', 'The variable NODE_OPTIONS is set, which decides which code runs.'],
  [
    'CLAUDE_PROJECT_DIR=sub; "$CLAUDE_PROJECT_DIR/z.sh"',
    '"CLAUDE_PROJECT_DIR=sub; \\"$CLAUDE_PROJECT_DIR/z.sh\\"" sets the variable CLAUDE_PROJECT_DIR.',
  ],
  ['read HOME; cat ~/x', '"read HOME; cat ~/x" sets the variable HOME.'],
  ['alias ls=./x.sh; ls', 'alias changes which commands run.'],
  ['node -r ./x.js lib/a.js', 'The option "-r" of node may load code that is not listed.'],
  ['cd - && ./x.sh', '"cd -" changes to a directory that is not known.'],
  ['ls | xargs sh', 'Words that are read from stdin are added to a command.'],
  ['find . -exec sh {} \\;', 'The word "{}" is a pattern.'],
  ["sed 's/a/b/e'", 'The word "\'s/a/b/e\'" of sed may run code that is not listed.'],
  ['sort --comp=./x.sh data', 'The word "--comp=./x.sh" of sort may run code that is not listed.'],
  ['awk -W exec x.awk', 'The word "-W" of awk may run code that is not listed.'],
  ['awk -bf x.awk', 'The word "-bf" of awk may run code that is not listed.'],
  ['jq -L sub .', 'The word "-L" of jq may run code that is not listed.'],
  ["python3 -c 'import subprocess'", 'It starts other programs.'],
  ["python3 -c 'import requests'", 'The Python module "requests" is neither in the project nor part of Python.'],
  [
    'python3 -m pkg',
    'Python may run compiled modules of __pycache__ in place of modules of the project. The compiled modules are not hashed.',
  ],
  ["node -e 'import(process.argv[1])'", 'It loads modules by name.'],
  ['node -e \'require("chalk")\'', 'It imports "chalk", which is in node_modules or elsewhere.'],
  ['ruby x.rb', 'It is unknown which files a program of ruby loads.'],
  ['node_modules/.bin/eslint .', '"node_modules/eslint/cli.js" is a package of node_modules, which is not listed.'],
  ['sudo --chdir=sub ./x.sh', 'sudo has options, so it is unknown which of its words is the command.'],
])('%s is open', (command, reason) => {
  expect(textsOf(project.find(command).reach.open)).toContain(reason);
});

test.each([
  './x.sh',
  'jq -r .tool_input.command | grep -q "rm -rf" && exit 2 || true',
  'echo "done" >> /tmp/log 2>&1',
  '[ -f data ] && cat data',
  'python3 x.py',
  'node x.js',
  `bash "${home('CLAUDE_PROJECT_DIR')}/x.sh" --strict`,
  "sed 's/a/b/g'",
  "sed -n '1,5p' data",
  "sed -E -e 's|^[a-z]+/||; s/[[:space:]]*$//' -e '/^#/d;$!N' data",
  "sed -i.bak -e '/a/ { s/b/\\/c/2; p; }' /tmp/a",
  "sed ':a;N;$!ba;s/\\n/ /g'",
  "sed '1i some text'",
  '[ -f data ]',
  'bash -c \'[[ -n "" && a == b ]]; [[ 3 -gt 2 ]]\'',
  'bash -c \'a=(a "b c"); declare -x b=(a b); let i=i+1; let "i = i * 2"; unset i\'',
  "printf '%s' x; read line; read -r -p 'a [y/n]? ' -t 5 answer; read -ra names",
  'for path in a b; do echo a; done',
  'sort -u -t: --check data',
  "awk '{print $1}'",
  "awk -F: -v n=2 '{ seen[$(NF - 1)]++ }' data",
  'grep -E "(^|[;&|\\`])sudo" data',
  "osx() { say done; }; osx || printf '%s' x >&2",
])('%s is not open', (command) => {
  expect(project.find(command).reach.open).toEqual([]);
});

test('what the working directory decides is noted', () => {
  const depends = (command: string) => project.find(command).reach.dependsOnDirectory;
  for (const command of ['./x.sh', 'sh x.sh', 'cat new.md', '"$PWD"/x.sh', 'npm test', "python3 -c 'import json'", 'cd sub && ./z.sh']) {
    expect([command, depends(command)]).toEqual([command, true]);
  }
  for (const command of ['echo hello', '"$CLAUDE_PROJECT_DIR"/x.sh', 'jq -r .x /etc/hosts'])
    expect([command, depends(command)]).toEqual([command, false]);
});

test('a usual guard is not open, whatever its data', () => {
  const guard = `#!/usr/bin/env bash
set -euo pipefail
input=$(cat)
cmd=$(echo "$input" | jq -r '.tool_input.command // empty')
fail() { echo "$1" >&2; exit 2; }
patterns=("rm -rf" "git push --force")
for pattern in "$${'{patterns[@]}'}"; do
  if [[ "$cmd" == *"$pattern"* ]]; then fail "refused: $pattern"; fi
done
case "$cmd" in
  *sudo*|su\\ *) fail "no root" ;;
  *) ;;
esac
n=0; while IFS= read -r line; do n=$((n + 1)); done <<< "$cmd"
exit 0
`;
  const own = new TestProject({ '.claude/hooks/guard.sh': guard });
  try {
    const { reach } = own.find('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh');
    expect(reach).toMatchObject({ open: [], refusals: [], dependsOnDirectory: false });
    expect(reach.entries.map(({ path }) => path)).toEqual(['.claude/hooks', '.claude/hooks/guard.sh']);
  } finally {
    own.remove();
  }
});

test.each([
  ['#!/bin/sh\ncount=$CLAUDE_PROJECT_DIR/state\ndate >> "$count"\nwc -l < "$count"\n', []],
  ['#!/bin/sh\ntouch state\ncat state\n', []],
  ['#!/bin/sh\n[ -f once ] && exit 0\ndate > once\n', []],
  ['#!/bin/sh\nls | tee ./state\ngrep -c x ./state\n', []],
  ['#!/bin/sh\ncat state\n', ['state']],
  ['#!/bin/sh\ndate > state\n. ./state\n', ['state']],
  ['#!/bin/sh\ndate > state\nsh state\n', ['state']],
])('what a script writes itself is not part of what is accepted, unless it runs it: %j', (script, reached) => {
  const own = new TestProject({ 'count.sh': script, state: 'one\n' });
  try {
    expect(own.find('./count.sh').reach.entries.flatMap(({ path }) => (path === 'count.sh' ? [] : [path]))).toEqual(reached);
  } finally {
    own.remove();
  }
});

test.each([
  '"$CLAUDE_PROJECT_DIR"/x.sh',
  `"${home('CLAUDE_PROJECT_DIR:-.')}"/x.sh`,
  `sh "${home('CLAUDE_PROJECT_DIR-$PWD')}/x.sh"`,
  `sh "${home('CLAUDE_PROJECT_DIR%/')}"/x.sh`,
  'sh "$(pwd)"/x.sh',
  'sh `pwd`/x.sh',
])('the usual ways to write the project directory are known: %s', (command) => {
  const { reach } = project.find(command);
  expect(reach.entries.map(({ path }) => path)).toContain('x.sh');
});

test('pwd after a change of the directory is not known', () => {
  expect(project.find('cd "$UNKNOWN" && sh "$(pwd)"/x.sh').reach.open).not.toEqual([]);
  expect(project.find('sh "$(pwd)"/x.sh').reach.dependsOnDirectory).toBe(true);
});

test('a function does not hide the program of the same name that it runs', () => {
  expect(project.find('tidy() { echo x; }; tidy').reach.open).toEqual([]);
  expect(textsOf(project.find('git() { command git --no-pager "$@"; }; git status').reach.open)).toContainEqual(
    expect.stringContaining('"git"'),
  );
});
