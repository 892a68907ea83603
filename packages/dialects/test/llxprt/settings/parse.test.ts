import { codesOf } from '../../printed.js';
import { dialect, documentOf, hookOf, hooksOf, machine, parsed } from '../llxprt-rig.js';

const good = { command: 'good.sh' };
const group = (fields: Record<string, unknown>) => ({ hooks: { BeforeTool: [{ hooks: [good], ...fields }, { hooks: [good] }] } });
const hook = (fields: unknown) => ({ hooks: { BeforeTool: [{ hooks: [fields, good] }] } });

interface Case {
  readonly settings: unknown;
  readonly code: string;
  readonly severity?: string;
  readonly path: string;
  readonly says: string;
  readonly remedy: string;
  /** Ids of the hooks that run despite the diagnostic. */
  readonly running: readonly string[];
}

const [h00, h01, h10] = ['0.0', '0.1', '1.0'].map((place) => `llxprt/project/BeforeTool/${place}`) as [string, string, string];

const cases: Record<string, Case> = {
  'settings that are a list': { settings: [], code: 'invalid_document', path: '', says: '[]', remedy: '"hooks"', running: [] },
  'hooks that are a list': {
    settings: { hooks: [1] },
    code: 'invalid_document',
    path: 'hooks',
    says: '[1]',
    remedy: 'BeforeTool',
    running: [],
  },
  'an unknown event': {
    settings: { hooks: { BeforeTools: [{ hooks: [good] }], BeforeTool: [{ hooks: [good] }] } },
    code: 'unknown_event',
    path: 'hooks.BeforeTools',
    says: 'BeforeTools',
    remedy: '"BeforeTool"',
    running: [h00],
  },
  'an event of another agent': {
    settings: { hooks: { UserPromptSubmit: [], BeforeTool: [{ hooks: [good] }] } },
    code: 'unknown_event',
    path: 'hooks.UserPromptSubmit',
    says: 'UserPromptSubmit',
    remedy: '"BeforeAgent"',
    running: [h00],
  },
  'an event in lower case': {
    settings: { hooks: { beforetool: [], BeforeTool: [{ hooks: [good] }] } },
    code: 'unknown_event',
    path: 'hooks.beforetool',
    says: '"beforetool"',
    remedy: '"BeforeTool"',
    running: [h00],
  },
  'an event that is like none': {
    settings: { hooks: { FileSaved: [], BeforeTool: [{ hooks: [good] }] } },
    code: 'unknown_event',
    path: 'hooks.FileSaved',
    says: '"FileSaved"',
    remedy: 'The events are BeforeTool,',
    running: [h00],
  },
  'groups that are an object': {
    settings: { hooks: { BeforeTool: { hooks: [] }, BeforeAgent: [{ hooks: [good] }] } },
    code: 'invalid_group',
    path: 'hooks.BeforeTool',
    says: 'must be an array',
    remedy: '[ { "hooks"',
    running: ['llxprt/project/BeforeAgent/0.0'],
  },
  'one hook in the place of the groups': {
    settings: { hooks: { BeforeTool: good, BeforeAgent: [{ hooks: [good] }] } },
    code: 'misplaced_hooks',
    path: 'hooks.BeforeTool',
    says: 'a hook',
    remedy: '[ { "hooks": [ { "command"',
    running: ['llxprt/project/BeforeAgent/0.0'],
  },
  'a hook in the place of a group': {
    settings: { hooks: { BeforeTool: [{ ...good, matcher: 'write_*' }, { hooks: [good] }] } },
    code: 'misplaced_hooks',
    path: 'hooks.BeforeTool[0]',
    says: 'where a hook group',
    remedy: '{ "matcher": "write_*", "hooks": [ { "command"',
    running: [h10],
  },
  'a command in the place of a group': {
    settings: { hooks: { BeforeTool: ['./guard.sh', { hooks: [good] }] } },
    code: 'invalid_group',
    path: 'hooks.BeforeTool[0]',
    says: '"./guard.sh"',
    remedy: '{ "hooks": [ { "command": "./guard.sh" } ] }',
    running: [h10],
  },
  'an event at the top level of the settings': {
    settings: { BeforeTool: [{ hooks: [good] }], hooks: { BeforeAgent: [{ hooks: [good] }] } },
    code: 'misplaced_hooks',
    path: 'BeforeTool',
    says: 'at the top level of the settings',
    remedy: '{ "hooks": { "BeforeTool": [ … ] } }',
    running: ['llxprt/project/BeforeAgent/0.0'],
  },
  'an event of another agent at the top level of the settings': {
    settings: { PreToolUse: [{ hooks: [good] }] },
    code: 'misplaced_hooks',
    path: 'PreToolUse',
    says: '"PreToolUse"',
    remedy: '{ "hooks": { "BeforeTool": [ … ] } }',
    running: [],
  },
  'an event under hooksConfig': {
    settings: { hooksConfig: { BeforeTool: [{ hooks: [good] }] } },
    code: 'misplaced_hooks',
    path: 'hooksConfig.BeforeTool',
    says: 'under "hooksConfig"',
    remedy: '{ "hooks": { "BeforeTool": [ … ] } }',
    running: [],
  },
  'hooks under another spelling of "hooks"': {
    settings: { Hooks: { BeforeTool: [{ hooks: [good] }] } },
    code: 'misplaced_hooks',
    path: 'Hooks.BeforeTool',
    says: 'under "Hooks"',
    remedy: '{ "hooks": { "BeforeTool": [ … ] } }',
    running: [],
  },
  'hooks one level too deep': {
    settings: { hooks: { hooks: { BeforeTool: [{ hooks: [good] }] }, BeforeAgent: [{ hooks: [good] }] } },
    code: 'misplaced_hooks',
    path: 'hooks.hooks.BeforeTool',
    says: 'under "hooks.hooks"',
    remedy: '{ "hooks": { "BeforeTool": [ … ] } }',
    running: ['llxprt/project/BeforeAgent/0.0'],
  },
  'the switch at the top level of the settings': {
    settings: { ...hook(good), enableHooks: true },
    code: 'misplaced_switch',
    severity: 'warning',
    path: 'enableHooks',
    says: '"enableHooks" is ignored',
    remedy: '{ "tools": { "enableHooks": true } }',
    running: [h00, h01],
  },
  'the switch under hooks': {
    settings: { hooks: { ...hook(good).hooks, enabled: true } },
    code: 'misplaced_switch',
    severity: 'warning',
    path: 'hooks.enabled',
    says: '"hooks.enabled" is ignored',
    remedy: '{ "tools": { "enableHooks": true } }',
    running: [h00, h01],
  },
  'the switch under hooksConfig': {
    settings: { ...hook(good), hooksConfig: { enabled: false } },
    code: 'misplaced_switch',
    severity: 'warning',
    path: 'hooksConfig.enabled',
    says: '"hooksConfig.enabled" is ignored',
    remedy: '{ "tools": { "enableHooks": false } }',
    running: [h00, h01],
  },
  'the switch in other letters': {
    settings: { ...hook(good), tools: { enablehooks: true } },
    code: 'misplaced_switch',
    severity: 'warning',
    path: 'tools.enablehooks',
    says: '"tools.enablehooks" is ignored',
    remedy: '{ "tools": { "enableHooks": true } }',
    running: [h00, h01],
  },
  'the disabled list under hooks': {
    settings: { hooks: { ...hook(good).hooks, disabled: ['spell'] } },
    code: 'misplaced_switch',
    severity: 'warning',
    path: 'hooks.disabled',
    says: '"hooks.disabled" is ignored',
    remedy: '{ "hooksConfig": { "disabled": ["spell"] } }',
    running: [h00, h01],
  },
  'a group that is a text': {
    settings: { hooks: { BeforeTool: ['x', { hooks: [good] }] } },
    code: 'invalid_group',
    path: 'hooks.BeforeTool[0]',
    says: '"x"',
    remedy: '"hooks"',
    running: [h10],
  },
  'a group without hooks': {
    settings: group({ hooks: undefined }),
    code: 'invalid_group',
    path: 'hooks.BeforeTool[0].hooks',
    says: 'must be an array',
    remedy: '"command"',
    running: [h10],
  },
  'a matcher that is a number': {
    settings: group({ matcher: 123 }),
    code: 'invalid_matcher',
    path: 'hooks.BeforeTool[0].matcher',
    says: '123',
    remedy: '"write_*"',
    running: [h10],
  },
  'a matcher that is a list': {
    settings: group({ matcher: ['a'] }),
    code: 'invalid_matcher',
    path: 'hooks.BeforeTool[0].matcher',
    says: '["a"]',
    remedy: '"^a$"',
    running: [h10],
  },
  'a matcher that compiles as nothing': {
    settings: group({ matcher: '[bad' }),
    code: 'invalid_matcher',
    path: 'hooks.BeforeTool[0].matcher',
    says: '[bad',
    remedy: 'Close the "["',
    running: [h10],
  },
  'a matcher with look-ahead': {
    settings: group({ matcher: '(?=rm)' }),
    code: 'invalid_matcher',
    path: 'hooks.BeforeTool[0].matcher',
    says: 'look-ahead',
    remedy: 'rm -rf',
    running: [h10],
  },
  'a plain name as a matcher': {
    settings: group({ matcher: 'write' }),
    code: 'plain_matcher',
    severity: 'note',
    path: 'hooks.BeforeTool[0].matcher',
    says: '"write" matches anywhere',
    remedy: '"^write$"',
    running: [h00, h10],
  },
  'a name of another agent as a matcher': {
    settings: group({ matcher: 'Bash' }),
    code: 'unmatched_matcher',
    severity: 'warning',
    path: 'hooks.BeforeTool[0].matcher',
    says: '"Bash" is not the name of a tool in LLxprt Code',
    remedy: '"run_shell_command"',
    running: [h00, h10],
  },
  'sequential that is a text': {
    settings: group({ sequential: 'yes' }),
    code: 'invalid_field',
    path: 'hooks.BeforeTool[0].sequential',
    says: '"yes"',
    remedy: 'true',
    running: [h00, h10],
  },
  'a misspelled key of a group': {
    settings: group({ Matcher: 'write_*' }),
    code: 'invalid_field',
    severity: 'warning',
    path: 'hooks.BeforeTool[0].Matcher',
    says: '"Matcher"',
    remedy: '"matcher"',
    running: [h00, h10],
  },
  'a hook that is a text': {
    settings: hook('x.sh'),
    code: 'invalid_hook',
    path: 'hooks.BeforeTool[0].hooks[0]',
    says: '"x.sh"',
    remedy: '"command"',
    running: [h01],
  },
  'a hook without a command': {
    settings: hook({ type: 'command' }),
    code: 'missing_command',
    path: 'hooks.BeforeTool[0].hooks[0]',
    says: 'no "command"',
    remedy: '"command"',
    running: [h01],
  },
  'a command of white space': {
    settings: hook({ command: '  ' }),
    code: 'missing_command',
    path: 'hooks.BeforeTool[0].hooks[0]',
    says: '"  "',
    remedy: '"command"',
    running: [h01],
  },
  'the type plugin': {
    settings: hook({ ...good, type: 'plugin' }),
    code: 'unknown_type',
    path: 'hooks.BeforeTool[0].hooks[0].type',
    says: '"plugin"',
    remedy: '"type": "command"',
    running: [h01],
  },
  'the type in capitals': {
    settings: hook({ ...good, type: 'Command' }),
    code: 'unknown_type',
    path: 'hooks.BeforeTool[0].hooks[0].type',
    says: '"Command"',
    remedy: 'lower case',
    running: [h01],
  },
  'onError that is not a word of ours': {
    settings: hook({ ...good, onError: 'deny' }),
    code: 'invalid_field',
    path: 'hooks.BeforeTool[0].hooks[0].onError',
    says: '"deny"',
    remedy: '"block"',
    running: [h00, h01],
  },
  'env that is a list': {
    settings: hook({ ...good, env: ['A=1'] }),
    code: 'invalid_field',
    path: 'hooks.BeforeTool[0].hooks[0].env',
    says: '["A=1"]',
    remedy: '"NAME"',
    running: [h00, h01],
  },
  'a variable that is a number': {
    settings: hook({ ...good, env: { LEVEL: 3, OTHER: 'x' } }),
    code: 'invalid_field',
    path: 'hooks.BeforeTool[0].hooks[0].env.LEVEL',
    says: '3',
    remedy: '"LEVEL"',
    running: [h00, h01],
  },
  'a name that is a number': {
    settings: hook({ ...good, name: 5 }),
    code: 'invalid_field',
    severity: 'warning',
    path: 'hooks.BeforeTool[0].hooks[0].name',
    says: '5',
    remedy: '"name"',
    running: [h00, h01],
  },
  'a misspelled key of a hook': {
    settings: hook({ ...good, timout: 5000 }),
    code: 'invalid_field',
    severity: 'warning',
    path: 'hooks.BeforeTool[0].hooks[0].timout',
    says: '"timout"',
    remedy: '"timeout"',
    running: [h00, h01],
  },
  'a timeout in seconds, by the look of it': {
    settings: hook({ ...good, timeout: 30 }),
    code: 'suspicious_timeout',
    severity: 'warning',
    path: 'hooks.BeforeTool[0].hooks[0].timeout',
    says: '0.03 s',
    remedy: '30000',
    running: [h00, h01],
  },
  'a timeout in minutes that was written as seconds, by the look of it': {
    settings: hook({ ...good, timeout: 600 }),
    code: 'suspicious_timeout',
    severity: 'note',
    path: 'hooks.BeforeTool[0].hooks[0].timeout',
    says: 'milliseconds: 600 means 0.6 s',
    remedy: '600000',
    running: [h00, h01],
  },
  'enableHooks that is a text': {
    settings: { ...hook(good), tools: { enableHooks: 'true' } },
    code: 'invalid_field',
    path: 'tools.enableHooks',
    says: '"true"',
    remedy: 'true',
    running: [h00, h01],
  },
  'a disabled list with a number': {
    settings: { ...hook(good), hooksConfig: { disabled: ['a', 5] } },
    code: 'invalid_field',
    path: 'hooksConfig.disabled',
    says: '["a",5]',
    remedy: '"disabled"',
    running: [h00, h01],
  },
};

