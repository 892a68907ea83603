import { machine } from '../../eca/eca-rig.js';
import { codesOf } from '../../printed.js';
import { good, hookOf, parsed, settingsOf } from '../gemini-rig.js';

const hook = (fields: unknown) => ({ hooks: { BeforeTool: [{ hooks: [fields, good] }] } });
const group = (fields: Record<string, unknown>) => ({ hooks: { BeforeTool: [{ hooks: [good], ...fields }, { hooks: [good] }] } });
const [h00, h01, h10] = ['0.0', '0.1', '1.0'].map((place) => `gemini-cli/project/BeforeTool/${place}`) as [string, string, string];

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

const cases: Record<string, Case> = {
  'settings that are a list': { settings: [], code: 'invalid_document', path: '', says: '[]', remedy: '"hooks"', running: [] },
  'an event of Claude Code': {
    settings: { hooks: { PreToolUse: [{ hooks: [good] }], BeforeTool: [{ hooks: [good] }] } },
    code: 'unknown_event',
    path: 'hooks.PreToolUse',
    says: '"PreToolUse"',
    remedy: '"BeforeTool"',
    running: [h00],
  },
  'an event of the catalogue that Gemini CLI does not have': {
    settings: { hooks: { PermissionRequest: [{ hooks: [good] }], BeforeTool: [{ hooks: [good] }] } },
    code: 'unknown_event',
    path: 'hooks.PermissionRequest',
    says: '"PermissionRequest"',
    remedy: 'The events are BeforeTool, AfterTool,',
    running: [h00],
  },
  'a misspelled event': {
    settings: { hooks: { BeforeTools: [], BeforeTool: [{ hooks: [good] }] } },
    code: 'unknown_event',
    path: 'hooks.BeforeTools',
    says: '"BeforeTools"',
    remedy: 'Did you mean "BeforeTool"?',
    running: [h00],
  },
  'a flat handler': {
    settings: { hooks: { BeforeTool: [{ matcher: 'write_.*', ...good }, { hooks: [good] }] } },
    code: 'misplaced_hooks',
    path: 'hooks.BeforeTool[0]',
    says: 'where a hook group is expected',
    remedy: '{ "matcher": "write_.*", "hooks": [ { "type": "command", "command": "./guard.sh" } ] }',
    running: [h10],
  },
  'a hook without a type': {
    settings: hook({ command: 'x' }),
    code: 'unknown_type',
    severity: 'warning',
    path: 'hooks.BeforeTool[0].hooks[0]',
    says: 'runs in Tenterhook',
    remedy: '"type": "command"',
    running: [h00, h01],
  },
  'the type plugin': {
    settings: hook({ ...good, type: 'plugin' }),
    code: 'unknown_type',
    path: 'hooks.BeforeTool[0].hooks[0].type',
    says: '"plugin"',
    remedy: '"type": "command"',
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
  'a matcher that is a list': {
    settings: group({ matcher: ['a', 'b'] }),
    code: 'invalid_matcher',
    path: 'hooks.BeforeTool[0].matcher',
    says: '["a","b"]',
    remedy: '"^(a|b)$"',
    running: [h10],
  },
  'hooks one level too deep': {
    settings: { hooks: { hooks: { BeforeTool: [{ hooks: [good] }] } } },
    code: 'misplaced_hooks',
    path: 'hooks.hooks.BeforeTool',
    says: 'under "hooks.hooks"',
    remedy: '{ "hooks": { "BeforeTool": [ … ] } }',
    running: [],
  },
  'the switch of LLxprt Code': {
    settings: { ...hook(good), tools: { enableHooks: false } },
    code: 'misplaced_switch',
    severity: 'warning',
    path: 'tools.enableHooks',
    says: '"tools.enableHooks" is ignored',
    remedy: '{ "hooksConfig": { "enabled": false } }',
    running: [h00, h01],
  },
  'notifications under hooks': {
    settings: { hooks: { ...hook(good).hooks, notifications: false } },
    code: 'misplaced_switch',
    severity: 'warning',
    path: 'hooks.notifications',
    says: 'is ignored',
    remedy: '{ "hooksConfig": { "notifications": false } }',
    running: [h00, h01],
  },
  'the disabled list under hooks': {
    settings: { hooks: { ...hook(good).hooks, disabled: ['spell'] } },
    code: 'misplaced_switch',
    severity: 'warning',
    path: 'hooks.disabled',
    says: 'is ignored',
    remedy: '{ "hooksConfig": { "disabled": ["spell"] } }',
    running: [h00, h01],
  },
  'enabled that is a text': {
    settings: { ...hook(good), hooksConfig: { enabled: 'false' } },
    code: 'invalid_field',
    path: 'hooksConfig.enabled',
    says: '"false"',
    remedy: '"enabled": true',
    running: [h00, h01],
  },
  'hooksConfig that is a text': {
    settings: { ...hook(good), hooksConfig: 'off' },
    code: 'invalid_field',
    path: 'hooksConfig',
    says: '"off"',
    remedy: 'object',
    running: [h00, h01],
  },
  'a list of variables that is a text': {
    settings: { ...hook(good), security: { environmentVariableRedaction: { enabled: true, allowed: 'A' } } },
    code: 'invalid_field',
    path: 'security.environmentVariableRedaction.allowed',
    says: '"A"',
    remedy: '["NAME"]',
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
      source: 'project',
      dialect: 'gemini-cli',
    }),
  ]);
  expect(`${diagnostics[0]?.message}`).toMatch(/\.$/);
  expect(hooks.filter((entry) => entry.skip === undefined).map((entry) => entry.id)).toEqual(running);
});

