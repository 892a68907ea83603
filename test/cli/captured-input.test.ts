import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import { freshDirectory } from '../support/fire-hooks.js';
import { formatNamed, formatNames } from '../support/formats.js';
import { runCli } from '../support/run-cli.js';

const cwd = freshDirectory('captured');
afterAll(() => rmSync(cwd, { recursive: true }));

/** Settings of a format with one hook on every event, which records its stdin. Hooks of several events may run for one input. */
function recording(dialect: string, events: readonly string[]): object {
  return formatNamed(dialect).settings(events.map((event) => ({ event, name: event, command: `cat > ${event}.json`, runsOnError: true })));
}

describe.each(formatNames)('%s', (dialect) => {
  const inputs = formatNamed(dialect).captured(cwd);
  const file = join(cwd, `${dialect}.json`);
  beforeAll(() => writeFileSync(file, JSON.stringify(recording(dialect, [...new Set(inputs.map(({ event }) => event))]))));

  test('there is an input of every event that the format has of its own', () => {
    const { events = {} } = defaultDialects().find(({ name }) => name === dialect) ?? {};
    // LLxprt's format also supports the events of Claude Code, and ECA's types have older names.
    const own = dialect === 'llxprt' ? inputs.map(({ eventName }) => eventName) : Object.values(events);
    expect(new Set(inputs.map(({ eventName }) => eventName))).toEqual(new Set(own));
  });

  test.each(inputs.map((input) => [input.event, JSON.stringify(input.stdin['tool_name'] ?? ''), input] as const))(
    '%s %s: a hook reads what was captured',
    async (event, _tool, { stdin, read = stdin }) => {
      const seenBy = join(cwd, `${event}.json`);
      rmSync(seenBy, { force: true });
      const args = ['fire', event, '--dialect', dialect, '--settings', file, '--cwd', cwd, '--json', '--input', '-'];
      const { status, stdout, stderr } = await runCli(args, { cwd, stdin: JSON.stringify(stdin) });
      // Not about this event: the command line passes no content before a file is read.
      const said = stderr.replace(/^tenterhook: warning: .* hooks\.beforeReadFile: .*\n/m, '');
      expect({ status, stderr: said, answer: JSON.parse(stdout) }).toMatchObject({ status: 0, stderr: '', answer: { success: true } });
      const seen = JSON.parse(readFileSync(seenBy, 'utf8'));
      // `timestamp` is that of the event that is fired, and not the captured one.
      const time = 'timestamp' in stdin ? { timestamp: seen.timestamp } : {};
      expect(seen).toEqual({ ...read, ...time, ...(dialect === 'eca' ? { hook_name: event } : {}) });
    },
  );
});

const claude = (name: string, matcher: string, command: string) => ({ [name]: [{ matcher, hooks: [{ type: 'command', command }] }] });

test.each([
  ['SessionStart', { source: 'compact' }, 'compact'],
  ['Stop', { stop_hook_active: false }, ''],
  ['Notification', { message: 'hi', notification_type: 'permission_prompt' }, 'permission_prompt'],
  ['SubagentStop', {}, ''],
  ['PostToolUseFailure', { tool_name: 'Bash', tool_input: {}, error: 'boom' }, 'Bash'],
  ['PostToolUse', { tool_name: 'Read', tool_input: { file_path: '/a' }, tool_response: 'text' }, 'Read'],
])(
  '%s of Claude Code, with the few fields that are typed by hand, runs the hook with the matcher of Claude Code',
  async (event, input, matcher) => {
    const project = join(cwd, event);
    mkdirSync(join(project, '.claude'), { recursive: true });
    writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks: claude(event, matcher, 'cat > seen.json') }));
    // Works with and without --dialect, because only Claude Code has settings here.
    for (const dialect of [['--dialect', 'claude-code'], []]) {
      const { status, stdout } = await runCli(['fire', event, ...dialect, '--input', JSON.stringify(input)], { cwd: project });
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('✓') });
      const seen = JSON.parse(readFileSync(join(project, 'seen.json'), 'utf8'));
      expect(seen).toMatchObject({ hook_event_name: event, ...('tool_response' in input ? {} : input) });
      rmSync(join(project, 'seen.json'));
    }
  },
);

