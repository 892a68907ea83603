import { devin } from '@tenterhook/dialects';
import { relativeSample } from '../relatives/relative-sample.js';

const call = { tool_name: 'exec', tool_input: { command: 'npm test' }, tool_use_id: 't1' };

export const sample = relativeSample({
  create: devin,
  file: '.devin/config.json',
  userFile: '.config/devin/config.json',
  shell: 'exec',
  write: 'write',
  isPattern: true,
  matchers: ['exec|edit', '^mcp__.*'],
  base: (event) => ({ hook_event_name: event, session_id: 'bramble-scorpion', ...(event === 'SessionStart' ? {} : { prompt_id: 'p1' }) }),
  rows: [
    ['PostToolUse', 'AfterTool', { ...call, tool_response: { success: true, output: 'ok', error: null } }],
    ['PostToolUse', 'AfterTool', { ...call, tool_response: { success: false, output: '', error: 'boom' } }],
    ['PermissionRequest', 'PermissionRequest', call],
    ['UserPromptSubmit', 'BeforeAgent', { prompt: 'fix it' }],
    ['Stop', 'AfterAgent', { stop_hook_active: true, last_assistant_message: 'done' }],
    ['PostCompaction', 'PostCompress', { summary: 'so far', trigger: 'auto' }],
    ['SessionStart', 'SessionStart', { source: 'startup' }],
    ['SessionEnd', 'SessionEnd', { reason: 'other' }],
  ],
});
