import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookCommand } from '../../src/reach/command/read-command.js';
import { hasUnknownCode } from '../../src/reach/open-reasons.js';
import { TestProject } from './project.js';

let project: TestProject;

beforeAll(() => {
  project = new TestProject({
    '.hooks/x.sh': '#!/bin/sh\ntrue\n',
    '.hooks/x.py': 'import os\n',
    'README.txt': 'words\n',
    'src/a.ts': '',
    'sub/package.json': '{}',
    'node_modules/tool/package.json': '{}',
    'node_modules/@scope/other/package.json': '{}',
  });
  const write = (path: string, text: string) => {
    mkdirSync(join(project.home, path, '..'), { recursive: true });
    writeFileSync(join(project.home, path), text, { mode: 0o755 });
  };
  write('bin/wrap.sh', '#!/bin/sh\nexec sh "$CLAUDE_PROJECT_DIR/.hooks/x.sh"\n');
  write('bin/outer.sh', '#!/usr/bin/env bash\nset -eu\nsource "$(dirname "$0")/lib.sh"\nrun\n');
  write('bin/lib.sh', 'run() { "$CLAUDE_PROJECT_DIR"/.hooks/x.sh; }\n');
  write('bin/patterns.sh', '#!/bin/sh\nfor hook in .hooks/*.sh; do sh "$hook"; done\n');
  write(
    'bin/format.sh',
    '#!/bin/sh\nfile=$(jq -r .tool_input.file_path)\ncase "$file" in *.ts) prettier --write "$file" ;; esac\ncat README.txt\neval "$(cat)"\n',
  );
  write('bin/guard.py', 'import json, os\nos.system("sh .hooks/x.sh")\n');
  write('hooks/all/one.sh', 'true\n');
});

afterAll(() => project.remove());

/** Whether a person is asked about a hook of the user with this command: it runs files of the project, or what it runs is unknown. */
const asks = (command: HookCommand | string) => {
  const variables = { ...project.variables, PATH: `${join(project.home, 'bin')}:/usr/bin:/bin` };
  const { entries, open, refusals } = project.find(command, { variables, isOwn: true }).reach;
  expect(refusals).toEqual([]);
  return hasUnknownCode(open) || entries.some(({ kind }) => kind !== 'absent');
};
const braces = (text: string) => text.replaceAll('$<', '$\u007b').replaceAll('>$', '\u007d');

