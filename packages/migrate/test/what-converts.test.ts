import { dialectNamed, migrated, portablesOf } from './portables.js';

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const claude = (event: string, hook: object, matcher?: string) => ({
  hooks: { [event]: [{ ...(matcher ? { matcher } : {}), hooks: [hook] }] },
});
const llxprt = (event: string, hook: object, group: object = {}) => ({ hooks: { [event]: [{ ...group, hooks: [hook] }] } });
const eca = (type: string, shell: string, more: object = {}) => ({
  hooks: { guard: { type, ...more, actions: [{ type: 'shell', shell }] } },
});

/** Returns the converted settings and the lost fields, or the reason why nothing is written. */
function outcome(from: string, to: string, settings: object) {
  const { value, placed } = migrated(dialectNamed(from), dialectNamed(to), settings);
  const lost = portablesOf(dialectNamed(from), settings).hooks.flatMap(({ losses }) => losses);
  const [first] = placed;
  if (first === undefined || 'cannot' in first) return first?.cannot;
  return { hooks: (value as { hooks: object }).hooks, lost: [...lost, ...first.losses].map(({ field }) => field) };
}

test('seconds become milliseconds, and a default that other settings do not have is written', () => {
  const five = claude('PreToolUse', command('x', { timeout: 5 }));
  expect(outcome('claude-code', 'llxprt', five)).toEqual({
    hooks: { BeforeTool: [{ hooks: [command('x', { timeout: 5000 })] }] },
    lost: [],
  });
  const usual = claude('PreToolUse', command('x'));
  expect(outcome('claude-code', 'llxprt', usual)).toEqual({
    hooks: { BeforeTool: [{ hooks: [command('x', { timeout: 600_000 })] }] },
    lost: [],
  });
  const prompt = claude('UserPromptSubmit', command('x'));
  expect(outcome('claude-code', 'eca', prompt)).toMatchObject({ hooks: { 'preRequest-1': { actions: [{ type: 'shell', shell: 'x' }] } } });
  const end = claude('SessionEnd', command('x'));
  expect(outcome('claude-code', 'gemini-cli', end)).toMatchObject({ hooks: { SessionEnd: [{ hooks: [{ timeout: 1500 }] }] } });
  const ms = llxprt('BeforeTool', { command: 'x' });
  expect(outcome('llxprt', 'claude-code', ms)).toEqual({ hooks: { PreToolUse: [{ hooks: [command('x', { timeout: 60 })] }] }, lost: [] });
  expect(outcome('llxprt', 'gemini-cli', ms)).toEqual({ hooks: { BeforeTool: [{ hooks: [command('x')] }] }, lost: [] });
});

test('matchers of sessions go by the words of each agent', () => {
  const start = claude('SessionStart', command('x', { timeout: 60 }), 'startup|compact');
  expect(outcome('claude-code', 'llxprt', start)).toMatchObject({
    hooks: { SessionStart: [{ matcher: '^(startup|compress)$' }] },
    lost: [],
  });
  // Gemini CLI compares a list literally.
  expect(outcome('claude-code', 'gemini-cli', start)).toEqual({
    hooks: {
      SessionStart: [
        { matcher: 'startup', hooks: [command('x')] },
        { matcher: 'compress', hooks: [command('x')] },
      ],
    },
    lost: [],
  });
  expect(outcome('claude-code', 'eca', start)).toMatchObject({ hooks: { 'chatStart-1': { type: 'chatStart' } }, lost: ['matcher'] });
  const exit = llxprt('SessionEnd', { command: 'x' }, { matcher: 'exit' });
  // LLxprt searches for "exit" anywhere in the text, so "prompt_input_exit" matches too.
  expect(outcome('llxprt', 'claude-code', exit)).toMatchObject({
    hooks: { SessionEnd: [{ matcher: 'other|prompt_input_exit' }] },
    lost: ['matcher'],
  });
  const asked = claude('Notification', command('x'), 'permission_prompt');
  expect(outcome('claude-code', 'llxprt', asked)).toMatchObject({ hooks: { Notification: [{ matcher: '^ToolPermission$' }] }, lost: [] });
  expect(outcome('claude-code', 'gemini-cli', asked)).toMatchObject({ hooks: { Notification: [{ hooks: [{}] }] }, lost: ['matcher'] });
});

