import { families, formatNamed } from '../../../test/support/formats.js';

/** Typical guards in each format: they check shell commands, files with secrets, an MCP server, and words in a prompt. */
const noRemoval = "if grep -q 'rm -rf'; then echo 'nothing is removed that way' >&2; exit 2; fi";
const noSecrets = "if grep -q 'BEGIN PRIVATE KEY'; then echo 'no keys in files' >&2; exit 2; fi";
const never = 'echo never >&2; exit 2';
const noWords = "if grep -q 'forbidden word'; then echo 'not that word' >&2; exit 2; fi";
const log = 'echo ran >> ran.txt';

/** The same guards in each format, as users of this format write them. */
export const hookSets: Readonly<Record<string, object>> = Object.fromEntries(
  families.map((name) => [name, formatNamed(name).migration.guards({ noRemoval, noSecrets, never, noWords, log })]),
);

const key = '-----BEGIN PRIVATE KEY-----';
const onServer = (server: string, tool: string) => ({
  tool_name: `mcp_${server}_${tool}`,
  tool_input: { q: 'x' },
  mcp_context: { server_name: server, tool_name: tool },
});

/** Tool calls, and the verdict that every one of these sets must give. */
export const calls = [
  ['BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'rm -rf build' } }, 'deny'],
  ['BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } }, 'none'],
  ['BeforeTool', { tool_name: 'write_file', tool_input: { file_path: '/srv/a', content: key } }, 'deny'],
  ['BeforeTool', { tool_name: 'write_file', tool_input: { file_path: '/srv/a', content: 'rm -rf' } }, 'none'],
  ['BeforeTool', { tool_name: 'replace', tool_input: { file_path: '/srv/a', old_string: 'a', new_string: key } }, 'deny'],
  ['BeforeTool', { tool_name: 'read_file', tool_input: { file_path: key } }, 'none'],
  ['BeforeTool', onServer('gh', 'search'), 'deny'],
  ['BeforeTool', onServer('docs', 'search'), 'none'],
  ['BeforeAgent', { prompt: 'a forbidden word' }, 'deny'],
  ['BeforeAgent', { prompt: 'hello' }, 'none'],
] as const;