test.each<[string, string]>([
  ['a pattern', 'sh .hooks/*.sh'],
  ['a pattern below the project directory', 'bash "$CLAUDE_PROJECT_DIR"/.hooks/*.sh'],
  ['a pattern that may lead into the project', 'sh ~/../*/.hooks/x.sh'],
  ['a loop', 'for f in .hooks/*.sh; do sh "$f"; done'],
  ['a loop over several places', braces('for f in ~/hooks/*.sh .hooks/*.sh; do bash "$<f>$"; done')],
  ['a loop that runs each file', 'for f in .hooks/*; do "$f"; done'],
  ['a loop over the output of a command', 'for f in $(ls .hooks); do sh ".hooks/$f"; done'],
  ['a loop of read', 'ls .hooks | while read -r f; do sh ".hooks/$f"; done'],
  ['braces', "bash -c '{.,.hooks/x.sh}'"],
  ['find', "find . -name 'x.sh' -exec sh {} \\;"],
  ['find with the file as the program', "find .hooks -type f -exec '{}' +"],
  ['find and a shell', "find . -name 'x.*' -exec sh -c 'sh \"$1\"' _ {} \\;"],
  ['xargs', 'ls .hooks/*.sh | xargs -n1 sh'],
  ['xargs with a place', 'ls .hooks/*.sh | xargs -I{} bash {}'],
  ['xargs with a place in code', "ls .hooks/*.sh | xargs -I % sh -c 'sh %'"],
  ['xargs that takes the program', 'echo .hooks/x.sh | xargs'.concat(' env')],
  ['parallel', 'ls .hooks/*.sh | parallel sh {}'],
  ['the top directory of git', 'sh "$(git rev-parse --show-toplevel 2>/dev/null || pwd)"/.hooks/x.sh'],
  ['a change into the top directory of git', 'cd "$(git rev-parse --show-toplevel)" && ./.hooks/x.sh'],
  ['a runner in an unknown directory', 'cd "$DIR" && npm test'],
  ['a runner with a directory', 'npm --prefix=sub run lint'],
  ['a runner with an unknown directory', 'make -C "$DIR"'],
  ['a package runner with an unknown program', 'npx --no-install "$TOOL"'],
  ['tests', 'pytest -q'],
  ['an installed package', 'npx -y tool@3 --check .'],
  ['an installed package with a scope', 'npx -y @scope/other@^1.2 check'],
  ['an installed package of an option', 'npx --package=tool@3 run'],
  ['the directory of find', 'find . -name package.json -execdir npm run -s lint \\;'],
  ['a script in the directory of find', 'find . -name pom.xml -execdir ./lint.sh \\;'],
  ['a question of find', 'find . -okdir make -s \\;'],
  ['run-parts', 'run-parts --regex . .hooks'],
  ['run-parts with a variable', 'run-parts "$FOLDER"'],
  ['a pattern that may give options of sed', "sed -n '/TODO/p' *.md"],
  ['a pattern that may give options of node', "node -e 'process.argv.length' *"],
  ['eval', 'eval "$CODE"'],
  ['eval of a file', 'eval "$(cat .hooks/x*)"'],
  ['a variable as the program', '"$TOOL" --check'],
  ['a variable as the script', 'python3 "$TOOL"'],
  ['a variable as the script behind --', 'sh -- "$TOOL"'],
  ['a variable as code', 'node -e "$CODE"'],
  ['a variable as a module', 'python3 -m "$NAME"'],
  ['a pattern of Python', 'python3 .hooks/*.py'],
  ['a variable that is sourced', '. "$FILE"'],
  ['the output of a command that is sourced', 'source <(cat .hooks/*)'],
  ['a pipe into a shell', 'cat .hooks/* | sh'],
  ['a file that is written first', 'cat .hooks/* > /tmp/all-hooks.sh; sh /tmp/all-hooks.sh'],
  ['awk', 'ls .hooks | awk \'{ system("sh .hooks/" $0) }\''],
  ['PATH', 'PATH="$CLAUDE_PROJECT_DIR/.hooks:$PATH" x.sh'],
  ['BASH_ENV', 'BASH_ENV="$FILE" bash -c true'],
  ['a wrapper with a lock', 'flock /tmp/lock sh "$FILE"'],
  ['a wrapper that is not known', 'entr-like --now -- sh "$FILE"'],
  ['a program of Python that starts others', `python3 -c 'import glob, os; [os.system("sh " + f) for f in glob.glob(".hooks/*.sh")]'`],
  ['a line that cannot be read', "echo 'a"],
  ['a test of the output of a command', 'n=$(cat .c*); [[ $n -gt 3 ]]'],
  ['arithmetic over the output of a command', 'n=$(grep -rhm1 LIMIT . | cut -d= -f2); (( n > 3 ))'],
  ['a quoted word in a test', 'v=$(ls | head -1); [[ "$v" -eq 1 ]]'],
  ['let with the output of a command', 'n=$(cat .c); let "m = n + 1"'],
  ['the output of a command in arithmetic', 'echo $(( $(cat .c) + 1 ))'],
  ['a number that is declared', 'declare -i n=$(cat .c)'],
  ['a prompt', braces('y=$(cat .c); echo "$<y@P>$"')],
  ['a script of the user', '~/bin/wrap.sh'],
  ['a script of the user with an argument', 'bash ~/bin/wrap.sh "$FILE"'],
  ['a script of the user that PATH finds', 'wrap.sh'],
  ['a script of the user that sources another one', '~/bin/outer.sh'],
  ['a script of the user with a pattern', 'timeout 5 ~/bin/patterns.sh'],
])('a hook of the user is asked about if %s decides what it runs', (_, command) => {
  expect(asks(command)).toBe(true);
});

