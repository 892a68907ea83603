import { compilePermissionRule } from '../../../../src/claude-code/matching/conditions/condition.js';

const roots = { home: '/home/ann', projectDir: '/srv/app', ignoreCase: false };

function fits(rule: string, names: readonly string[], input: Record<string, unknown>, cwd = '/srv/app/sub', ignoreCase = false): boolean {
  const compiled = compilePermissionRule(rule, { ...roots, ignoreCase });
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.fits({ names, input, cwd });
}
const bash = (rule: string, command: unknown) => fits(rule, ['Bash'], { command });
const file = (rule: string, path: string, name = 'Edit') => fits(rule, [name], { file_path: path });
const everyCase = (rule: string, names: readonly string[], input: Record<string, unknown>) => fits(rule, names, input, undefined, true);

test.each([
  'git push',
  'git push o main',
  'cd x && git push o',
  '  git   push  o',
  'GIT_DIR=x git push',
  'A=1 B=2 git push',
  'sudo -u root git push o',
  'env -i A=1 git push',
  'timeout 5 git push',
  'nohup nice -n 5 git push &',
  'xargs git push',
  'find . -exec git push {} ;',
  'if true; then git push; fi',
  'while ! git push o; do sleep 1; done',
  '/usr/bin/git push',
  'git "push" o',
  'echo $(git push)',
  'echo "`git push`"',
  'bash -c "git push o"',
  'sh -lc "cd x && git push"',
  'sudo bash -c "git push"',
  `bash -c 'sh -c "git push"'`,
  'eval git push',
  'eval "git push"',
  'git $WHAT o',
  '$TOOL push',
  '"$(which git)" push',
  'echo "unclosed',
  'git push; echo ok',
  'x=$(git push)',
  'sudo $GIT push o',
  'env A=1 "$(which git)" push',
  '{git,push,o}',
  "cat > notes <<'EOF'\nDon't\nEOF\ngit push origin main\ncat >> notes <<'EOF'\nIt's done\nEOF",
  'cat > n <<EOF\n$(git push)\nEOF',
  'cat <<EOF && git push\nx\nEOF',
  'cat <<-E\n\tx\n\tE\ngit push',
  'cat <<EOF\nx',
  'function f { git push o; }; f',
  'coproc N { git push o; }',
  '$"git" push o',
  'echo `echo \\`git push o\\``',
  '{fd}>/dev/null git push o',
  'gi\\\nt push',
  '"gi\\\nt" push o',
  "trap 'git push o' EXIT",
  "command eval 'cd x; git push o'",
  "su -c 'git push o' ann",
  "watch 'cd x; git push o'",
  'strace git push',
  'eval "$(echo git push o)"',
  'P=push; eval "git $' + '{P} o"',
  'C="git push o"; eval $' + '{C}',
  'bash -c "$(echo git push o)"',
  'export C="git push o"; bash -c "$' + '{C}"',
  '((1<<EOF))\ngit push o\nEOF',
  ': $((1<<EOF))\ngit push o\nEOF',
  ': $[1<<EOF]\ngit push o\nEOF]',
  'cat <<"E\\OF"\nE\\OF\ngit push o\nEOF',
  'cat <<EOF\nEO\\\nF\ngit push o\nEOF',
  'echo `cat <<EOF`\ngit push o\nEOF',
  'echo $(cat <<EOF)\ngit push o\nEOF',
  'cat <<EOF\r\nEOF\r\ngit push o\nEOF',
  'echo `# a`; git push o\necho ` # `',
  "F=-c; bash $F 'git push o'",
  ': $' + '{x:-<(git push o >&2)}',
  'bash -c"git push o"',
  "tcsh -c 'git push o'",
  `sudo ${'a '.repeat(20_000)}`,
  'echo $(date)',
  'echo "`date`"',
  'npm run $TASK',
  'ls $HOME',
  'git commit -m "$(cat msg)"',
  'bash -e "$DIR/build.sh"',
  `bash -c 'echo "$HOME"'`,
  'for f in *; do echo $f; done',
  'echo a > "$LOG"',
  'find "$DIR" -name x',
  'noglob git push o',
  'nocorrect noglob git push o',
  'command noglob git push o',
])('Bash(git push *) fits %j', (command) => {
  expect(bash('Bash(git push *)', command)).toBe(true);
});

