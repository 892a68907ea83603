import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';
import { callOf, TestedProject } from './tested-project.js';

let project: TestedProject;
beforeEach(() => {
  project = new TestedProject();
  project.writeHooks({ 'no-force': "cat >/dev/null; echo 'a force push was found' >&2; exit 2" });
});
afterEach(() => project.remove());

test('the help names each ending of a test file, and the case of --filter', async () => {
  const { stdout } = await runCli(['test', '--help'], { cwd: project.directory });
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('*.hook-test.yaml, *.hook-test.yml and *.hook-test.json');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('upper and lower case differ');
});

const one = 'name: a, event: BeforeTool';

test.each<[string, string, string[]]>([
  [
    'a status',
    `cases:\n- { ${one}, expect: { hooks: { mask: ok } } }`,
    [':2: cases[0].expect.hooks.mask is "ok". It must be succeeded, blocked, failed, timed-out, cancelled, skipped or detached.'],
  ],
  [
    'a misspelt field of expect',
    `cases:\n- { ${one}, expect: { verdct: none } }`,
    [':2: cases[0].expect has the unknown field "verdct". Did you mean "verdict"?'],
  ],
  ['expects', `cases:\n- { ${one}, expects: { verdict: none } }`, [':2: cases[0] has the unknown field "expects". Did you mean "expect"?']],
  ['no expectation', `cases:\n- { ${one} }`, [':2: cases[0].expect is missing. Write an object with what the case expects']],
  ['an empty expectation', `cases:\n- { ${one}, expect: {} }`, [':2: cases[0].expect: It is empty.']],
  ['no cases', 'cases: []', [':1: cases is an empty list. Write a list of at least one case']],
  ['an empty file', '', [':1: The file is empty. Write a list "cases"; each case has "name", "event", "input" and "expect".']],
  ['a list', '- a', [':1: The file is an array. Write a list "cases"; each case has']],
  [
    'a stop',
    `cases:\n- { ${one}, expect: { verdict: stop } }`,
    [':2: cases[0].expect.verdict is "stop". To expect a stop, write "stop: true".'],
  ],
  [
    'an unknown format',
    `dialect: latin\ncases:\n- { ${one}, expect: { verdict: none } }`,
    [':1: dialect is "latin". Known dialects: llxprt, claude-code,'],
  ],
  [
    'a misspelt format',
    `dialect: claud\ncases:\n- { ${one}, expect: { verdict: none } }`,
    [':1: dialect is "claud". Did you mean "claude-code"?'],
  ],
  [
    'a project',
    `cases:\n- { ${one}, expect: { verdict: none } }\nproject: nowhere`,
    [':3: project is "nowhere". ', ' nowhere does not exist.'],
  ],
  [
    'settings',
    `cases:\n- { ${one}, expect: { verdict: none } }\nsettings:\n- settings.json\n- gone.json`,
    [':5: settings[1] is "gone.json". ', ' gone.json does not exist.'],
  ],
])('%s that is wrong is reported once, at its line', async (_, text, messages) => {
  project.write('a.hook-test.yaml', text);
  const { status, stdout } = await project.runFiles();
  for (const message of messages) expect(stdout).toContain(message);
  expect(stdout.match(/✗ a\.hook-test\.yaml/g)).toHaveLength(1);
  expect(stdout).toContain(`✗ a.hook-test.yaml${messages[0]}`);
  expect(stdout).not.toMatch(/--dialect|--cwd|--settings/);
  expect(status).toBe(1);
});

test('an unknown event is one sentence at the line of the event', async () => {
  project.write(
    'a.hook-test.yaml',
    'settings: settings.json\ncases:\n  - name: a\n    event: BeforeTol\n    expect: { verdict: none }\n  - name: b\n    event: PreToolUse\n    expect: { verdict: none }\n',
  );
  const { stdout } = await project.runFiles();
  expect(stdout).toContain('✗ a  a.hook-test.yaml:4\n    There is no event "BeforeTol". Did you mean "BeforeTool"?\n');
  expect(stdout).toContain('✗ b  a.hook-test.yaml:7\n    There is no event "PreToolUse".');
  expect(stdout).toMatch(/PreToolUse.*\bdialect: claude-code\b/);
  expect(stdout).not.toContain('unsupported_event');
});

test('the name of a hook that is nearly right is suggested', async () => {
  const { stdout } = await project.run([
    callOf('no-force', { verdict: 'deny', by: 'no-forc', reason: 'force' }),
    callOf('no-force', { hooks: { 'no-forc': 'blocked' }, reason: 'force' }),
  ]);
  expect(stdout).toContain('by: expected ["no-forc"], received ["no-force"]\n      Did you mean "no-force"?\n');
  expect(stdout).toContain('hooks.no-forc: expected blocked, received (none)\n      Did you mean "no-force"?\n');
});

test.each<[unknown, string]>([
  ['force pushes', 'a reason that contains "force pushes"'],
  [{ equals: 'a force' }, 'the reason "a force"'],
  [{ matches: '^force' }, 'a reason in which /^force/ is found'],
])('the expected reason %j is described', async (reason, described) => {
  const { stdout } = await project.run([callOf('no-force', { reason })], '--junit', join(project.directory, 'out.xml'));
  expect(stdout).toContain(`    reason: expected ${described}, received "a force push was found"\n`);
  const none = await project.run([{ ...callOf('other', { reason }) }]);
  expect(none.stdout).toContain(`reason: expected ${described}, received (none)\n`);
});

test('a path of a rewrite that leaves out the field of the input is corrected', async () => {
  const answer = { hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { content: 'b' } } };
  project.writeHooks({ mask: `cat >/dev/null; echo '${JSON.stringify(answer)}'`, quiet: 'cat >/dev/null' });
  for (const tool of ['mask', 'quiet']) {
    const one = { name: tool, event: 'BeforeTool', input: { tool_name: tool, tool_input: { content: 'a' } } };
    const { stdout } = await project.run([{ ...one, expect: { rewrites: { content: 'b' } } }]);
    expect(stdout).toContain('      Paths begin with a field of the input. Write "tool_input.content".\n');
  }
});

test('--json and JUnit have the line of a problem in a field of its own', async () => {
  project.write('a.hook-test.yaml', 'cases:\n- { name: a, event: BeforeTool, expect: {} }\n');
  const report = join(project.directory, 'out.xml');
  const { stdout } = await project.runFiles('--json', '--junit', report);
  const file = join(project.directory, 'a.hook-test.yaml');
  expect(JSON.parse(stdout).files[0]).toMatchObject({
    file,
    problems: [expect.stringContaining(`${file}:2: cases[0].expect: It is empty.`)],
    problemPlaces: [{ line: 2, message: expect.stringMatching(/^cases\[0\]\.expect: It is empty\./) }],
  });
  expect(readFileSync(report, 'utf8')).toContain(`<testcase name="(file)" classname="${file}" file="${file}" line="2"><error>`);
});
