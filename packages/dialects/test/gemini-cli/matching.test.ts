import { geminiCli } from '../../src/gemini-cli/index.js';
import { machine } from '../eca/eca-rig.js';
import { eventOf } from '../event-of.js';
import { codesOf } from '../printed.js';
import { dialect, documentOf, hookOf, parsed, settingsOf } from './gemini-rig.js';

const diagnosticsOf = (matcher: unknown, eventName = 'BeforeTool') => parsed(settingsOf({}, { matcher }, eventName)).diagnostics;
const selected = (matcher: string, fields: Record<string, unknown>) =>
  dialect.select(hookOf({}, 'BeforeTool', { matcher }), eventOf('BeforeTool', fields));

test.each(['read_file|write_file', 'write_.*', '^replace$', 'a.b', '', '*'])('nothing is wrong with the matcher %j', (matcher) => {
  expect(diagnosticsOf(matcher).filter(({ severity }) => severity !== 'note')).toEqual([]);
});

test.each([
  ['*_file', '"^.*_file$"'],
  ['*_file|*_dir', '"^(.*_file|.*_dir)$"'],
  ['?', '"^.$"'],
  ['(write', 'Close the'],
])('the matcher %j is compared literally, and the remedy is %s', (matcher, remedy) => {
  expect(diagnosticsOf(matcher)).toMatchObject([
    {
      code: 'invalid_matcher',
      severity: 'error',
      message: expect.stringContaining('compared literally'),
      remedy: expect.stringContaining(remedy),
    },
  ]);
  expect(selected(matcher, { tool_name: matcher })).toMatchObject({ run: true });
  expect(selected(matcher, { tool_name: `${matcher}x` })).toMatchObject({ run: false });
});

test.each(['(?!read)', '(?<=x)y', '(a)\\1', 'a'.repeat(10_001)])('the pattern %j of an engine that backtracks does not run', (matcher) => {
  const { hooks, diagnostics } = parsed(settingsOf({}, { matcher }));
  expect(diagnostics).toMatchObject([{ code: 'invalid_matcher', severity: 'error', remedy: expect.any(String) }]);
  expect(hooks[0]?.skip).toMatchObject({ skipReason: 'invalid' });
});

test.each([
  ['Bash', 'run_shell_command'],
  ['^Bash$', '^run_shell_command$'],
  ['Write|Edit|MultiEdit', 'write_file|replace'],
  ['^(Write|Edit)$', '^(write_file|replace)$'],
  ['ReadFile', 'read_file'],
  ['READ_FILE', 'read_file'],
  ['run_command|Edit|Write', 'run_shell_command|replace|write_file'],
  ['Bash|my_tool', 'run_shell_command|my_tool'],
  ['Grep', 'grep_search|search_file_content'],
  ['^Grep$', '^(grep_search|search_file_content)$'],
])('%j is a name of another agent, and the remedy is %j', (matcher, instead) => {
  expect(diagnosticsOf(matcher)).toMatchObject([
    {
      code: 'unmatched_matcher',
      severity: 'warning',
      message: expect.stringContaining('only a tool to which the agent gives that name.'),
      remedy: `Write ${JSON.stringify(instead)}.`,
    },
  ]);
});

test.each([
  'run_shell_command',
  'write_file|replace',
  'my_tool',
  'mcp_github',
  '^write$',
  '^bash_history$',
  '(Bash|x)_tool',
  'Bash.+',
  'glob',
])('there is nothing to say about the matcher %j', (matcher) => expect(diagnosticsOf(matcher)).toEqual([]));

test.each([
  ['write', 'write_file'],
  ['shell', 'run_shell_command'],
  ['write_file|read', 'read_file, read_many_files'],
])('a note says that %j fits longer names: %s', (matcher, longer) => {
  expect(diagnosticsOf(matcher)).toMatchObject([{ code: 'plain_matcher', severity: 'note', message: expect.stringContaining(longer) }]);
});

test('a name that the host has for a tool of its own is not one of another agent', () => {
  const { diagnostics } = geminiCli({ tools: { Bash: 'run_shell_command' } }).parse(
    documentOf(settingsOf({}, { matcher: 'Bash' })),
    machine(),
  );
  expect(diagnostics).toEqual([]);
});

test.each([
  ['/write/', '"write"'],
  ['/^write_.*$/i', '"^write_.*$"'],
])('the slashes of %j are said', (matcher, remedy) => {
  expect(diagnosticsOf(matcher)).toMatchObject([
    { code: 'unmatched_matcher', severity: 'warning', remedy: expect.stringContaining(remedy) },
  ]);
});

test.each([
  ['SessionStart', 'startup|resume', 'Write a group for each: "matcher": "startup", "matcher": "resume".'],
  ['SessionStart', 'Startup', 'Write "matcher": "startup".'],
  ['SessionEnd', '.*', 'Write one of these values, or remove the matcher.'],
  ['PreCompress', 'manual, auto', 'Write a group for each: "matcher": "manual", "matcher": "auto".'],
])('on %s the matcher %j equals nothing, which is reported', (eventName, matcher, remedy) => {
  expect(diagnosticsOf(matcher, eventName)).toMatchObject([{ code: 'unmatched_matcher', severity: 'warning', remedy }]);
});

test.each([
  ['SessionStart', 'compress'],
  ['SessionEnd', 'logout'],
  ['PreCompress', 'manual'],
])('on %s the matcher %j is a value', (eventName, matcher) => expect(diagnosticsOf(matcher, eventName)).toEqual([]));

test.each(['BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection', 'Notification'])(
  'on %s a matcher is ignored with a warning',
  (eventName) => {
    expect(codesOf(diagnosticsOf('x', eventName))).toEqual(['matcher_ignored']);
    for (const matcher of ['', '*']) expect(diagnosticsOf(matcher, eventName)).toEqual([]);
  },
);

test('the reason of a selection tells what was compared', () => {
  const reason = (matcher: string, fields: Record<string, unknown>) => selected(matcher, fields).reason;
  expect(reason('^write_', { tool_name: 'write_file' })).toBe('the regular expression "^write_" matches tool_name "write_file"');
  expect(reason('^write_', { tool_name: 'read_file' })).toBe('the regular expression "^write_" does not match tool_name "read_file"');
  expect(reason('*x', { tool_name: 'x' })).toBe('the matcher "*x" does not equal tool_name "x"');
  expect(reason('^x', { tool_name: 'search', mcp_context: { server_name: 'gh' } })).toContain('"mcp_gh_search" or "search"');
  expect(reason('', { tool_name: 'x' })).toBe('its matcher "" matches every BeforeTool');
  expect(selected('^x', {})).toMatchObject({
    run: false,
    reconsider: true,
    reason: 'it runs when the regular expression "^x" matches tool_name',
  });
});