test('canonical input stays as it is, field by field', async () => {
  const project = join(cwd, 'canonical');
  mkdirSync(join(project, '.claude'), { recursive: true });
  const hooks = { ...claude('SessionStart', 'compact', 'cat > seen.json'), ...claude('PreToolUse', 'Write', 'cat > seen.json') };
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks }));
  const fire = async (event: string, input: object) => {
    await runCli(['fire', event, '--dialect', 'claude-code', '--input', JSON.stringify(input)], { cwd: project });
    return JSON.parse(readFileSync(join(project, 'seen.json'), 'utf8'));
  };
  expect(await fire('SessionStart', { source: 'compress', model_name: 'm' })).toMatchObject({ source: 'compact', model: 'm' });
  const mixed = { tool_name: 'write_file', tool_input: { path: '/srv/a', content: '' } };
  expect(await fire('BeforeTool', mixed)).toMatchObject({ tool_name: 'Write', tool_input: { file_path: '/srv/a' } });
});

test('the working directory of another machine is replaced by the project, with a note', async () => {
  const project = join(cwd, 'elsewhere');
  mkdirSync(join(project, '.claude'), { recursive: true });
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks: claude('Stop', '', 'pwd > where') }));
  const input = { hook_event_name: 'Stop', cwd: '/no/such/place', stop_hook_active: false };
  const { status, stderr } = await runCli(['fire', 'Stop', '--input', JSON.stringify(input)], { cwd: project });
  expect(status).toBe(0);
  expect(stderr).toContain(`note: The working directory in --input, /no/such/place, does not exist. The hooks run in ${project}.`);
  expect(readFileSync(join(project, 'where'), 'utf8').trim()).toBe(project);
});

test.each([
  ['Notification', { notification_type: 'idle_prompt', message: 'Waiting.' }, { details: {} }],
  ['SubagentStop', { agent_id: 'a1' }, { agent_type: '' }],
])('%s needs no field that one of several formats does not have', async (event, input, defaults) => {
  const project = join(cwd, `several-${event}`);
  for (const folder of ['.claude', '.llxprt']) mkdirSync(join(project, folder), { recursive: true });
  const record = { hooks: [{ type: 'command', command: 'cat > seen.json' }] };
  writeFileSync(join(project, '.claude/settings.json'), '{}');
  writeFileSync(join(project, '.llxprt/settings.json'), JSON.stringify({ tools: { enableHooks: true }, hooks: { [event]: [record] } }));
  const { status, stdout } = await runCli(['fire', event, '--input', JSON.stringify(input)], { cwd: project, home: '/nowhere' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('✓') });
  expect(JSON.parse(readFileSync(join(project, 'seen.json'), 'utf8'))).toMatchObject({ ...input, ...defaults });
  const given = {
    ...input,
    ...Object.fromEntries(Object.keys(defaults).map((field) => [field, field === 'details' ? { id: 7 } : 'explore'])),
  };
  await runCli(['fire', event, '--input', JSON.stringify(given)], { cwd: project, home: '/nowhere' });
  expect(JSON.parse(readFileSync(join(project, 'seen.json'), 'utf8'))).toMatchObject(given);
});

test('the name of an event that one format has is refused where several have settings, and the message names the option', async () => {
  const project = join(cwd, 'two');
  for (const folder of ['.claude', '.gemini']) mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks: claude('PostToolUseFailure', '', 'true') }));
  writeFileSync(join(project, '.gemini/settings.json'), '{}');
  for (const command of ['fire', 'explain']) {
    const { status, stderr } = await runCli([command, 'PostToolUseFailure'], { cwd: project });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'The event "PostToolUseFailure" of Claude Code is called "AfterTool" in Tenterhook. Write that, or add --dialect claude-code',
    );
  }
});