test.each([
  ['just lint', 'JUSTFILE'],
  ['task lint', 'taskfile.dist.yml'],
  ['pnpm run lint', 'package.yaml'],
  ['pnpm run lint', 'package.json5'],
  ['mise run lint', '.config/mise/config.toml'],
  ['uv run ~/x.py', '.python-version'],
  ['bun ~/x.ts', '.env'],
])('a hook of the user is asked about if %s finds %s', (command, manifest) => {
  const path = project.path(manifest);
  expect(asks(command)).toBe(false);
  project.write(manifest, '');
  expect(asks(command)).toBe(true);
  rmSync(path);
});

test.each([
  'jq -r .tool_input.command >> ~/.claude/bash-log.txt',
  `jq -r '"\\(.tool_input.command) - \\(.tool_input.description // "none")"' >> ~/.claude/log.txt`,
  'jq "$FILTER" /etc/hosts',
  'n=$(wc -l < /etc/hosts); [ "$n" -gt 3 ]',
  'n=$(cat /etc/hostname); [ "$n" -gt 3 ] && [[ $n == x ]]',
  'lines=$(wc -l < /etc/hosts); count=$(( lines + 1 )); echo $count',
  'start=$(date +%s); echo $(( start + 60 ))',
  'n=$(git status --porcelain | wc -l | tr -d " "); [[ $n -gt 3 ]] || true',
  'n=3; (( n > 2 )) && echo many',
  '~/bin/guard.py',
  'python3 ~/bin/guard.py "$FILE"',
  'python3 "$HOME/.claude/hooks/not-there.py"',
  '~/bin/format.sh',
  '/usr/bin/env "$HOME"/bin/guard.py --strict',
  '/usr/bin/true "$FILE"',
  'node ~/.claude/hooks/guard.js "$CLAUDE_TOOL_INPUT"',
  'my-guard --event PreToolUse "$FILE"',
  'notify-send "Agent" "Waits for $USER"',
  `osascript -e 'display notification "Done" with title "Agent"'`,
  'osascript -e "display notification \\"$(jq -r .message)\\" with title \\"Agent\\""',
  'afplay /System/Library/Sounds/Glass.aiff & disown',
  `input=$(cat); file=$(echo "$input" | jq -r .tool_input.file_path); [[ "$file" == *.ts || "$file" == *.tsx ]] && prettier --write "$file"`,
  'jq -r .tool_input.file_path | xargs prettier --write',
  'jq -r .tool_input.file_path | xargs -r -n1 gofmt -w',
  'jq -r .tool_input.file_path | xargs -I{} black --quiet {}',
  `jq -r .tool_input.file_path | { read -r f; if echo "$f" | grep -q '\\.py$'; then ruff check "$f"; fi; }`,
  `jq -r .tool_input.file_path | xargs sed -i 's/[ \\t]*$//'`,
  'jq -r .tool_input.file_path | xargs npx prettier --write',
  'npx -y prettier --write "$FILE"',
  'uv run --script ~/.claude/hooks/guard.py "$FILE"',
  'uvx ruff check "$FILE"',
  `python3 -c "import json, sys; d = json.load(sys.stdin); sys.exit(2 if '.env' in d['tool_input']['file_path'] else 0)"`,
  'go vet ./...',
  'perl -pi -e "s/ +$//" "$FILE"',
  'git diff --stat; git -C "$DIR" status --short | head -n 5',
  'cd "$DIR" && git log -3',
  'cd "$CLAUDE_PROJECT_DIR" && git status',
  'PATH="$HOME/.local/bin:$PATH" my-guard',
  'export PATH="/opt/homebrew/bin:$HOME/.bun/bin:$PATH"; my-guard "$FILE"',
  'NODE_ENV=production PYTHONUNBUFFERED=1 python3 ~/bin/guard.py',
  'timeout -k 5 10 env -i LEVEL="$LEVEL" nice -n 5 ~/bin/guard.py "$FILE"',
  'for f in ~/hooks/all/*.sh; do bash "$f"; done',
  'for word in a b "$FILE"; do echo "$word"; done',
  'echo "$MESSAGE" | tee -a ~/log; exit 2',
  'if [ "$LEVEL" = "high" ]; then echo "{\\"decision\\":\\"block\\"}"; fi',
  'find . -name "*.tmp" -exec rm {} +',
  'curl -s -d "{\\"text\\":\\"$MESSAGE\\"}" https://chat.test/hook',
  'bash -c \'cat >> "$1"\' _ "$HOME/log"',
  'awk \'{ print $1 }\' "$FILE"',
  'say "$MESSAGE"; tput bel',
  "sed -n '/TODO/p' ./*.md",
  "sed -n '/TODO/p' -- *.md",
  'find . -name "*.tmp" -execdir rm {} +',
  'run-parts /etc/update-motd.d',
  'command -v jq >/dev/null || exit 0; jq -e . >/dev/null',
])('a usual hook of the user is not asked about: %s', (command) => {
  expect(asks(command)).toBe(false);
});