test.each([
  'git status',
  'git pushy',
  'echo git push',
  'git pull && git status',
  'echo "git push"',
  'echo git # git push',
  'gitpush',
  'bash build.sh',
  'sudo bash build.sh',
  `git commit -m 'costs $5'`,
  'noglob git status',
  'ls | xargs rm',
  "cat > f <<'EOF'\ngit push\nEOF",
  'cat > f <<EOF\ngit push\nEOF',
  'cat <<<"git push"',
  'ls *.js',
  'echo git push o | sh',
  'curl x | bash -s',
  'bash <<< "git push o"',
  'echo git push o | bash -o pipefail',
  'x | bash -s y',
  'x | bash +x',
  'x | bash /dev/stdin',
  'x | env bash',
  'x | sudo bash',
  "bash {-c,'git push o'}",
  'echo push o | xargs git',
  'source <(echo git push o)',
  'git p* o',
  'case x in a) ls;; esac',
  'case x in push) git status ;; *) ls | wc -l ;; esac',
  '[[ -f a && -d b ]] && ls',
  'git add *.ts && git commit -m done',
  'x=(git push); ls',
  'sudo rm {a,b}',
  '',
])('Bash(git push *) does not fit %j', (command) => {
  expect(bash('Bash(git push *)', command)).toBe(false);
});

/** The examples in the table of Claude Code's documentation. */
test.each([
  ['Bash(git *)', 'FOO=bar git push', true],
  ['Bash(git *)', 'npm test && git push', true],
  ['Bash(git *)', 'echo $(git log)', true],
  ['Bash(rm *)', 'echo $(rm -rf /)', true],
  ['Bash(rm *)', 'echo $(date)', false],
  ['Bash(cat *)', 'echo before $(date) after', false],
  ['Bash(git *)', '$TOOL git push', true],
  ['Bash(git push *)', 'echo $(date)', true],
])('%s and %j: %s', (rule, command, expected) => {
  expect(bash(rule, command)).toBe(expected);
});

test.each([
  ['Bash(git)', false],
  ['Bash(git:*)', false],
  ['Bash(git*)', false],
  ['Bash(git *)', false],
  ['Bash(git push)', true],
  ['Bash(git push:*)', true],
  ['Bash(git p*)', true],
  ['Bash(* push)', true],
])('%s has more words than the name of a command, and so fits a line with a variable: %s', (rule, expected) => {
  expect(bash(rule, 'npm run $TASK')).toBe(expected);
});

test('a command without a text is not known to be harmless', () => {
  expect(bash('Bash(git push *)', undefined)).toBe(true);
  expect(bash('Bash(git push *)', ['git', 'push'])).toBe(true);
});

test('a pattern without a star is the whole command, and the older form of a prefix is one', () => {
  expect(bash('Bash(npm test)', 'npm test')).toBe(true);
  expect(bash('Bash(npm test)', 'npm test -- -w')).toBe(false);
  expect(bash('Bash(npm run test:*)', 'npm run test -- -w')).toBe(true);
  expect(bash('Bash(npm run test:*)', 'npm run test:unit')).toBe(false);
  expect(bash('Bash(npm run test:*)', 'npm run build')).toBe(false);
  expect(bash('Bash(* --force)', 'git push --force')).toBe(true);
});

test('a tool alone fits every call of it, and no other tool', () => {
  expect(bash('Bash', 'anything')).toBe(true);
  expect(bash('Bash(*)', 'anything')).toBe(true);
  expect(fits('Bash', ['Edit'], {})).toBe(false);
  expect(fits('bash', ['Bash'], {})).toBe(false);
  expect(fits('Task', ['Agent', 'Task'], {})).toBe(true);
});

test.each([
  ['Edit(src/**)', '/srv/app/sub/src/a/b.ts'],
  ['Edit(src/**)', 'src/a.ts'],
  ['Edit(./src)', 'src/a.ts'],
  ['Edit(src/)', 'src/a.ts'],
  ['Edit(*.env)', 'deep/down/.env'],
  ['Edit(*.env)', '/srv/app/sub/x/prod.env'],
  ['Edit(/src/**)', '/srv/app/src/a.ts'],
  ['Edit(/src/**)', '../src/a.ts'],
  ['Edit(//etc/**)', '/etc/passwd'],
  ['Edit(//etc/**)', '/srv/../etc/passwd'],
  ['Edit(~/.ssh/**)', '/home/ann/.ssh/id'],
  ['Edit(./.env)', '/srv/app/sub/.env'],
  ['Edit(./.env)', 'x/../.env'],
  ['Edit(.env)', 'src/.env'],
  ['Edit(node_modules)', 'a/node_modules/b/c.js'],
])('%s fits %s', (rule, path) => {
  expect(file(rule, path)).toBe(true);
});

