import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCli } from '../../support/run-cli.js';
import { startCli } from '../../support/running-cli.js';
import { until } from '../../support/until.js';

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'hook-tests-'));
  write('settings.json', JSON.stringify(settings));
  write('guard.sh', "if grep -q 'rm -rf'; then echo 'no rm -rf here' >&2; exit 2; fi\n");
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const rewrite = { hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { path: 'b.txt' } } };
const settings = {
  hooks: {
    BeforeTool: [
      { matcher: 'run_*', hooks: [{ name: 'guard', command: 'bash guard.sh' }] },
      { matcher: 'write_*', hooks: [{ name: 'rewriter', command: `echo '${JSON.stringify(rewrite)}'` }] },
      { matcher: 'broken', hooks: [{ name: 'crasher', command: 'echo oh no >&2; exit 1' }] },
    ],
    SessionStart: [{ hooks: [{ name: 'greeter', command: 'echo \'{"hookSpecificOutput":{"additionalContext":"Be kind."}}\'' }] }],
  },
};

function write(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

const shell = (command: string) => ({ event: 'BeforeTool', input: { tool_name: 'run_shell_command', tool_input: { command } } });
const writes = { event: 'BeforeTool', input: { tool_name: 'write_file', tool_input: { path: 'a.txt' } } };
const start = { event: 'SessionStart', input: { source: 'startup' } };
const denied = { name: 'a deny', ...shell('rm -rf /'), expect: { verdict: 'deny', by: 'guard', reason: 'no rm' } };

/** Writes a file of cases, and runs it. */
function runCases(cases: readonly object[], ...flags: string[]) {
  write('a.hook-test.json', JSON.stringify({ settings: 'settings.json', cases }));
  return runCli(['test', ...flags], { cwd: project });
}

test('a YAML file with cases that pass: one line each, the counts, exit status 0', async () => {
  write(
    'hooks/guard.hook-test.yaml',
    `settings: ../settings.json
project: ..
cases:
  - name: refuses to delete everything
    event: BeforeTool
    input: { tool_name: run_shell_command, tool_input: { command: rm -rf / } }
    expect: { verdict: deny, by: guard, reason: { equals: no rm -rf here } }
  - name: has no opinion about ls
    event: BeforeTool
    input: { tool_name: run_shell_command, tool_input: { command: ls } }
    expect: { verdict: none, rewrites: {}, hooks: { guard: succeeded } }
`,
  );
  const { status, stdout, stderr } = await runCli(['test'], { cwd: project });
  expect(stdout.replaceAll(/[\d.]+ m?s$/gm, 'N ms')).toBe(
    '✓ refuses to delete everything  N ms\n✓ has no opinion about ls  N ms\n\n2 passed, 0 failed\n',
  );
  expect([status, stderr]).toEqual([0, '']);
});

test('the name of an event and its input can be those of the agent whose settings are tested', async () => {
  const command = `jq -e '.tool_name == "Bash"' >/dev/null && { echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'; }`;
  write('claude.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } }));
  const input = { tool_name: 'Bash', tool_input: { command: 'ls' } };
  const cases = [{ name: 'asks', event: 'PreToolUse', input, expect: { verdict: 'ask' } }];
  write('claude.hook-test.json', JSON.stringify({ settings: ['claude.json'], dialect: 'claude-code', cases }));
  expect(await runCli(['test', 'claude.hook-test.json'], { cwd: project })).toMatchObject({ status: 0, stderr: '' });
});

test('compares each field that a case names, and reports hooks that failed', async () => {
  const rows: [string, object, string[]][] = [
    ['the verdict', { ...shell('ls'), expect: { verdict: 'deny' } }, ['verdict']],
    ['a stop', { ...shell('ls'), expect: { stop: true } }, ['stop']],
    ['the reason', { ...shell('rm -rf /'), expect: { reason: 'something else' } }, ['reason']],
    ['a reason that is only a part', { ...shell('rm -rf /'), expect: { reason: { equals: 'no rm' } } }, ['reason']],
    ['a reason that a pattern finds', { ...shell('rm -rf /'), expect: { reason: { matches: '^no \\w+' } } }, []],
    ['a reason that a pattern does not find', { ...shell('rm -rf /'), expect: { reason: { matches: '^rm' } } }, ['reason']],
    ['who decided', { ...shell('rm -rf /'), expect: { by: ['guard', 'other'] } }, ['by']],
    ['a rewrite', { ...writes, expect: { rewrites: { 'tool_input.path': 'b.txt' } } }, []],
    ['another value', { ...writes, expect: { rewrites: { 'tool_input.path': 'c.txt' } } }, ['rewrites']],
    ['a rewrite where none is expected', { ...writes, expect: { rewrites: {} } }, ['rewrites']],
    ['context', { ...start, expect: { context: 'kind' } }, []],
    ['other context', { ...start, expect: { context: 'cruel' } }, ['context']],
    ['a status', { ...writes, expect: { hooks: { rewriter: 'blocked' } } }, ['hooks.rewriter']],
    ['a hook that is not configured', { ...writes, expect: { hooks: { other: 'failed' } } }, ['hooks.other']],
    [
      'a hook that fails',
      { event: 'BeforeTool', input: { tool_name: 'broken', tool_input: {} }, expect: { verdict: 'none' } },
      ['hooks.crasher'],
    ],
    [
      'a failure that is expected',
      { event: 'BeforeTool', input: { tool_name: 'broken', tool_input: {} }, expect: { hooks: { crasher: 'failed' } } },
      [],
    ],
    ['an event without hooks', { event: 'AfterAgent', input: {}, expect: { verdict: 'none' } }, ['hooks']],
    ['an event that does not exist', { event: 'BeforeTol', input: {}, expect: { verdict: 'none' } }, ['response']],
    ['an input that is refused', { event: 'SessionStart', input: { source: 7 }, expect: { verdict: 'none' } }, ['response']],
  ];
  const { stdout } = await runCases(
    rows.map(([name, one]) => ({ name, ...one })),
    '--json',
  );
  const found: { name: string; differences: { field: string }[] }[] = JSON.parse(stdout).files[0].cases;
  expect(found.map(({ name, differences }) => [name, differences.map(({ field }) => field)])).toEqual(
    rows.map(([name, , fields]) => [name, fields]),
  );
});

test('a case that fails shows its place and each difference; long values are a line diff', async () => {
  const content = ['one', 'two', 'three'].join('\n');
  const cases = [
    { name: 'the path', ...writes, expect: { verdict: 'deny', rewrites: { 'tool_input.path': 'c.txt' } } },
    { name: 'the content', ...writes, expect: { rewrites: { 'tool_input.path': 'b.txt', 'tool_input.content': content } } },
  ];
  const { status, stdout } = await runCases(cases);
  expect(status).toBe(1);
  expect(stdout).toContain('✗ the path  a.hook-test.json:1\n    verdict: expected deny, received none\n');
  expect(stdout).toContain('    rewrites: expected {"tool_input.path":"c.txt"}, received {"tool_input.path":"b.txt"}\n');
  expect(stdout).toContain(
    '    rewrites\n        {\n      -   "tool_input.path": "b.txt",\n      -   "tool_input.content": "one\\ntwo\\nthree"\n      +   "tool_input.path": "b.txt"\n        }\n',
  );
  expect(stdout).toContain('\n0 passed, 2 failed\n');
});

test('a pipe and a device are not read, because reading them may never end', async () => {
  const { status, stdout } = await runCli(['test', '/dev/null'], { cwd: project });
  expect([status, stdout]).toEqual([1, expect.stringContaining('/dev/null: The file must be a regular file.')]);
});

test('a file that is not UTF-8 and a file that is much too large are not used', async () => {
  const write = (name: string, content: Buffer | string) => writeFileSync(join(project, name), content);
  write('latin.hook-test.yaml', Buffer.from('cases:\n  - name: caf\u00e9\n', 'latin1'));
  write('large.hook-test.yaml', '#'.repeat(16 * 2 ** 20 + 1));
  const { status, stdout } = await runCli(['test', 'latin.hook-test.yaml', 'large.hook-test.yaml'], { cwd: project });
  expect(status).toBe(1);
  expect(stdout).toContain('latin.hook-test.yaml:2: The file is not valid UTF-8. Save it as UTF-8.');
  expect(stdout).toContain('large.hook-test.yaml: The file has 16777217 bytes, and a test file may have 16777216.');
});

test.each<[string, string, string]>([
  [
    'several documents',
    'cases: []\n---\ncases: []',
    'a.hook-test.yaml:2: The file is not valid YAML or JSON: it has several documents, with a line "---" between them.',
  ],
  ['no YAML', 'cases: [', 'a.hook-test.yaml:1: The file is not valid YAML or JSON: '],
  ['no cases', 'settings: settings.json', 'a.hook-test.yaml:1: cases is missing. Write a list of at least one case'],
  [
    'a misspelt field',
    'cases:\n  - name: a\n    event: BeforeTool\n    expekt: {}\n    expect: { verdict: deny }',
    'a.hook-test.yaml:4: cases[0] has the unknown field "expekt". Did you mean "expect"?',
  ],
  [
    'an unknown verdict',
    'cases:\n  - name: a\n    event: BeforeTool\n    expect:\n      verdict: denied',
    'a.hook-test.yaml:5: cases[0].expect.verdict is "denied". It must be none, allow, ask or deny.',
  ],
  [
    'a case that expects nothing',
    'cases:\n  - name: a\n    event: BeforeTool\n    expect: {}',
    'a.hook-test.yaml:4: cases[0].expect: It is empty.',
  ],
  [
    'an invalid pattern',
    'cases:\n  - name: a\n    event: BeforeTool\n    expect:\n      reason:\n        matches: "("',
    'a.hook-test.yaml:6: cases[0].expect.reason.matches is not a valid regular expression: ',
  ],
  [
    'two cases of one name',
    'cases:\n  - &a { name: a, event: BeforeTool, expect: { verdict: deny } }\n  - *a',
    'Two cases have the name "a". Rename one.',
  ],
  [
    'settings that do not exist',
    'settings: missing.json\ncases: [{ name: a, event: BeforeTool, expect: { verdict: deny } }]',
    'missing.json',
  ],
  [
    'a project that does not exist',
    'project: missing\ncases: [{ name: a, event: BeforeTool, expect: { verdict: deny } }]',
    'does not exist',
  ],
])('%s: the file and line, what is wrong, what to write; other files are tested', async (_, text, message) => {
  write('a.hook-test.yaml', text);
  write('b.hook-test.json', JSON.stringify({ settings: 'settings.json', cases: [denied] }));
  const { status, stdout } = await runCli(['test'], { cwd: project });
  expect(stdout).toContain(message);
  expect(stdout).toContain('✓ a deny');
  expect(stdout).toMatch(/\n1 file could not be used\.\n1 passed, 0 failed\n$/);
  expect(status).toBe(1);
});

test('hooks of a project that are not trusted: no case runs, and the message says what to do', async () => {
  write('.llxprt/settings.json', JSON.stringify({ tools: { enableHooks: true }, ...settings }));
  write('a.hook-test.json', JSON.stringify({ cases: [denied] }));
  const refused = await runCli(['test'], { cwd: project, trusts: false });
  expect(refused.stdout).toContain('Hooks of the project are not trusted, so they do not run: guard, rewriter');
  expect(refused.status).toBe(1);
  expect(await runCli(['test', '--trust-project'], { cwd: project })).toMatchObject({ status: 0 });
});

test('--filter selects by name, --junit writes a file, and texts of hooks are escaped', async () => {
  write(
    'settings.json',
    JSON.stringify({ hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: `printf '<b>\\033[31m&"' >&2; exit 2` }] }] } }),
  );
  const cases = [denied, { name: 'another <case>', ...shell('x'), expect: { reason: 'no' } }];
  const { status, stdout } = await runCases(cases, '--filter', 'another', '--junit', join(project, 'out.xml'));
  expect([status, stdout.includes('\u001b[31m')]).toEqual([1, false]);
  const xml = readFileSync(join(project, 'out.xml'), 'utf8');
  expect(xml).toContain('<testsuites name="tenterhook test" tests="1" failures="1" errors="0">');
  expect(xml).toContain('<testcase name="another &lt;case&gt;"');
  expect(xml).not.toMatch(/[\u0000-\u0008\u001b]|<b>|<a deny/);
});

