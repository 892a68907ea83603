import { trae } from '@tenterhook/dialects';
import { relativeSample } from '../relatives/relative-sample.js';

const call = { tool_name: 'RunCommand', llm_tool_name: 'RunCommand', tool_input: { command: 'npm test' }, tool_use_id: 't1' };

export const sample = relativeSample({
  create: trae,
  file: '.trae/hooks.json',
  userFile: '.trae-cn/hooks.json',
  shell: 'RunCommand',
  write: 'Write',
  isPattern: true,
  version: 1,
  matchers: ['Edit|Write', 'mcp.*'],
  base: (event, cwd) => ({ session_id: 's1', cwd, hook_event_name: event, workspace_roots: [cwd] }),
  rows: [
    ['PostToolUse', 'AfterTool', { ...call, tool_response: { stdout: 'ok', stderr: '', exitCode: 0, llmContent: 'ok' } }],
    ['SessionStart', 'SessionStart', { source: 'startup' }],
    ['UserPromptSubmit', 'BeforeAgent', { prompt: 'fix it' }],
    ['Stop', 'AfterAgent', { stop_hook_active: true, loop_count: 1, last_assistant_message: 'done' }],
    ['Notification', 'Notification', { notification_type: 'idle_prompt', message: 'done' }],
  ],
});