test.each(Object.entries(cases))('%s is a diagnostic with its place and a remedy, and the others stay', (_, expected) => {
  const { settings, code, severity = 'error', path, says, remedy, running } = expected;
  const { hooks, diagnostics } = parsed(settings);
  expect(diagnostics).toEqual([
    expect.objectContaining({
      code,
      severity,
      path,
      message: expect.stringContaining(says),
      remedy: expect.stringContaining(remedy),
      file: '/srv/project.json',
      line: expect.any(Number),
      column: 1,
      source: 'project',
      dialect: 'llxprt',
    }),
  ]);
  // The remedy is printed directly after the message, so the message must end with a full stop.
  expect(`${diagnostics[0]?.message}`).toMatch(/\.$/);
  expect(hooks.filter((entry) => entry.skip === undefined).map((entry) => entry.id)).toEqual(running);
});

test.each([0, -1, '500', '5s', 3e9, Number.NaN, Number.POSITIVE_INFINITY, true, [5]])(
  'the timeout %j is a diagnostic, and the default is used (decision 27)',
  (timeout) => {
    const { hooks, diagnostics } = parsed(hook({ ...good, timeout }));
    expect(diagnostics).toMatchObject([{ code: 'invalid_timeout', path: 'hooks.BeforeTool[0].hooks[0].timeout', hookId: h00 }]);
    expect(diagnostics[0]?.message).toContain('Using 60000');
    expect(hooks[0]).toMatchObject({ timeoutMs: 60_000 });
    expect(hooks[0]).not.toHaveProperty('skip');
  },
);