test('a resident hook stays resident, except where each event has another environment', () => {
  const resident = { command: 'x', mode: 'resident' };
  const before = llxprt('BeforeTool', resident);
  for (const to of ['claude-code', 'gemini-cli', 'eca']) {
    expect(outcome('llxprt', to, before)).toMatchObject({ lost: [] });
    const { value } = migrated(dialectNamed('llxprt'), dialectNamed(to), before);
    expect(JSON.stringify(value)).toContain('"mode":"resident"');
    expect(outcome(to, 'llxprt', value as object)).toMatchObject({ hooks: { BeforeTool: [{ hooks: [{ mode: 'resident' }] }] } });
  }
  const start = outcome('llxprt', 'claude-code', llxprt('SessionStart', resident));
  expect(start).toMatchObject({ hooks: { SessionStart: [{ hooks: [{ command: 'x' }] }] }, lost: ['mode'] });
  expect(JSON.stringify(start)).not.toContain('resident"');
});

test('one event of LLxprt is two of Claude Code, and the two are one again', () => {
  const after = llxprt('AfterTool', { command: 'x' }, { matcher: '^write_file$' });
  const group = { matcher: 'Write', hooks: [command('x', { timeout: 60 })] };
  expect(outcome('llxprt', 'claude-code', after)).toEqual({ hooks: { PostToolUse: [group], PostToolUseFailure: [group] }, lost: [] });
  const both = { hooks: { PostToolUse: [group], PostToolUseFailure: [group] } };
  expect(outcome('claude-code', 'llxprt', both)).toEqual({
    hooks: { AfterTool: [{ matcher: '^write_file$', hooks: [command('x')] }] },
    lost: [],
  });
  expect(outcome('claude-code', 'llxprt', { hooks: { PostToolUse: [group] } })).toMatchObject({ lost: ['event'] });
  expect(outcome('claude-code', 'llxprt', { hooks: { PostToolUseFailure: [group] } })).toMatch(/no separate event for failed tools/);
  expect(outcome('claude-code', 'eca', { hooks: { PostToolUse: [group] } })).toMatchObject({
    hooks: { 'postToolCall-1': { type: 'postToolCall' } },
    lost: [],
  });
  expect(outcome('llxprt', 'eca', after)).toMatchObject({ hooks: { 'postToolCall-1': { runOnError: true, matcher: 'eca__write_file' } } });
});

test("the project's directory is where each agent has it", () => {
  const guard = claude('PreToolUse', command('"$CLAUDE_PROJECT_DIR"/guard.sh', { timeout: 60 }));
  const ran = (to: string, text: string) => ({ hooks: { BeforeTool: [{ hooks: [command(text)] }] }, lost: [], to });
  expect({ ...(outcome('claude-code', 'llxprt', guard) as object), to: 'llxprt' }).toEqual(ran('llxprt', '"$LLXPRT_PROJECT_DIR"/guard.sh'));
  expect({ ...(outcome('claude-code', 'gemini-cli', guard) as object), to: 'gemini' }).toEqual(
    ran('gemini', '"$GEMINI_PROJECT_DIR"/guard.sh'),
  );
  const inEca = 'export CLAUDE_PROJECT_DIR="$PWD"; "$CLAUDE_PROJECT_DIR"/guard.sh';
  expect(outcome('claude-code', 'eca', guard)).toMatchObject({ hooks: { 'preToolCall-1': { actions: [{ shell: inEca }] } }, lost: [] });
  expect(outcome('eca', 'claude-code', eca('preToolCall', inEca))).toMatchObject({
    hooks: { PreToolUse: [{ hooks: [{ command: '"$CLAUDE_PROJECT_DIR"/guard.sh' }] }] },
  });
});

