import { auggie } from '@tenterhook/dialects';
import { relativeSample } from '../relatives/relative-sample.js';

const call = { tool_name: 'launch-process', tool_input: { command: 'npm test' }, tool_use_id: 't1' };

export const sample = relativeSample({
  create: auggie,
  file: '.augment/settings.json',
  shell: 'launch-process',
  write: 'save-file',
  fileKey: 'path',
  contentKey: 'file_content',
  isPattern: true,
  timeoutUnit: 'ms',
  mcp: { search: 'search_gh', all: 'mcp:.*_gh$' },
  prompt: 'PromptSubmit',
  matchers: ['str-replace-editor|save-file', 'mcp:*'],
  base: (event, cwd) => ({
    hook_event_name: event,
    conversation_id: 's1',
    workspace_roots: [cwd],
    ...(event === 'Stop' ? { agent_stop_cause: 'end_turn' } : {}),
  }),
  rows: [
    ['PostToolUse', 'AfterTool', { ...call, tool_output: 'ok', file_changes: [] }],
    ['PostToolUse', 'AfterTool', { ...call, tool_output: '', tool_error: 'boom', file_changes: [] }],
    ['PromptSubmit', 'BeforeAgent', { prompt: 'fix it' }],
    ['Stop', 'AfterAgent', { stop_hook_active: false, last_assistant_message: 'done' }],
    ['Notification', 'Notification', { message: 'hi', notification_type: 'idle_prompt' }],
    ['SessionStart', 'SessionStart', { source: 'startup' }],
    ['SessionEnd', 'SessionEnd', { reason: 'other' }],
  ],
});