test.each([
  ['"5s"', '5s', 'Write 5000.'],
  ['"500"', '500', 'Write 500.'],
  ['"2 m"', '2 m', 'Write 120000.'],
  ['a word', 'soon', 'Write a number such as 5000.'],
])('a timeout of %s has the remedy that was meant', (_, timeout, remedy) => {
  expect(parsed(hook({ ...good, timeout })).diagnostics[0]?.remedy).toBe(remedy);
});

test.each([1, 100, 5000, 2147483647])('the timeout %d is taken as it is', (timeout) => {
  expect(hookOf({ timeout }).timeoutMs).toBe(timeout);
});

test('a hook with nothing but a command has the defaults', () => {
  expect(hookOf()).toEqual({
    id: h00,
    dialect: 'llxprt',
    source: 'project',
    eventName: 'BeforeTool',
    dialectEvent: 'BeforeTool',
    file: '/srv/project.json',
    line: expect.any(Number),
    column: expect.any(Number),
    path: 'hooks.BeforeTool[0].hooks[0]',
    timeoutMs: 60_000,
    onError: 'continue',
    action: { kind: 'command', command: './guard.sh' },
    dedupeKey: expect.any(String),
    dialectData: { matcher: { kind: 'all' }, sequential: false, env: {} },
  });
});

