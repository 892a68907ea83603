import { qwenCode } from '@tenterhook/dialects';
import { relativeSample } from '../relatives/relative-sample.js';

const call = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' }, tool_use_id: 't1' };

export const sample = relativeSample({
  create: qwenCode,
  file: '.qwen/settings.json',
  shell: 'run_shell_command',
  write: 'write_file',
  isPattern: true,
  timeoutUnit: 'ms',
  hasSwitch: true,
  matchers: ['WriteFile', 'write_.*', '(write_file|edit)', 'startup|compact', 'manual'],
  eventFields: {
    PostToolUseFailure: (text) => ({ tool_response: { llmContent: text, error: { message: 'no such file' } } }),
  },
  base: (event, cwd) => ({
    session_id: 's1',
    transcript_path: '/srv/t.json',
    cwd,
    hook_event_name: event,
    timestamp: '2026-11-21T10:00:00.000Z',
    permission_mode: 'default',
  }),
  rows: [
    ['PostToolUse', 'AfterTool', { ...call, tool_response: { stdout: 'ok', stderr: '', exitCode: 0, llmContent: 'ok' } }],
    ['PostToolUseFailure', 'AfterTool', { ...call, error: 'boom', is_interrupt: false }],
    ['UserPromptSubmit', 'BeforeAgent', { prompt: 'fix it' }],
    ['SessionStart', 'SessionStart', { source: 'compact' }],
    ['SessionEnd', 'SessionEnd', { reason: 'other' }],
    ['Stop', 'AfterAgent', { stop_hook_active: false, last_assistant_message: 'done' }],
    ['SubagentStart', 'SubagentStart', { agent_id: 'a1', agent_type: 'Explorer' }],
    ['SubagentStop', 'SubagentStop', { agent_id: 'a1', agent_type: 'Explorer', stop_hook_active: false }],
    ['PreCompact', 'PreCompress', { trigger: 'manual' }],
    ['Notification', 'Notification', { message: 'hi', notification_type: 'permission_prompt' }],
    ['PermissionRequest', 'PermissionRequest', call],
    ['PermissionDenied', 'PermissionDenied', { ...call, reason: 'not now' }],
    ['MessageDisplay', 'MessageDisplay', { message_id: 'm', index: 0, final: true, delta: 'x' }],
  ],
});