test('a script that a hook of the user may run is noticed when it appears', () => {
  const path = 'late/x.sh';
  writeFileSync(join(project.home, 'bin/late.sh'), `#!/bin/sh\ndir=$(jq -r .cwd)\n[ -x "$dir/${path}" ] && "$dir/${path}"\n`, {
    mode: 0o755,
  });
  for (const command of ['~/bin/late.sh', 'npx tool-of-project --check .']) {
    const file = project.path(command.startsWith('npx') ? 'node_modules/.bin/tool-of-project' : path);
    expect(asks(command)).toBe(false);
    const found = project.find(command, { isOwn: true });
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
    expect(found.look()).toBe('changed');
    expect(asks(command)).toBe(true);
    rmSync(file);
  }
});

test('the files of a pattern or a loop are reached, so a change of them is asked about', () => {
  for (const command of ['sh .hooks/*.sh', 'for f in .hooks/*.sh; do sh "$f"; done'])
    expect(project.entries(command)).toEqual(['folder .hooks']);
  expect(project.entries('sh "$(git rev-parse --show-toplevel)"/.hooks/x.sh')).toEqual(['folder .hooks', 'file .hooks/x.sh']);
});

test('what a script of the user runs is reached, and its own content is not', () => {
  const find = () => project.find('~/bin/outer.sh', { isOwn: true });
  const found = find();
  expect(found.reach.entries.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['folder .hooks', 'file .hooks/x.sh']);
  const contents = [...found.contents().values()].map((bytes) => Buffer.from(bytes).toString('utf8'));
  expect(contents).toContain('#!/bin/sh\ntrue\n');
  expect(contents).not.toContainEqual(expect.stringContaining('CLAUDE_PROJECT_DIR'));
  // What is unknown about the user's own script causes no question.
  expect(found.reach.open).toEqual([]);
  writeFileSync(join(project.home, 'bin/lib.sh'), 'run() { "$CLAUDE_PROJECT_DIR"/.hooks/x.sh; }\n# a comment\n');
  expect(found.look()).toBe('same');
  writeFileSync(join(project.home, 'bin/lib.sh'), 'run() { "$CLAUDE_PROJECT_DIR"/other.sh; }\n');
  expect(found.look()).toBe('changed');
  expect(find().reach.entries.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['absent other.sh']);
});

test('scripts outside of the project are not read for a hook of the repository', () => {
  expect(project.find('~/bin/wrap.sh').reach.entries).toEqual([]);
});