test('a hook with everything keeps it', () => {
  const [entry] = hooksOf(
    [{ type: 'command', name: 'a/b', description: 'd', command: 'x', timeout: 5000, env: { A: '1' }, onError: 'block' }],
    {
      matcher: 'write_*',
      sequential: true,
    },
  );
  expect(entry).toMatchObject({
    id: 'llxprt/project/BeforeTool/a%2Fb',
    name: 'a/b',
    description: 'd',
    timeoutMs: 5000,
    onError: 'block',
    matcher: 'write_*',
  });
  expect(entry?.dialectData).toMatchObject({ sequential: true, env: { A: '1' } });
});

test('an invalid hook stays in the list, with its diagnostic as the reason', () => {
  const [bad] = parsed(hook({ type: 'plugin' })).hooks;
  expect(bad?.skip).toMatchObject({
    skipReason: 'invalid',
    warning: { code: 'unknown_type', message: expect.stringContaining('/srv/project.json:') },
  });
});

test.each([
  ['PreToolUse', 'BeforeTool'],
  ['preToolUse', 'BeforeTool'],
  ['pre_tool_use', 'BeforeTool'],
  ['preToolCall', 'BeforeTool'],
  ['beforeShellExecution', 'BeforeTool'],
  ['PostToolUse', 'AfterTool'],
  ['PostToolUseFailure', 'AfterTool'],
  ['afterFileEdit', 'AfterTool'],
  ['userPromptSubmitted', 'BeforeAgent'],
  ['preRequest', 'BeforeAgent'],
  ['Stop', 'AfterAgent'],
  ['agentStop', 'AfterAgent'],
  ['generate_start', 'BeforeModel'],
  ['PreCompact', 'PreCompress'],
  ['chatStart', 'SessionStart'],
  ['session-end', 'SessionEnd'],
  ['BeforeTools', 'BeforeTool'],
])('the event %s is recognised: here it is %s', (written, known) => {
  expect(parsed({ hooks: { [written]: [] } }).diagnostics).toMatchObject([
    { code: 'unknown_event', remedy: expect.stringContaining(`"${known}"`) },
  ]);
});

