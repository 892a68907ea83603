import { codeBuddy } from '@tenterhook/dialects';
import { relativeSample } from '../relatives/relative-sample.js';

const call = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't1' };

export const sample = relativeSample({
  create: codeBuddy,
  file: '.codebuddy/settings.json',
  shell: 'Bash',
  write: 'Write',
  dropsCopies: true,
  matchers: ['execute_command', 'write_to_file|replace_in_file', 'Read.*|Grep.*', 'startup'],
  base: (event, cwd) => ({
    session_id: 's1',
    transcript_path: '/srv/t.txt',
    cwd,
    permission_mode: 'default',
    hook_event_name: event,
  }),
  rows: [
    ['PostToolUse', 'AfterTool', { ...call, tool_response: { stdout: 'ok', stderr: '', exitCode: 0, llmContent: 'ok' } }],
    ['Notification', 'Notification', { message: 'hi', notification_type: 'permission_prompt' }],
    ['UserPromptSubmit', 'BeforeAgent', { prompt: 'fix it' }],
    ['Stop', 'AfterAgent', { stop_hook_active: false, last_assistant_message: 'done' }],
    ['SubagentStop', 'SubagentStop', { stop_hook_active: false, agent_id: 'a1', agent_type: 'x' }],
    ['PreCompact', 'PreCompress', { trigger: 'auto', custom_instructions: '' }],
    ['SessionStart', 'SessionStart', { source: 'startup' }],
    ['SessionEnd', 'SessionEnd', { reason: 'other' }],
  ],
});
