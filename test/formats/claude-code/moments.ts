import type { Moment } from './claude-hooks.js';

const bash = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };

/** Events with a canonical counterpart. */
export const moments: readonly Moment[] = [
  ['PreToolUse', 'BeforeTool', bash],
  ['PostToolUse', 'AfterTool', { ...bash, tool_response: { llmContent: 'ok' } }],
  ['PostToolUseFailure', 'AfterTool', { ...bash, tool_response: { llmContent: 'exit 1', error: { message: 'exit 1' } } }],
  ['UserPromptSubmit', 'BeforeAgent', { prompt: 'fix it' }],
  ['Stop', 'AfterAgent', { prompt: 'fix it', prompt_response: 'done', stop_hook_active: false }],
  ['SessionStart', 'SessionStart', { source: 'startup' }],
  ['SessionEnd', 'SessionEnd', { reason: 'exit' }],
  ['PreCompact', 'PreCompress', { trigger: 'auto' }],
  ['Notification', 'Notification', { notification_type: 'ToolPermission', message: 'May I?', details: {} }],
];

const edit = { tool_name: 'Edit', tool_input: { file_path: '/srv/app/a.ts', old_string: 'a', new_string: 'b' } };
const model = {
  from_model: 'm-1',
  to_model: 'm-2',
  requested_model: 'm-2',
  source: 'command',
  context_tokens: 10,
  prompt_cache_warm: true,
  cache_ttl: '5m',
  estimated_cache_write_usd: 0.1,
  pricing: { input: 1 },
};

/** Events that only a host publishes. The keys of their inputs are Claude Code's. */
export const hostMoments: readonly Moment[] = [
  ['PermissionRequest', 'PermissionRequest', { ...edit, permission_suggestions: [] }],
  ['PermissionDenied', 'PermissionDenied', { ...edit, tool_use_id: 't1', reason: 'no' }],
  ['PostToolBatch', 'PostToolBatch', { tool_calls: [{ ...edit, tool_use_id: 't1', tool_response: { ok: true } }] }],
  [
    'UserPromptExpansion',
    'UserPromptExpansion',
    { expansion_type: 'slash_command', command_name: 'review', command_args: 'a b', command_source: 'project', prompt: '/review a b' },
  ],
  ['SubagentStart', 'SubagentStart', { agent_id: 'a1', agent_type: 'reviewer' }],
  [
    'SubagentStop',
    'SubagentStop',
    {
      agent_id: 'a1',
      agent_type: 'reviewer',
      stop_hook_active: false,
      agent_transcript_path: '/srv/a1.jsonl',
      last_assistant_message: 'done',
    },
  ],
  ['TaskCreated', 'TaskCreated', { task_id: '1', task_subject: 's', task_description: 'd', teammate_name: 't', team_name: 'n' }],
  ['TaskCompleted', 'TaskCompleted', { task_id: '1', task_subject: 's' }],
  ['TeammateIdle', 'TeammateIdle', { teammate_name: 't', team_name: 'n' }],
  ['ConfigChange', 'ConfigChange', { source: 'project_settings', file_path: '/srv/app/.claude/settings.json' }],
  ['PostCompact', 'PostCompress', { trigger: 'manual', compact_summary: 's' }],
  ['Setup', 'Setup', { trigger: 'init' }],
  ['StopFailure', 'StopFailure', { error: 'rate_limit', error_details: 'd', last_assistant_message: 'm' }],
  ['MessageDisplay', 'MessageDisplay', { turn_id: 'u1', message_id: 'm1', index: 0, final: true, delta: 'hello' }],
  ['CwdChanged', 'CwdChanged', { old_cwd: '/srv/app', new_cwd: '/srv/lib' }],
  ['DirectoryAdded', 'DirectoryAdded', { directory: '/srv/lib', source: 'slash_command' }],
  ['FileChanged', 'FileChanged', { file_path: '/srv/app/.envrc', event: 'change' }],
  ['WorktreeCreate', 'WorktreeCreate', { name: 'w1' }],
  ['WorktreeRemove', 'WorktreeRemove', { worktree_path: '/srv/w1' }],
  [
    'InstructionsLoaded',
    'InstructionsLoaded',
    { file_path: '/srv/app/CLAUDE.md', memory_type: 'Project', load_reason: 'session_start', globs: ['*.ts'] },
  ],
  ['Elicitation', 'Elicitation', { mcp_server_name: 'gh', message: 'Who?', mode: 'form', elicitation_id: 'e1', requested_schema: {} }],
  [
    'ElicitationResult',
    'ElicitationResult',
    { mcp_server_name: 'gh', elicitation_id: 'e1', mode: 'form', action: 'accept', content: { a: 1 } },
  ],
  ['PreModelSwitch', 'PreModelSwitch', model],
  ['PostModelSwitch', 'PostModelSwitch', { ...model, source: 'auto' }],
];

/** Returns the event with this name. */
export function moment(event: string): Moment {
  const found = [...moments, ...hostMoments].find(([name]) => name === event);
  if (found === undefined) throw new Error(`there is no event ${event}`);
  return found;
}
