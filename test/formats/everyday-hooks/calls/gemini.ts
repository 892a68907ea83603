import type { Collection } from '../collection.js';
import { after, afterWrite, before, beforeShell, beforeWrite } from './tools.js';

const ask = (content: string) => ({ llm_request: { model: 'm-1', messages: [{ role: 'user', content }] } });
const answer = { text: 'hi', candidates: [], usageMetadata: { totalTokenCount: 7 } };

/** Settings of a project for Gemini CLI, one hook at least on each of its events. */
export const gemini: Collection = {
  folder: 'gemini',
  dialect: 'gemini-cli',
  calls: [
    {
      title: 'context and a message',
      event: 'SessionStart',
      input: { source: 'startup' },
      given: { 'project/memories.txt': 'Use tabs\nNo semicolons\n' },
      expected: { ran: 1, context: '- Use tabs\n- No semicolons', message: '2 memories' },
    },
    { title: 'another source', event: 'SessionStart', input: { source: 'resume' }, expected: { ran: 0 } },
    {
      title: 'a line of Python',
      event: 'BeforeAgent',
      input: { prompt: 'Go on.' },
      expected: { ran: 1, context: '6 characters' },
    },
    { title: 'an allow decides nothing', ...beforeWrite('a.ts', 'a'), expected: { ran: 1 } },
    {
      title: 'a secret, with a log on stderr',
      ...before('replace', { file_path: 'a.ts', old_string: 'a', new_string: 'password=1' }),
      expected: { ran: 1, decision: 'deny', reason: 'Security policy: a possible secret', message: 'Blocked a secret' },
    },
    { title: 'a command that stays', ...beforeShell('ls'), expected: { ran: 1 } },
    {
      title: 'a command that is replaced',
      ...beforeShell('terraform apply -auto-approve'),
      expected: { ran: 1, changes: { 'tool_input.command': 'terraform plan -auto-approve' } },
    },
    { title: 'text is a message', ...afterWrite('a.ts', 'a\nb'), expected: { ran: 1, message: '2 lines' } },
    {
      title: 'a deny after a tool replaces the result',
      ...after('read_file', { file_path: 'key.pem' }, 'BEGIN PRIVATE KEY'),
      expected: {
        ran: 1,
        decision: 'deny',
        reason: 'The text was removed.',
        changes: { 'tool_response.llmContent': 'The text was removed.', 'tool_response.returnDisplay': 'The text was removed.' },
      },
    },
    { title: 'a result that stays', ...after('read_file', { file_path: 'a.txt' }, 'a'), expected: { ran: 1 } },
    {
      title: 'an answer without a summary',
      event: 'AfterAgent',
      input: { prompt: 'x', prompt_response: 'Done.', stop_hook_active: false },
      expected: { ran: 1, decision: 'deny', reason: 'End with a Summary.' },
    },
    {
      title: 'an answer with a summary',
      event: 'AfterAgent',
      input: { prompt: 'x', prompt_response: 'Summary: done.', stop_hook_active: false },
      expected: { ran: 1 },
    },
    {
      title: 'a choice of tools',
      event: 'BeforeToolSelection',
      input: ask('only read, please'),
      expected: { ran: 1, changes: { 'toolConfig.mode': 'ANY', 'toolConfig.allowedFunctionNames': ['glob', 'read_file'] } },
    },
    { title: 'no choice of tools', event: 'BeforeToolSelection', input: ask('write'), expected: { ran: 1 } },
    {
      title: 'a log of models',
      event: 'BeforeModel',
      input: ask('hello'),
      expected: { ran: 1, files: { 'project/models.txt': 'm-1\n' } },
    },
    {
      title: 'a log of tokens',
      event: 'AfterModel',
      input: { ...ask('hello'), llm_response: answer },
      expected: { ran: 1, files: { 'project/tokens.txt': '7\n' } },
    },
    {
      title: 'a process in the background for which the hook waits',
      event: 'PreCompress',
      input: { trigger: 'manual' },
      expected: { ran: 1, files: { 'project/trigger.txt': 'manual\n' } },
    },
    {
      title: 'a notifier without its program',
      event: 'Notification',
      input: { notification_type: 'ToolPermission', message: 'May I?', details: {} },
      expected: { ran: 1 },
    },
    {
      title: 'the end of a session',
      event: 'SessionEnd',
      input: { reason: 'exit' },
      expected: { ran: 1, files: { 'project/last-session.txt': 's1\n' } },
    },
  ],
};
