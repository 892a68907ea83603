import type { Invocation } from '@tenterhook/protocol';
import { geminiCli } from '../../src/gemini-cli/index.js';
import { findRivalFiles, withFile, withoutFile } from '../../src/gemini-cli/tools.js';
import { eventOf } from '../event-of.js';
import { exitOf } from '../printed.js';
import { hookOf } from './gemini-rig.js';

const dialect = geminiCli({
  tools: { bash: { as: 'run_shell_command', keys: { cmd: 'command' } }, write: 'write_file', mcp_notes: 'save_memory' },
});

const calling = (tool_name: string, tool_input: object = {}, more: object = {}) =>
  eventOf('BeforeTool', { tool_name, tool_input, ...more });

const reported = (event: ReturnType<typeof calling>) =>
  JSON.parse((dialect.invocation(event, hookOf(), {}) as Extract<Invocation, { kind: 'command' }>).stdin ?? '');

const runs = (matcher: string, event: ReturnType<typeof calling>) => dialect.select(hookOf({}, 'BeforeTool', { matcher }), event).run;

test("a tool that the host has named is reported under Gemini CLI's name, with its keys", () => {
  expect(reported(calling('bash', { cmd: 'ls', timeout: 5 }))).toMatchObject({
    tool_name: 'run_shell_command',
    tool_input: { command: 'ls', timeout: 5 },
  });
  expect(reported(calling('write', { path: 'a', content: 'b' }))['tool_input']).toEqual({ file_path: 'a', content: 'b' });
});

test.each(['run_shell_command', '^run_shell_command$', '^bash$'])('the matcher %s fits it', (matcher) => {
  expect(runs(matcher, calling('bash'))).toBe(true);
});

test('a matcher of another name does not, and other tools are reported unchanged', () => {
  expect(runs('write_file', calling('bash'))).toBe(false);
  expect(runs('run_shell_command', calling('sh'))).toBe(false);
  expect(reported(calling('sh', { cmd: 'ls' }))).toMatchObject({ tool_name: 'sh', tool_input: { cmd: 'ls' } });
  expect(reported(calling('search_file_content'))['tool_name']).toBe('search_file_content');
});

test('what the host says of a name counts before what the name looks like, and a server before both', () => {
  expect(reported(calling('mcp_notes'))['tool_name']).toBe('save_memory');
  expect(reported(calling('bash', { cmd: 'ls' }, { mcp_context: { server_name: 'far' } }))).toMatchObject({
    tool_name: 'mcp_far_bash',
    tool_input: { cmd: 'ls' },
  });
});

test('what a hook writes goes back under the keys of the host', () => {
  const written = (tool_name: string, tool_input: object, returned: object) =>
    dialect.decode(
      exitOf({ stdout: JSON.stringify({ hookSpecificOutput: { tool_input: returned } }) }),
      calling(tool_name, tool_input),
      hookOf(),
    ).output?.hookSpecificOutput?.['tool_input'];
  expect(written('bash', { cmd: 'ls' }, { command: 'ls -l', timeout: 1 })).toEqual({ cmd: 'ls -l', timeout: 1 });
  expect(written('write', { path: 'a' }, { file_path: 'b' })).toEqual({ path: 'b' });
  expect(written('write_file', { path: 'a' }, { file_path: 'b' })).toEqual({ path: 'b' });
  expect(written('sh', { cmd: 'a' }, { command: 'b' })).toEqual({ command: 'b' });
});

test('two arguments that could both be one of Gemini CLI, and differ, are refused before the tool', () => {
  const both = { cmd: 'ls', command: 'rm' };
  expect(dialect.invocation(calling('bash', both), hookOf(), {})).toEqual({
    kind: 'refused',
    reason: expect.stringMatching(/"cmd" and "command"|"command" and "cmd"/),
  });
  const after = eventOf('AfterTool', { tool_name: 'bash', tool_input: both, tool_response: {} });
  expect(dialect.invocation(after, hookOf({}, 'AfterTool'), {})).toMatchObject({ kind: 'command' });
});

test('two agents in one process do not see the tools of each other', () => {
  const event = calling('bash', { cmd: 'ls' });
  expect(reported(event)['tool_name']).toBe('run_shell_command');
  expect(geminiCli().invocation(event, hookOf(), {})).toMatchObject({ stdin: expect.stringContaining('"tool_name":"bash"') });
});

test.each(['read_file', 'write_file', 'replace'])(
  'the file of %s stands under file_path as well, where the host has another key',
  (tool) => {
    expect(withFile(tool, { path: 'a', x: 1 })).toEqual({ path: 'a', x: 1, file_path: 'a' });
  },
);

test('keys of its own are left as they are, and so are other tools', () => {
  for (const input of [{ file_path: 'a', path: 'b' }, { absolute_path: '/a', path: 'b' }, { a: 1 }, { path: 7 }]) {
    expect(withFile('write_file', input)).toBe(input);
  }
  const input = { path: 'a' };
  expect(withFile('list_directory', input)).toBe(input);
  expect(withFile('mcp_gh_write_file', input)).toBe(input);
});

test.each([
  [{ file_path: 'b' }, { path: 'b' }],
  [{ path: 'b' }, { path: 'b' }],
  [{ path: 'a', file_path: 'b' }, { path: 'b' }],
  [{ path: 'b', file_path: 'a' }, { path: 'b' }],
  [{ file_path: 'a' }, { path: 'a' }],
  [{ content: 'x' }, { content: 'x' }],
])('a hook that returns %j writes %j', (returned, written) => {
  expect(withoutFile('write_file', returned, { path: 'a', content: 'c' })).toEqual(written);
});

test('a file under a key of its own is written under that', () => {
  expect(withoutFile('write_file', { file_path: 'b' }, { file_path: 'a' })).toEqual({ file_path: 'b' });
  expect(withoutFile('write_file', { file_path: 'b' }, undefined)).toEqual({ file_path: 'b' });
});

test.each([null, '', 7])('%j is not a file, and hides none', (file_path) => {
  expect(withFile('read_file', { path: '.env', file_path })).toMatchObject({ path: '.env', file_path: '.env' });
});

test('two files of one tool are rivals', () => {
  expect(findRivalFiles('read_file', { path: '.env', file_path: 'README' })).toEqual(['file_path', 'path']);
  expect(findRivalFiles('read_file', { path: 'a', file_path: 'a' })).toBeUndefined();
  expect(findRivalFiles('read_file', { path: 'a', file_path: null })).toBeUndefined();
  expect(findRivalFiles('list_directory', { path: 'a', dir_path: 'b' })).toBeUndefined();
});