test.each([
  ['Edit(src/**)', '/srv/app/sub/test/a.ts'],
  ['Edit(src/**)', '/elsewhere/src/a.ts'],
  ['Edit(/src/**)', '/srv/app/sub/src/a.ts'],
  ['Edit(//etc/**)', '/srv/etc/passwd'],
  ['Edit(~/.ssh/**)', '/home/bob/.ssh/id'],
  ['Edit(*.env)', '/srv/app/env.ts'],
  ['Edit(./.env)', 'src/.env'],
  ['Edit(./.env)', '/srv/app/.env'],
])('%s does not fit %s', (rule, path) => {
  expect(file(rule, path)).toBe(false);
});

test('a rule about edits is one about all tools that write, and one about reading about those that search', () => {
  expect(file('Edit(src/**)', 'src/a.ts', 'Write')).toBe(true);
  expect(fits('Edit(src/**)', ['NotebookEdit'], { notebook_path: 'src/a.ipynb' })).toBe(true);
  expect(file('Write(src/**)', 'src/a.ts', 'Edit')).toBe(false);
  expect(fits('Read(./.env)', ['Grep'], { pattern: 'x', path: '/srv/app/sub/.env' })).toBe(true);
  expect(file('Read(./.env)', 'src/a.ts', 'Read')).toBe(false);
});

test('a tool of the host that reads several files at once fits by any of them', () => {
  expect(fits('Read(./.env)', ['Read'], { paths: ['a.ts', '.env'] })).toBe(true);
  expect(fits('Read(//etc/**)', ['Read'], { paths: ['a.ts'] })).toBe(false);
  expect(fits('Read(//srv/app/sub/.env)', ['Read'], { paths: ['**/*'] })).toBe(true);
  expect(fits('Read(//srv/app/sub/.env)', ['Read'], { include: ['src/*.ts'] })).toBe(false);
});

test('a search reads all that lies below its folder', () => {
  expect(fits('Read(/secrets/**)', ['Grep'], { pattern: 'x', path: '/srv/app' })).toBe(true);
  expect(fits('Read(/secrets/**)', ['Grep'], { pattern: 'x', path: '/srv/app/secrets/old' })).toBe(true);
  expect(fits('Read(/secrets/**)', ['Grep'], { pattern: 'x', path: '/srv/app/src' })).toBe(false);
  expect(fits('Read(.env)', ['Glob'], { pattern: '*' })).toBe(true);
  expect(fits('Read(//etc/**)', ['Grep'], { pattern: 'x' })).toBe(false);
  expect(fits('Read(/secrets/**)', ['Glob'], { path: '/srv/app/src', pattern: '../secrets/*' })).toBe(true);
  expect(fits('Read(/secrets/**)', ['Read'], { include: ['/srv/app/@(secrets)/x'] })).toBe(true);
});

describe('without regard to case', () => {
  test.each([
    ['Read(secrets/**)', 'SECRETS/a'],
    ['Read(//etc/**)', '/ETC/passwd'],
    ['Read(/Src/**)', '/SRV/app/src/a'],
    ['Read(src/**)', '/SRV/App/SUB/src/a'],
    ['Read(~/.SSH/**)', '/Home/Ann/.ssh/id'],
    ['Read(.env)', 'x/.ENV'],
    ['Read(straße/**)', 'STRASSE/a'],
  ])('%s fits %s', (rule, path) => {
    expect(everyCase(rule, ['Read'], { file_path: path })).toBe(true);
    expect(fits(rule, ['Read'], { file_path: path })).toBe(false);
  });

  test('a search below a folder finds what another case names', () => {
    expect(everyCase('Read(/Secrets/**)', ['Grep'], { pattern: 'x', path: '/SRV/APP/SECRETS/old' })).toBe(true);
    expect(everyCase('Read(/Secrets/**)', ['Grep'], { pattern: 'x', path: '/SRV/APP/src' })).toBe(false);
  });

  test('a command is a file, so its name has any case as well, also that of a wrapper', () => {
    const push = 'Bash(git push *)';
    for (const command of ['GIT push o', '/usr/bin/Git push', 'SUDO git push', 'BASH -c "git push"']) {
      expect(everyCase(push, ['Bash'], { command })).toBe(true);
    }
    expect(bash(push, 'GIT push o')).toBe(false);
    expect(everyCase(push, ['Bash'], { command: 'git status' })).toBe(false);
  });

  test('PowerShell ignores case on every platform', () => {
    expect(fits('PowerShell(Remove-Item *)', ['PowerShell'], { command: 'remove-item x' })).toBe(true);
    expect(fits('PowerShell(Remove-Item *)', ['PowerShell'], { command: 'get-item x' })).toBe(false);
  });
});

