/** Typical guards in each format: they check shell commands, files with secrets, an MCP server, and words in a prompt. */
const noRemoval = "if grep -q 'rm -rf'; then echo 'nothing is removed that way' >&2; exit 2; fi";
const noSecrets = "if grep -q 'BEGIN PRIVATE KEY'; then echo 'no keys in files' >&2; exit 2; fi";
const never = 'echo never >&2; exit 2';
const noWords = "if grep -q 'forbidden word'; then echo 'not that word' >&2; exit 2; fi";
const log = 'echo ran >> ran.txt';

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });

/** The same guards in each format, as users of this format write them. */
export const hookSets: Readonly<Record<string, object>> = {
  llxprt: {
    tools: { enableHooks: true },
    hooks: {
      BeforeTool: [
        { matcher: '^run_shell_command$', hooks: [command(noRemoval, { name: 'no-removal', timeout: 5000 })] },
        { matcher: '^(write_file|replace)$', hooks: [command(noSecrets, { env: { LEVEL: 'strict' }, onError: 'block' })] },
        { matcher: 'mcp_gh_.*', hooks: [command(never)] },
      ],
      BeforeAgent: [{ hooks: [command(noWords)] }],
      AfterTool: [{ hooks: [command(log)] }],
    },
  },
  'claude-code': {
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [command(noRemoval, { timeout: 5 })] },
        { matcher: 'Write|Edit', hooks: [command(noSecrets, { onFailure: 'block', statusMessage: 'looking for keys' })] },
        { matcher: 'mcp__gh__.*', hooks: [command(never)] },
      ],
      UserPromptSubmit: [{ hooks: [command(noWords)] }],
      PostToolUse: [{ hooks: [command(log)] }],
      PostToolUseFailure: [{ hooks: [command(log)] }],
    },
  },
  'gemini-cli': {
    hooks: {
      BeforeTool: [
        { matcher: 'run_shell_command', hooks: [command(noRemoval, { name: 'no-removal', timeout: 5000 })] },
        { matcher: 'write_file|replace', sequential: true, hooks: [command(noSecrets, { description: 'looks for keys' })] },
        { matcher: '^mcp_gh_', hooks: [command(never)] },
      ],
      BeforeAgent: [{ hooks: [command(noWords)] }],
      AfterTool: [{ hooks: [command(log)] }],
    },
  },
  eca: {
    hooks: {
      'no-removal': { type: 'preToolCall', matcher: 'eca__shell_command', actions: [{ type: 'shell', shell: noRemoval, timeout: 5000 }] },
      'no-secrets': {
        type: 'preToolCall',
        matcher: 'eca__(write|edit)_file',
        visible: false,
        actions: [{ type: 'shell', shell: noSecrets }],
      },
      'no-server': { type: 'preToolCall', matcher: 'gh__.*', actions: [{ type: 'shell', shell: never }] },
      prompt: { type: 'preRequest', actions: [{ type: 'shell', shell: noWords }] },
      log: { type: 'postToolCall', runOnError: true, actions: [{ type: 'shell', shell: log }] },
    },
  },
};

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
