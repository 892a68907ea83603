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
    { code: 'unset_variable', severity: 'warning', remedy: "Read it from stdin: jq -r '.tool_input.file_path'." },
  ]);
  expect(diagnosticsOf(command(text), { environment: { CLAUDE_FILE_PATHS: 'a' } })).toEqual([]);
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