test('what is in the wrong place leaves an outcome of its event behind', () => {
  const settings = { BeforeTool: [{ hooks: [good] }], hooks: { AfterTool: [good], AfterAgent: good } };
  const { hooks } = parsed(settings);
  expect(hooks.map((entry) => [entry.eventName, entry.skip?.warning?.code])).toEqual([
    ['AfterTool', 'misplaced_hooks'],
    ['AfterAgent', 'misplaced_hooks'],
    ['BeforeTool', 'misplaced_hooks'],
  ]);
  expect(new Set(hooks.map((entry) => entry.id)).size).toBe(3);
});

test('settings of the agent that only sound like events or switches pass silently', () => {
  const settings = {
    notification: [{ channel: 'mail' }],
    Notification: { sound: true },
    stop: ['word'],
    tools: { enableTools: true, enableHooks: true },
    // A later version of the product has two switches. Equal values cause no diagnostic.
    hooksConfig: { enabled: true },
  };
  expect(codesOf(parsed(settings).diagnostics)).toEqual([]);
});

test('every hook of a group with a bad matcher says why it does not run', () => {
  const hooks = parsed({ hooks: { BeforeTool: [{ matcher: '[', hooks: [good, good] }] } }).hooks;
  expect(hooks.map((entry) => entry.skip?.warning?.code)).toEqual(['invalid_matcher', 'invalid_matcher']);
});

test.each(['BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'])(
  'a matcher on %s is a warning, and the hook runs (decision 2)',
  (eventName) => {
    const { hooks, diagnostics } = parsed({ hooks: { [eventName]: [{ matcher: 'gpt', hooks: [good] }] } });
    expect(diagnostics).toMatchObject([
      { code: 'matcher_ignored', severity: 'warning', path: `hooks.${eventName}[0].matcher`, remedy: expect.any(String) },
    ]);
    expect(hooks[0]).not.toHaveProperty('skip');
    for (const matcher of ['', '*']) expect(parsed({ hooks: { [eventName]: [{ matcher, hooks: [good] }] } }).diagnostics).toEqual([]);
  },
);

test('a plain name is exact enough where there are few values, and no note is made of it', () => {
  expect(parsed({ hooks: { SessionStart: [{ matcher: 'startup|resume', hooks: [good] }] } }).diagnostics).toEqual([]);
});

