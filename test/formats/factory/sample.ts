import { factoryDroid } from '@tenterhook/dialects';
import { relativeSample } from '../relatives/relative-sample.js';

const call = { tool_name: 'Execute', tool_input: { command: 'npm test' }, tool_use_id: 't1' };
const stop = { stop_hook_active: true, stopHookActive: true };

export const sample = relativeSample({
  create: factoryDroid,
  file: '.factory/settings.json',
  shell: 'Execute',
  write: 'Create',
  dropsCopies: true,
  matchers: ['Bash', 'Edit|Write', 'Notebook.*', 'startup|compact', 'manual'],
  base: (event, cwd) => ({
    sessionId: 's1',
    session_id: 's1',
    transcriptPath: '/srv/t.jsonl',
    transcript_path: '/srv/t.jsonl',
    cwd,
    permissionMode: 'auto-low',
    permission_mode: 'auto-low',
    hookEventName: event,
    hook_event_name: event,
  }),
  rows: [
    ['PostToolUse', 'AfterTool', { ...call, tool_response: { stdout: 'ok', stderr: '', exitCode: 0, llmContent: 'ok' } }],
    ['Notification', 'Notification', { message: 'hi', notification_type: 'permission_prompt' }],
    ['UserPromptSubmit', 'BeforeAgent', { prompt: 'fix it' }],
    ['Stop', 'AfterAgent', { ...stop, last_assistant_message: 'done' }],
    ['SubagentStop', 'SubagentStop', { ...stop, agent_id: 'a1', agent_type: 'x' }],
    ['PreCompact', 'PreCompress', { trigger: 'manual', custom_instructions: 'keep names', customInstructions: 'keep names' }],
    ['SessionStart', 'SessionStart', { source: 'compact' }],
    ['SessionEnd', 'SessionEnd', { reason: 'other' }],
  ],
});