test('a program with arguments becomes a command with quotes', () => {
  const args = [`\${CLAUDE_PROJECT_DIR}/my hooks/check.js`, '--only', "it's; rm"];
  const program = claude('PreToolUse', command('node', { args, timeout: 60 }));
  expect(outcome('claude-code', 'llxprt', program)).toEqual({
    hooks: { BeforeTool: [{ hooks: [command(`node "\${LLXPRT_PROJECT_DIR}"'/my hooks/check.js' --only 'it'\\''s; rm'`)] }] },
    lost: [],
  });
});

test('a script of ECA becomes a command that names it from the project or the home directory', () => {
  const script = (file: string) => ({ hooks: { guard: { type: 'preToolCall', actions: [{ type: 'shell', file }] } } });
  const late = outcome('eca', 'claude-code', script('/srv/app/.eca/hooks/guard.sh'));
  expect(late).toMatchObject({
    hooks: { PreToolUse: [{ hooks: [{ command: 'bash "$CLAUDE_PROJECT_DIR"/.eca/hooks/guard.sh' }] }] },
    lost: ['action', 'name'],
  });
  expect(outcome('eca', 'llxprt', script('/home/u/x y.sh'))).toMatchObject({
    hooks: { BeforeTool: [{ hooks: [{ command: 'bash "$HOME"\'/x y.sh\'' }] }] },
  });
  expect(outcome('eca', 'llxprt', script('/opt/x.sh'))).toMatchObject({
    hooks: { BeforeTool: [{ hooks: [{ command: 'bash /opt/x.sh' }] }] },
  });
});

test('an environment becomes exports where hooks have none, and comes back as one', () => {
  const hook = llxprt('BeforeTool', { command: 'check', env: { LEVEL: "it's", MODE: 'a' } });
  const exported = `export LEVEL='it'\\''s' MODE=a; check`;
  expect(outcome('llxprt', 'claude-code', hook)).toMatchObject({ hooks: { PreToolUse: [{ hooks: [{ command: exported }] }] }, lost: [] });
  const there = claude('PreToolUse', command(exported, { timeout: 60 }));
  expect(outcome('claude-code', 'llxprt', there)).toEqual({
    hooks: { BeforeTool: [{ hooks: [command('check', { env: { LEVEL: "it's", MODE: 'a' } })] }] },
    lost: [],
  });
  expect(outcome('llxprt', 'eca', llxprt('BeforeTool', { command: 'x', env: { 'a-b': '1' } }))).toMatchObject({ lost: ['env'] });
});

test.each([
  ['a condition', claude('PreToolUse', command('exit 2', { if: 'Bash(git push *)' }), 'Bash'), /has the condition "Bash\(git push \*\)"/],
  ['a prompt', claude('PreToolUse', { type: 'prompt', prompt: 'ok?' }), /of the type "prompt"/],
  ['an agent', claude('Stop', { type: 'agent', prompt: 'ok?' }), /of the type "agent"/],
  ['a tool of a server', claude('Stop', { type: 'mcp_tool', server: 's', tool: 't' }), /of the type "mcp_tool"/],
  ['an address', claude('PreToolUse', { type: 'http', url: 'https://example.org/x' }), /of the type "http"/],
  ['PowerShell', claude('PreToolUse', command('x', { shell: 'powershell' })), /for PowerShell/],
])('%s has no counterpart in other formats, and the hook is not written without it', (_, settings, reason) => {
  for (const to of ['llxprt', 'gemini-cli', 'eca']) expect(outcome('claude-code', to, settings)).toMatch(reason);
});

test.each([
  ['BeforeModel', 'claude-code', 'Claude Code has no event like BeforeModel.'],
  ['BeforeToolSelection', 'eca', 'ECA has no event like BeforeToolSelection.'],
  ['HostStart', 'gemini-cli', 'Gemini CLI has no event like HostStart.'],
])('%s of LLxprt has no counterpart in %s', (event, to, reason) => {
  expect(outcome('llxprt', to, llxprt(event, { command: 'x' }))).toBe(reason);
});