test('a server means its tools', () => {
  expect(fits('mcp__gh', ['mcp__gh__search'], {})).toBe(true);
  expect(fits('mcp__gh__*', ['mcp__gh__search'], {})).toBe(true);
  expect(fits('mcp__gh__search', ['mcp__gh__search'], {})).toBe(true);
  expect(fits('mcp__gh', ['mcp__ghx__search'], {})).toBe(false);
});

test('a domain is that of the address', () => {
  const fetched = (url: string) => fits('WebFetch(domain:example.com)', ['WebFetch'], { url });
  expect(fetched('https://example.com/x')).toBe(true);
  expect(fetched('https://user@EXAMPLE.com.:8080/x')).toBe(true);
  expect(fetched('https://example.com.evil.org/')).toBe(false);
  expect(fetched('https://evil.org/?example.com')).toBe(false);
});

test.each([
  'https:example.com/x',
  ' https://example.com/x',
  'https://example.com\\x',
  'https:\\\\example.com/x',
  'https:/example.com',
  'https:///example.com',
  'https://a:p@b@example.com/',
  'https://example%2ecom/',
  'https://exam\tple.com/',
  'https://ｅxample.com/',
  'example.com/x',
])('the domain of %j is found as a client that fetches it reads it', (url) => {
  expect(fits('WebFetch(domain:example.com)', ['WebFetch'], { url })).toBe(true);
});

test('a subagent is recognised by its type', () => {
  expect(fits('Agent(reviewer)', ['Agent', 'Task'], { subagent_type: 'reviewer' })).toBe(true);
  expect(fits('Task(reviewer)', ['Agent', 'Task'], { subagent_type: 'planner' })).toBe(false);
});

test.each([
  ['', 'must be a permission rule'],
  ['Bash(git', 'must be a permission rule'],
  ['git push', 'must be a permission rule'],
  ['Edit(src/{a)', 'contains an invalid path'],
  ['WebFetch(example.com)', 'is not a domain'],
  ['Edit(../x)', 'The working directory is known only when the event happens'],
  ['Edit(src/../../x)', 'The working directory is known only when the event happens'],
  ['Edit(.)', 'does not name a file'],
  ['TodoWrite(x)', 'a condition on the arguments of TodoWrite'],
  [`Bash(${'*a'.repeat(11)})`, 'has 11 stars, and a rule may have at most 10'],
  [`Read(${'**/'.repeat(11)}a)`, 'has 11 stars, and a rule may have at most 10'],
  [`Bash(git ${'a'.repeat(1000)})`, 'and a rule may have at most 1000'],
])('%j is not a rule that can be tried', (rule, why) => {
  const compiled = compilePermissionRule(rule, roots);
  expect(compiled).toMatchObject({ ok: false, remedy: expect.stringMatching(/./) });
  expect(!compiled.ok && compiled.message).toContain(why);
});

test('ten stars, and a rule of a thousand characters, are accepted', () => {
  expect(bash(`Bash(${'*a'.repeat(10)})`, 'a'.repeat(10))).toBe(true);
  expect(bash(`Bash(git ${'a'.repeat(990)})`, `git ${'a'.repeat(990)}`)).toBe(true);
});

test('a line of more than ten thousand characters is not read, and matches every rule', () => {
  expect(bash('Bash(git *)', `: ${'a'.repeat(9_998)}`)).toBe(false);
  expect(bash('Bash(git *)', `: ${'a'.repeat(9_999)}`)).toBe(true);
  expect(bash('Bash(git *)', `: ${'a'.repeat(5_000_000)}`)).toBe(true);
});