test('a hook with nothing but a command has the defaults', () => {
  expect(hookOf()).toEqual({
    id: h00,
    dialect: 'gemini-cli',
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
  const fields = { name: 'guard', description: 'd', timeout: 5000, env: { A: '1' }, onError: 'block' };
  expect(hookOf(fields, 'BeforeTool', { matcher: 'write_.*', sequential: true })).toMatchObject({
    id: 'gemini-cli/project/BeforeTool/guard',
    name: 'guard',
    description: 'd',
    timeoutMs: 5000,
    onError: 'block',
    matcher: 'write_.*',
    dialectData: { sequential: true, env: { A: '1' } },
  });
});

test.each([0, -1, '500', '5s', 3e9, Number.NaN, true])('the timeout %j is a diagnostic, and the default is used', (timeout) => {
  const { hooks, diagnostics } = parsed(settingsOf({ timeout }));
  expect(codesOf(diagnostics)).toEqual(['invalid_timeout']);
  expect(hooks[0]).toMatchObject({ timeoutMs: 60_000 });
});

const same = (a: Record<string, unknown>, b: Record<string, unknown>) => hookOf(a).dedupeKey === hookOf(b).dedupeKey;

test('what makes two hooks one is name and command, as a pair', () => {
  expect(same({ env: { A: '1' }, timeout: 500 }, {})).toBe(true);
  expect(same({ name: 'a' }, {})).toBe(false);
  expect(same({ name: 'a:b', command: 'c' }, { name: 'a', command: 'b:c' })).toBe(false);
});

test.each([
  ['settings that are a list', []],
  ['hooks that are a list', { hooks: [] }],
  ['hooksConfig that is null', { hooksConfig: null }],
  ['a switch that is a text', { hooksConfig: { enabled: 'no' } }],
  ['a list of disabled hooks that is a text', { hooksConfig: { disabled: 'guard' } }],
  ['groups that are a text', { hooks: { BeforeTool: 'garbage' } }],
])('%s: the document is not usable as a whole, and an error says why', (_, settings) => {
  const { isUnusable, diagnostics } = parsed(settings);
  expect(isUnusable).toBe(true);
  expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
});

test('other settings pass silently', () => {
  const settings = {
    security: { auth: { selectedType: 'x' } },
    tools: { core: [] },
    notification: [{ channel: 'mail' }],
    hooksConfig: { enabled: true, notifications: true },
    hooks: { BeforeTool: [{ hooks: [{ ...good, color: 'red' }] }] },
  };
  expect(codesOf(parsed(settings).diagnostics)).toEqual([]);
  expect(parsed({ security: 'x' }).diagnostics).toEqual([]);
});

test('a path with white space is said where the shell would split it', () => {
  const spaced = machine({}, { projectDir: '/srv/my app' });
  const say = (command: string, context = spaced, env: Record<string, string> = {}) =>
    codesOf(parsed(settingsOf({ command, env }), 'project', context).diagnostics);
  expect(say('$GEMINI_PROJECT_DIR/x.sh')).toEqual(['unquoted_variable']);
  expect(say('"$GEMINI_PROJECT_DIR/x.sh"')).toEqual([]);
  expect(say('$GEMINI_PROJECT_DIR/x.sh', machine())).toEqual([]);
  expect(say('$GEMINI_PROJECT_DIR/x.sh', spaced, { GEMINI_PROJECT_DIR: '/srv/app' })).toEqual([]);
  expect(say('$TOOLS/x.sh', machine(), { TOOLS: '/srv/my tools' })).toEqual(['unquoted_variable']);
  // PowerShell does not split the value of a variable at blanks.
  expect(say('$GEMINI_PROJECT_DIR/x.sh', machine({}, { projectDir: 'C:\\my app', platform: 'win32' }))).toEqual([]);
});

test.each([
  ['$GEMINI_TOOL_NAME', "jq -r '.tool_name'"],
  [`$\{GEMINI_TOOL_INPUT_FILE_PATH}`, "jq -r '.tool_input.file_path'"],
  ['$CLAUDE_TOOL_INPUT', "jq -r '.tool_input'"],
])('%s is a variable that Gemini CLI does not set: the remedy is %s', (use, remedy) => {
  const { diagnostics } = parsed(hook({ type: 'command', command: `guard "${use}"` }));
  expect(diagnostics).toMatchObject([
    { code: 'unset_variable', severity: 'warning', path: 'hooks.BeforeTool[0].hooks[0].command', remedy: expect.stringContaining(remedy) },
  ]);
});

test.each([
  [{ command: 'echo "$GEMINI_SESSION_ID $GEMINI_CWD $GEMINI_PROJECT_DIR $GEMINI_MODEL $GEMINI_API_KEY"' }],
  [{ command: 'GEMINI_TOOL_NAME=$(jq -r .tool_name); echo "$GEMINI_TOOL_NAME"' }],
  [{ command: `echo "$\{GEMINI_TOOL_NAME:-none}"` }],
  [{ command: 'echo "$GEMINI_TOOL_NAME"', env: { GEMINI_TOOL_NAME: 'all' } }],
])('no unset variable is reported: %j', (fields) => {
  expect(codesOf(parsed(hook({ type: 'command', ...fields })).diagnostics)).toEqual([]);
});