test.each([
  ['a trigger', claude('PreCompact', command('x'), 'auto'), { 'preCompact-1': { type: 'preCompact', matcher: 'auto' } }, []],
  ['no trigger', claude('PreCompact', command('x')), { 'preCompact-1': { type: 'preCompact' } }, []],
  ['two triggers', claude('PreCompact', command('x'), 'manual|auto'), { 'preCompact-1': { type: 'preCompact' } }, ['matcher']],
  ['a subagent', claude('SubagentStop', command('x')), { 'subagentPostRequest-1': { type: 'subagentPostRequest' } }, []],
  ['a type of subagent', claude('SubagentStart', command('x'), 'Explore'), { 'subagentStart-1': { type: 'subagentStart' } }, ['matcher']],
])('a hook of Claude Code with %s has a type in ECA', (_, settings, hooks, lost) => {
  expect(outcome('claude-code', 'eca', settings)).toMatchObject({ hooks, lost });
});

const inEca = (type: string, matcher: unknown) => ({ hooks: { guard: { type, matcher, actions: [{ type: 'shell', shell: 'x' }] } } });

test.each([
  ['a tool', 'preToolCall', { eca__write_file: {} }, { PreToolUse: [{ matcher: 'Write' }] }],
  ['a tool without a server', 'preToolCall', { write_file: {}, shell_command: {} }, { PreToolUse: [{ matcher: 'Write|Bash' }] }],
  ['a server', 'preToolCall', { gh: {} }, { PreToolUse: [{ matcher: 'mcp__gh__.*' }] }],
  ['a trigger', 'postCompact', 'manual', { PostCompact: [{ matcher: 'manual' }] }],
])('a hook of ECA whose matcher is %s converts', (_, type, matcher, hooks) => {
  expect(outcome('eca', 'claude-code', inEca(type, matcher))).toMatchObject({ hooks });
});

test.each([
  { eca__write_file: { argsMatchers: { path: ['.*'] } } },
  { eca__write_file: {}, gh: { argsMatchers: { q: ['x'] } } },
  { shell_command: { argsMatchers: { command: ['git push.*'] } } },
])('a hook of ECA with argsMatchers does not convert, because it would run for other calls: %j', (matcher) => {
  const { hooks, refusals } = portablesOf(dialectNamed('eca'), inEca('preToolCall', matcher));
  expect(hooks).toEqual([]);
  expect(refusals).toEqual([expect.stringContaining('The hook compares arguments with "argsMatchers"')]);
});

test('events that only some agents fire go to LLxprt, with a word about that', () => {
  expect(outcome('claude-code', 'llxprt', claude('PermissionRequest', command('x'), 'Bash'))).toMatchObject({
    hooks: { PermissionRequest: [{ matcher: '^run_shell_command$' }] },
    lost: ['event'],
  });
  expect(outcome('claude-code', 'llxprt', claude('PostCompact', command('x')))).toMatchObject({
    hooks: { PostCompress: [{}] },
    lost: ['event'],
  });
});

test('what a format has no field for is a loss of that field', () => {
  const hook = { name: 'guard', description: 'd', command: 'x', onError: 'block' };
  expect(outcome('llxprt', 'claude-code', llxprt('BeforeTool', hook))).toMatchObject({
    hooks: { PreToolUse: [{ hooks: [{ statusMessage: 'd', onFailure: 'block' }] }] },
    lost: ['name'],
  });
  // Claude Code obeys `onFailure` on most events, but not on this event.
  expect(outcome('llxprt', 'claude-code', llxprt('AfterAgent', hook))).toMatchObject({ lost: ['name', 'onError'] });
  expect(outcome('llxprt', 'eca', llxprt('BeforeTool', hook))).toMatchObject({
    hooks: { guard: { description: 'd', onError: 'block' } },
    lost: [],
  });
  expect(outcome('claude-code', 'llxprt', claude('PreToolUse', command('x', { async: true })))).toMatchObject({ lost: ['async'] });
  const async = claude('PreToolUse', command('x', { async: true, onFailure: 'block' }));
  // Claude Code waits for a hook that fails closed, even with `async`. So the migration loses nothing.
  expect(outcome('claude-code', 'llxprt', async)).toMatchObject({ hooks: { BeforeTool: [{ hooks: [{ onError: 'block' }] }] }, lost: [] });
  expect(outcome('eca', 'llxprt', eca('preToolCall', 'x', { visible: false }))).toMatchObject({ lost: ['hidden'] });
});

