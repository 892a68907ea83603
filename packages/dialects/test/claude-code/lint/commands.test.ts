import type { DialectContext } from '@tenterhook/protocol';
import { claudeCode } from '../../../src/index.js';

const context: DialectContext = {
  projectDir: '/srv/my app',
  home: '/home/ann',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};

function diagnosticsOf(hooks: unknown, more: Partial<DialectContext> = {}) {
  const document = { source: 'project', value: { hooks }, locate: () => undefined };
  return claudeCode()
    .parse(document, { ...context, ...more })
    .diagnostics.map(({ code, severity, remedy }) => ({ code, severity, remedy }));
}
const command = (text: string) => ({ PreToolUse: [{ hooks: [{ type: 'command', command: text }] }] });
const matcher = (event: string, text: string) => ({ [event]: [{ matcher: text, hooks: [{ type: 'command', command: 'x' }] }] });

test('a directory with white space and no quotes around its variable is said', () => {
  expect(diagnosticsOf(command('$CLAUDE_PROJECT_DIR/x.sh'))).toEqual([
    { code: 'unquoted_variable', severity: 'warning', remedy: expect.stringContaining('CLAUDE_PROJECT_DIR') },
  ]);
  expect(diagnosticsOf(command('"$CLAUDE_PROJECT_DIR"/x.sh'))).toEqual([]);
  expect(diagnosticsOf(command('$CLAUDE_PROJECT_DIR/x.sh'), { projectDir: '/srv/app' })).toEqual([]);
});

test('a variable that no hook is given is said, once, unless the agent has it', () => {
  const text = 'prettier "$CLAUDE_FILE_PATHS"; echo $CLAUDE_FILE_PATHS';
  expect(diagnosticsOf(command(text))).toEqual([
    { code: 'unset_variable', severity: 'warning', remedy: "Read the value from stdin: jq -r '.tool_input.file_path'." },
  ]);
  expect(diagnosticsOf(command(text), { environment: { CLAUDE_FILE_PATHS: 'a' } })).toEqual([]);
});

test.each([
  ['$CLAUDE_TOOL_INPUT_FILE_PATH', "Read the value from stdin: jq -r '.tool_input.file_path'."],
  [`eslint "\${CLAUDE_TOOL_FILE_PATH}"`, "Read the value from stdin: jq -r '.tool_input.file_path'."],
  ['policy --tool "$TOOL_NAME"', "Read the value from stdin: jq -r '.tool_name'."],
  ['policy --output "$TOOL_OUTPUT"', "Read the value from stdin: jq -r '.tool_response'."],
  ['log $CLAUDE_SESSION_ID', "Read the value from stdin: jq -r '.session_id'."],
  ['log $CLAUDE_WORKING_DIR', 'Read the fields of the event from stdin, or set the variable in "env" of the settings.'],
  [`log \${CLAUDE_MODEL}`, 'Read the fields of the event from stdin, or set the variable in "env" of the settings.'],
])('a variable that Claude Code does not set is reported: %s', (text, remedy) => {
  expect(diagnosticsOf(command(text))).toEqual([{ code: 'unset_variable', severity: 'warning', remedy }]);
});

test.each([
  '"$CLAUDE_PROJECT_DIR"/a.sh "$CLAUDE_PLUGIN_ROOT" $CLAUDE_PLUGIN_DATA $CLAUDE_PLUGIN_OPTION_STYLE',
  'echo $CLAUDE_CODE_REMOTE $CLAUDE_CODE_SESSION_ID $CLAUDE_EFFORT $CLAUDE_CONFIG_DIR >> "$CLAUDE_ENV_FILE"',
  'TOOL_NAME=$(jq -r .tool_name); policy "$TOOL_NAME"',
  'read -r TOOL_INPUT; policy "$TOOL_INPUT"',
  'for TOOL_OUTPUT in a b; do echo $TOOL_OUTPUT; done',
  'export CLAUDE_MODEL=x && run $CLAUDE_MODEL',
  `echo "\${CLAUDE_MODEL:-unknown}" "\${TOOL_NAME-}"`,
  'echo $TOOL_NAMES $MY_TOOL_NAME $CLAUDE_ $claude_model',
])('nothing is said of variables that are set, or that may be missing: %s', (text) => {
  expect(diagnosticsOf(command(text), { projectDir: '/srv/app' })).toEqual([]);
});

test('a variable that "env" of the same settings sets is set', () => {
  const value = { env: { CLAUDE_MODEL: 'large' }, hooks: command('run $CLAUDE_MODEL $CLAUDE_TEAM') };
  const { diagnostics } = claudeCode().parse({ source: 'user', value, locate: () => undefined }, context);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    '$CLAUDE_TEAM is not a variable that Claude Code sets for hooks; it is empty.',
  ]);
});

test.each([
  ['SessionStart', 'new'],
  ['SessionEnd', 'exit'],
  ['PreCompact', 'automatic'],
  ['Setup', 'start'],
])('on %s a matcher %j fits nothing, which is said', (event, text) => {
  expect(diagnosticsOf(matcher(event, text))).toMatchObject([{ code: 'unmatched_matcher', severity: 'warning' }]);
  expect(diagnosticsOf(matcher(event, `${text}|.*`))).toEqual([]);
});

test.each([
  ['Bash(git push:*)', 'unmatched_matcher', '"if": "Bash(git push:*)"'],
  ['Write(*.py)', 'invalid_matcher', '"if": "Write(*.py)"'],
  ['*.ts', 'invalid_matcher', '"if": "Edit(*.ts)"'],
])('for a matcher %j the warning says what it was meant for', (text, code, remedy) => {
  expect(diagnosticsOf(matcher('PreToolUse', text))).toMatchObject([{ code, remedy: expect.stringContaining(remedy) }]);
});

test('the name of a tool in the place of an event is reported with what to write', () => {
  expect(diagnosticsOf({ Bash: [] })).toMatchObject([{ code: 'unknown_event', remedy: expect.stringContaining('"matcher": "Bash"') }]);
});

test('the env of a settings file has to be texts', () => {
  const { diagnostics } = claudeCode().parse({ source: 'project', value: { env: [] }, locate: () => undefined }, context);
  expect(diagnostics).toMatchObject([{ code: 'invalid_field', path: 'env' }]);
});