const same = (a: Record<string, unknown>, b: Record<string, unknown>) => hookOf(a).dedupeKey === hookOf(b).dedupeKey;

const pairs: Record<string, [Record<string, unknown>, Record<string, unknown>, boolean]> = {
  'the same command is the same hook, whatever timeout and onError say': [
    { command: 'x', timeout: 500, onError: 'block' },
    { command: 'x' },
    true,
  ],
  'names and commands that join to one text are two hooks': [{ name: 'a:b', command: 'c' }, { name: 'a', command: 'b:c' }, false],
  'two names are two hooks': [{ name: 'a', command: 'c' }, { name: 'b', command: 'c' }, false],
  'with and without a name they are two hooks': [{ name: 'a', command: 'c' }, { command: 'c' }, false],
  'another environment is another hook': [{ command: 'c', env: { A: '1' } }, { command: 'c' }, false],
  'the order of the environment does not matter': [
    { command: 'c', env: { A: '1', B: '2' } },
    { command: 'c', env: { B: '2', A: '1' } },
    true,
  ],
};

test.each(Object.entries(pairs))('%s (decision 22)', (_, [a, b, expected]) => {
  expect(same(a, b)).toBe(expected);
});

test('other settings pass silently', () => {
  const settings = {
    ui: { theme: 'dark' },
    tools: { core: [] },
    hooks: { BeforeTool: [{ hooks: [{ ...good, color: 'red' }], note: 'x' }] },
  };
  expect(codesOf(parsed(settings).diagnostics)).toEqual([]);
});

test('settings without hooks have none; those of an object have neither file nor line', () => {
  expect(parsed({})).toMatchObject({ hooks: [], diagnostics: [] });
  const document = { ...documentOf({ hooks: { BeforeTool: [{ hooks: [good, 5] }] } }, 'settings', undefined), locate: () => undefined };
  const { file: _file, ...bare } = document as typeof document & { file?: string };
  const { hooks, diagnostics } = dialect.parse(bare, machine);
  for (const entry of [...hooks, ...diagnostics]) expect(entry).not.toHaveProperty('file');
  for (const entry of [...hooks, ...diagnostics]) expect(entry).not.toHaveProperty('line');
});

test.each([
  ['settings that are a list', []],
  ['hooks that are null', { hooks: null }],
  ['hooks that are a list', { hooks: [] }],
  ['tools that are null', { tools: null }],
  ['a switch that is a text', { tools: { enableHooks: 'yes' } }],
  ['a list of disabled hooks that is a text', { hooksConfig: { disabled: 'guard' } }],
  ['groups that are a text', { hooks: { BeforeTool: 'garbage' } }],
  ['groups that are one hook', { hooks: { BeforeTool: good } }],
])('%s: the document is not usable as a whole, and an error says why', (_, settings) => {
  const { isUnusable, diagnostics } = parsed(settings);
  expect(isUnusable).toBe(true);
  expect(diagnostics.some((diagnostic) => diagnostic.severity === 'error')).toBe(true);
});

test.each([
  ['no hooks', {}],
  ['other settings', { tools: { core: 5 }, hooksConfig: { other: 5 }, notification: 'x' }],
  ['a bad hook', hook(5)],
  ['a bad group', { hooks: { BeforeTool: [5, { hooks: 5 }] } }],
  ['an unknown event', { hooks: { PreToolUse: 5, disabled: ['x'], enabled: true } }],
  ['a bad entry of a list', { hooksConfig: { disabled: ['x', 5] } }],
])('%s: the document is usable', (_, settings) => {
  expect(parsed(settings).isUnusable).toBe(false);
});

test('a variable without quotes is reported where its value has white space', () => {
  const codes = (command: string, projectDir: string, env = {}) =>
    codesOf(parsed(hook({ command, env }), 'project', { projectDir }).diagnostics);
  for (const name of ['LLXPRT', 'GEMINI', 'CLAUDE'])
    expect(codes(`$${name}_PROJECT_DIR/guard.sh`, '/srv/my app')).toEqual(['unquoted_variable']);
  expect(codes('$TOOLS/guard.sh', '/srv/app', { TOOLS: '/srv/my tools' })).toEqual(['unquoted_variable']);
  expect(codes('"$LLXPRT_PROJECT_DIR"/guard.sh', '/srv/my app')).toEqual([]);
  expect(codes('$LLXPRT_PROJECT_DIR/guard.sh', '/srv/app')).toEqual([]);
});