test('only Cursor limits how often a hook makes the agent continue', () => {
  const stop = (more: object) => ({ version: 1, hooks: { stop: [{ command: 'x', ...more }] } });
  expect(outcome('cursor', 'claude-code', stop({ loop_limit: 2 }))).toMatchObject({ hooks: { Stop: [{}] }, lost: ['event'] });
  expect(outcome('cursor', 'claude-code', stop({ loop_limit: null }))).toMatchObject({ lost: [] });
  expect(outcome('claude-code', 'cursor', claude('Stop', command('x', { timeout: 60 })))).toEqual({
    hooks: { stop: [{ command: 'x', loop_limit: null }] },
    lost: [],
  });
  expect(outcome('llxprt', 'cursor', llxprt('BeforeTool', { command: 'x' }))).toMatchObject({ hooks: { preToolUse: [{ command: 'x' }] } });
});

test('a chain stays one, in its order, or is reported as lost', () => {
  const chain = (...names: string[]) => ({
    hooks: { BeforeTool: [{ sequential: true, hooks: names.map((name) => ({ name, command: name })) }] },
  });
  const keys = (settings: object) => Object.keys((outcome('llxprt', 'eca', settings) as { hooks: object }).hooks);
  expect(keys(chain('a', 'b'))).toEqual(['a', 'b']);
  expect(keys(chain('zeal', 'audit'))).toEqual(['1-zeal', '2-audit']);
  expect(outcome('llxprt', 'claude-code', chain('a', 'b'))).toMatchObject({ lost: ['name', 'sequential'] });
  expect(outcome('llxprt', 'claude-code', chain('a'))).toMatchObject({ lost: ['name'] });
  expect(outcome('llxprt', 'gemini-cli', chain('b', 'a'))).toMatchObject({
    hooks: { BeforeTool: [{ sequential: true, hooks: [{ name: 'b' }, { name: 'a' }] }] },
  });
  // The hooks are compared by key, not by their order in the file.
  const two = {
    hooks: { b: { type: 'preRequest', actions: [{ shell: '2' }] }, a: { type: 'preRequest', actions: [{ shell: '1' }, { shell: '1b' }] } },
  };
  expect(outcome('eca', 'llxprt', two)).toMatchObject({
    hooks: { BeforeAgent: [{ sequential: true, hooks: [{ name: 'a-1' }, { name: 'a-2' }, { name: 'b' }] }] },
  });
});

test('the directory of a plugin is a variable with its path', () => {
  const { hooks } = dialectNamed('claude-code').parse(
    {
      source: 'settings',
      file: '/opt/plugins/fmt/hooks/hooks.json',
      value: claude('PostToolUse', command(`"\${CLAUDE_PLUGIN_ROOT}"/fmt.sh`)),
      locate: () => undefined,
    },
    {
      projectDir: '/srv/app',
      home: '/home/u',
      environment: {},
      platform: 'linux',
      files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
    },
  );
  const [read] = dialectNamed('claude-code').migration.read(hooks, { projectDir: '/srv/app', home: '/home/u' });
  expect(read).toMatchObject({ env: { CLAUDE_PLUGIN_ROOT: '/opt/plugins/fmt' }, losses: [{ field: 'env' }] });
});
