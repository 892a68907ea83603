import type { Collection } from '../collection.js';
import { after, afterShell, afterWrite, before, beforeShell, beforeWrite } from './tools.js';

const mcp = (server_name: string) => ({ mcp_context: { server_name } });
const stop = { prompt: 'x', prompt_response: 'y' };

/** The hooks of a team in its repository, and those of one member in the local settings. */
export const webApp: Collection = {
  folder: 'web-app',
  dialect: 'claude-code',
  calls: [
    { title: 'a file that may be written', ...beforeWrite('src/a.ts', 'a'), expected: { ran: 2 } },
    {
      title: 'a protected file',
      ...beforeWrite('.env.local', 'A=1'),
      expected: { ran: 2, decision: 'deny', reason: "Blocked: .env.local matches protected pattern '.env'" },
    },
    {
      title: 'a secret in an edit, found by a script with CR LF',
      ...before('replace', { path: 'a.ts', old_string: 'x', new_string: 'api_key = "abcdefgh1"' }),
      expected: { ran: 2, decision: 'deny', reason: 'Secrets belong in the vault.' },
    },
    { title: 'a command for which no condition holds', ...beforeShell('ls'), expected: { ran: 1 } },
    {
      title: 'a condition finds a push after another command',
      ...beforeShell('npm test && git push origin main'),
      expected: { ran: 2, decision: 'ask', reason: 'Push now?' },
    },
    {
      title: 'a log line before the answer: the deny is followed, and a warning names the line',
      ...beforeShell('git commit -m "stuff"'),
      expected: { ran: 2, decision: 'deny', reason: 'Write type: subject.', warnings: ['mixed_output'] },
    },
    {
      title: 'a log line alone is shown to the user',
      ...beforeShell('git commit -m "fix: typo"'),
      expected: { ran: 2, message: '[commit-message] checking: fix: typo' },
    },
    {
      title: 'a rewrite replaces the arguments',
      ...beforeShell('npm install left'),
      expected: { ran: 1, decision: 'allow', changes: { 'tool_input.command': 'pnpm install left' } },
    },
    {
      title: 'a rule about one file',
      ...before('read_file', { path: '.env' }),
      expected: { ran: 1, decision: 'deny', reason: 'Ask for the value you need.' },
    },
    { title: 'another file', ...before('read_file', { path: 'src/.env.example' }), expected: { ran: 0 } },
    {
      title: 'a tool of an MCP server by a regular expression',
      ...before('delete_issue', { id: 1 }, mcp('github')),
      expected: { ran: 1, decision: 'deny', reason: 'Not through mcp__github__delete_issue' },
    },
    { title: 'another tool of the server', ...before('search', {}, mcp('github')), expected: { ran: 0 } },
    {
      title: 'a formatter changes the file',
      ...afterWrite('src/a.css', 'a{}  '),
      given: { 'project/src/a.css': 'a{}  \nb{}\n\n' },
      expected: { ran: 4, message: '✓ formatted a.css', files: { 'project/src/a.css': 'a{}\nb{}\n' } },
    },
    {
      title: 'grep finds nothing and ends a script with set -e: a failure that decides nothing',
      ...afterWrite('src/b.ts', 'b'),
      given: { 'project/src/b.ts': 'b' },
      expected: { ran: 4, message: '✓ formatted b.ts', warnings: ['exit_code'] },
    },
    {
      title: 'the same script where grep finds a line',
      ...afterWrite('c.ts', 'console.log(1)'),
      given: { 'project/c.ts': 'console.log(1)\n' },
      expected: { ran: 4, message: '✓ formatted c.ts\n1 console.log' },
    },
    {
      title: 'feedback about a file that does not parse',
      ...after('replace', { path: 'd.py', old_string: 'a', new_string: 'b' }, 'Edited.'),
      given: { 'project/d.py': 'a = 1\nb = (\n' },
      expected: { ran: 3, decision: 'deny', reason: 'd.py does not parse: line 2' },
    },
    {
      title: 'a log of the tools of MCP servers',
      ...after('search', { query: 'bug' }, 'none', mcp('github')),
      expected: { ran: 1, files: { 'project/mcp.log': '{"tool":"mcp__github__search","query":"bug"}\n' } },
    },
    { title: 'a hook that prints its input', ...afterShell('make', 'ok'), expected: { ran: 2 } },
    {
      title: 'exit code 2 after a tool is feedback',
      ...afterShell('npm i', 'npm WARN Deprecated x'),
      expected: { ran: 2, decision: 'deny', reason: 'Replace what is deprecated.' },
    },
    {
      title: 'the text of a file is replaced',
      ...after('read_file', { path: 'conf.ini' }, 'host=a\ntoken=abc'),
      expected: {
        ran: 1,
        changes: { 'tool_response.llmContent': 'host=a\ntoken=***', 'tool_response.returnDisplay': 'host=a\ntoken=***' },
      },
    },
    { title: 'a text without a secret', ...after('read_file', { path: 'b.ini' }, 'host=a'), expected: { ran: 1 } },
    {
      title: 'context for a prompt',
      event: 'BeforeAgent',
      input: { prompt: 'Fix it' },
      given: { 'project/.git/HEAD': 'ref: refs/heads/topic\n' },
      expected: { ran: 2, context: 'Branch: topic' },
    },
    {
      title: 'a prompt that is rejected',
      event: 'BeforeAgent',
      input: { prompt: 'Password: hunter2' },
      expected: { ran: 2, decision: 'deny', reason: 'The prompt holds a password.', context: 'Branch: topic' },
    },
    { title: 'nothing to check at the end', event: 'AfterAgent', input: { ...stop, stop_hook_active: false }, expected: { ran: 1 } },
    {
      title: 'the agent must continue',
      event: 'AfterAgent',
      input: { ...stop, stop_hook_active: false },
      given: { 'project/.needs-tests': 'pnpm test' },
      expected: { ran: 1, decision: 'deny', reason: 'Run the tests: pnpm test' },
    },
    { title: 'but only once', event: 'AfterAgent', input: { ...stop, stop_hook_active: true }, expected: { ran: 1 } },
    {
      title: 'JSON with context and a message',
      event: 'SessionStart',
      input: { source: 'resume' },
      expected: { ran: 1, context: 'Node 20', message: 'Ready' },
    },
    { title: 'another source', event: 'SessionStart', input: { source: 'clear' }, expected: { ran: 0 } },
  ],
};
