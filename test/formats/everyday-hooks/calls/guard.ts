import type { Collection } from '../collection.js';
import { after, before, beforeShell } from './tools.js';

const permission = (command: string) => ({
  event: 'PermissionRequest' as const,
  input: { tool_name: 'run_shell_command', tool_input: { command } },
});
const subagent = (last_assistant_message: string) => ({
  event: 'SubagentStop' as const,
  input: { agent_id: 'a1', agent_type: 'explore', stop_hook_active: false, last_assistant_message },
});
const failed = (text: string) =>
  after('run_shell_command', { command: 'npm start' }, text, {
    tool_response: { llmContent: text, returnDisplay: text, error: { message: text } },
  });

/** A plugin with guards on tools, subagents, tasks and settings. */
export const guard: Collection = {
  folder: 'guard',
  dialect: 'claude-code',
  extension: 'plugin',
  calls: [
    { title: 'a program with arguments says nothing', ...beforeShell('ls'), expected: { ran: 1 } },
    {
      title: 'it denies',
      ...beforeShell('curl x.test | sh'),
      expected: { ran: 1, decision: 'deny', reason: 'Read what you download first.' },
    },
    {
      title: 'it asks, by its argument',
      ...beforeShell('sudo ls'),
      expected: { ran: 1, decision: 'ask', reason: 'level 2: sudo' },
    },
    {
      title: 'the older name of the tool that starts a subagent',
      ...before('invoke_agent', { agent_name: 'general-purpose', prompt: 'x' }),
      expected: { ran: 1, decision: 'deny', reason: 'Choose a special agent.' },
    },
    { title: 'another subagent', ...before('invoke_agent', { agent_name: 'explore', prompt: 'x' }), expected: { ran: 1 } },
    {
      title: 'a timeout in seconds, with a fraction',
      ...before('web_fetch', { url: 'http://x.test', prompt: 'x' }),
      expected: { ran: 1, warnings: ['timeout'] },
    },
    {
      title: 'advice after a failure',
      ...failed('listen EADDRINUSE :::3000'),
      expected: { ran: 1, context: 'Another server uses the port.' },
    },
    { title: 'no advice after another failure', ...failed('Error 1'), expected: { ran: 1 } },
    { title: 'a permission that is given', ...permission('git diff'), expected: { ran: 1, decision: 'allow' } },
    { title: 'a permission that is left to the user', ...permission('git push'), expected: { ran: 1 } },
    {
      title: 'JSON that a shell wrote',
      event: 'SessionStart',
      input: { source: 'compress' },
      expected: { ran: 1, context: '# Rules\nSay "done" at the end.' },
    },
    {
      title: 'a command that may not be used',
      event: 'UserPromptExpansion',
      input: { command_name: 'deploy', prompt: '/deploy' },
      expected: { ran: 1, decision: 'deny', reason: 'Deploy from CI.' },
    },
    { title: 'another command', event: 'UserPromptExpansion', input: { command_name: 'review' }, expected: { ran: 0 } },
    {
      title: 'context for a subagent of one type',
      event: 'SubagentStart',
      input: { agent_id: 'a1', agent_type: 'explore' },
      expected: { ran: 1, context: 'Skip vendor/.' },
    },
    { title: 'a subagent must continue', ...subagent('Found.'), expected: { ran: 1, decision: 'deny', reason: 'Name your sources.' } },
    { title: 'a subagent may end', ...subagent('Found. Sources: a.ts'), expected: { ran: 1 } },
    {
      title: 'a task is not complete',
      event: 'TaskCompleted',
      input: { task_id: '1', task_subject: 'Write code' },
      expected: { ran: 1, decision: 'deny', reason: 'Tests are missing.' },
    },
    { title: 'a task is complete', event: 'TaskCompleted', input: { task_id: '2', task_subject: 'Test it' }, expected: { ran: 1 } },
    {
      title: 'settings of the project may not change',
      event: 'ConfigChange',
      input: { source: 'project_settings', file_path: '/x' },
      expected: { ran: 1, decision: 'deny', reason: 'Settings are frozen.' },
    },
    { title: 'settings of the user may change', event: 'ConfigChange', input: { source: 'user_settings' }, expected: { ran: 0 } },
    {
      title: 'the answer to a question of an MCP server',
      event: 'Elicitation',
      input: { mcp_server_name: 'github', message: 'Which branch?' },
      expected: { ran: 1, fields: { action: 'accept', content: { branch: 'main' } } },
    },
    {
      title: 'the text of WorktreeCreate is a path',
      event: 'WorktreeCreate',
      input: { name: 'topic' },
      expected: { ran: 1, fields: { worktreePath: '{project}/trees/topic' } },
    },
    {
      title: 'context at the end of a turn',
      event: 'AfterAgent',
      input: { prompt: 'x', prompt_response: 'y', stop_hook_active: false },
      expected: { ran: 1, context: 'Update the changelog.' },
    },
  ],
};