test.each<[string, string[], number, RegExp]>([
  ['no test file', ['test'], 1, /There is no test file in .*hook-test\.yaml/],
  ['a path that does not exist', ['test', 'missing'], 64, /missing cannot be searched for tests/],
  ['an empty filter', ['test', '--filter', ''], 64, /--filter is empty/],
  ['--watch with --json', ['test', '--watch', '--json'], 64, /--watch .* cannot be used with --json/],
])('%s is an error', async (_, args, status, message) => {
  const ran = await runCli(args, { cwd: project });
  expect(ran.status).toBe(status);
  expect(ran.stderr.replaceAll(/\s+/g, ' ')).toMatch(message);
});

test('a filter that selects nothing, and a report that cannot be written, are errors', async () => {
  expect(await runCases([denied], '--filter', 'nothing')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('No case has a name'),
  });
  const unwritten = await runCases([denied], '--junit', join(project, 'missing', 'out.xml'));
  expect(unwritten).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot be written') });
});

test('--watch runs the cases again after a change of a hook, and ends with Ctrl-C', async () => {
  write('a.hook-test.json', JSON.stringify({ settings: 'settings.json', cases: [denied] }));
  // The hook writes a file beside the tests, which must not cause another run.
  write('guard.sh', 'echo run >> runs; echo "no rm" >&2; exit 2\n');
  const cli = startCli(['test', '--watch'], { cwd: project });
  const runs = () => readFileSync(join(project, 'runs'), 'utf8').split('\n').length - 1;
  await until('the first run and the watch', () => cli.stderr().includes('Watching'));
  expect(runs()).toBe(1);
  write('guard.sh', 'echo run >> runs; exit 0\n');
  await until('the second run', () => cli.stdout().includes('0 passed, 1 failed'));
  cli.kill('SIGINT');
  const { status, stdout } = await cli.ended;
  expect([status, runs()]).toEqual([130, 2]);
  expect(stdout).toMatch(/✓ a deny[\s\S]*1 passed, 0 failed[\s\S]*✗ a deny[\s\S]*0 passed, 1 failed/);
});

test('--watch also watches the settings that a file names, which may be in another directory', async () => {
  write('config/settings.json', JSON.stringify({ hooks: { BeforeTool: [] } }));
  write('tests/a.hook-test.json', JSON.stringify({ settings: '../config/settings.json', project: '..', cases: [denied] }));
  const cli = startCli(['test', '--watch', 'tests'], { cwd: project });
  await until('the first run and the watch', () => cli.stderr().includes('Watching 2 files'));
  write('config/settings.json', JSON.stringify(settings));
  await until('the second run', () => cli.stdout().includes('1 passed, 0 failed'));
  cli.kill('SIGINT');
  expect((await cli.ended).stdout).toMatch(/✗ a deny[\s\S]*0 passed, 1 failed[\s\S]*✓ a deny[\s\S]*1 passed, 0 failed/);
});
