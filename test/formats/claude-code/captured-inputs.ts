import { type CapturedInput, type CapturedRow, captured } from '../../support/captured-inputs.js';

/** One input of every event. `cwd`: the project in which the event is fired. */
export function capturedInputs(cwd: string): CapturedInput[] {
  return captured(claudeRows(cwd), (event) => claudeBase(event, cwd));
}

const claudeBase = (event: string, cwd: string) => ({
  session_id: 's1',
  transcript_path: '/srv/t.jsonl',
  cwd,
  permission_mode: 'acceptEdits',
  hook_event_name: event,
});

function claudeRows(cwd: string): CapturedRow[] {
  const edit = {
    tool_name: 'Edit',
    tool_input: { file_path: `${cwd}/a.ts`, old_string: 'a', new_string: 'b', replace_all: true },
    tool_use_id: 'toolu_01',
  };
  const bash = {
    tool_name: 'Bash',
    tool_input: { command: 'npm test', description: 'run tests', timeout: 60_000 },
    tool_use_id: 'toolu_02',
  };
  const grep = {
    tool_name: 'Grep',
    tool_input: { pattern: 'x', path: cwd, glob: '*.ts', output_mode: 'content' },
    tool_use_id: 'toolu_03',
  };
  const { tool_use_id: _id, ...asked } = bash;
  const switched = { from_model: 'a', to_model: 'b', requested_model: 'b', source: 'command', context_tokens: 1, cache_ttl: '5m' };
  return [
    ['PreToolUse', 'BeforeTool', edit],
    ['PreToolUse', 'BeforeTool', { ...bash, agent_id: 'a1', agent_type: 'explore' }],
    [
      'PreToolUse',
      'BeforeTool',
      { tool_name: 'Task', tool_input: { subagent_type: 'x', prompt: 'p', description: 'd' }, tool_use_id: 't' },
    ],
    ['PreToolUse', 'BeforeTool', { tool_name: 'mcp__github__create_issue', tool_input: { path: 'p', title: 't' }, tool_use_id: 't' }],
    [
      'PreToolUse',
      'BeforeTool',
      { tool_name: 'NotebookEdit', tool_input: { notebook_path: '/n.ipynb', new_source: '' }, tool_use_id: 't' },
    ],
    ['PostToolUse', 'AfterTool', { ...grep, tool_response: { mode: 'content', numLines: 3 }, duration_ms: 12 }],
    [
      'PostToolUse',
      'AfterTool',
      { ...bash, tool_response: 'text' },
      { tool_response: { llmContent: 'text', stdout: 'text', stderr: '', interrupted: false, isImage: false } },
    ],
    ['PostToolUseFailure', 'AfterTool', { ...bash, error: 'exit code 1', is_interrupt: false }],
    ['UserPromptSubmit', 'BeforeAgent', { prompt: 'Go on.', session_title: 'work' }],
    ['Stop', 'AfterAgent', { stop_hook_active: true, last_assistant_message: 'Done.', background_tasks: [] }],
    ['SessionStart', 'SessionStart', { source: 'compact', model: 'claude-opus-4-5' }],
    ['SessionEnd', 'SessionEnd', { reason: 'other' }],
    ['PreCompact', 'PreCompress', { trigger: 'manual', custom_instructions: 'keep the plan' }],
    ['Notification', 'Notification', { message: 'hi', title: 'Permission', notification_type: 'permission_prompt' }],
    ['PermissionRequest', 'PermissionRequest', { ...asked, permission_suggestions: [{ type: 'addRules' }] }],
    ['PermissionDenied', 'PermissionDenied', { ...bash, reason: 'not now' }],
    ['PostToolBatch', 'PostToolBatch', { tool_calls: [{ ...edit, tool_response: { ok: true } }, bash] }],
    [
      'UserPromptExpansion',
      'UserPromptExpansion',
      { expansion_type: 'slash_command', command_name: 'fix', command_args: '1', prompt: '/fix 1' },
    ],
    ['SubagentStart', 'SubagentStart', { agent_id: 'a1', agent_type: 'explore' }],
    ['SubagentStop', 'SubagentStop', { agent_id: 'a1', agent_type: 'explore', stop_hook_active: false, last_assistant_message: 'Found.' }],
    ['TaskCreated', 'TaskCreated', { task_id: '1', task_subject: 'look', task_description: 'around' }],
    ['TaskCompleted', 'TaskCompleted', { task_id: '1', task_subject: 'look' }],
    ['TeammateIdle', 'TeammateIdle', { teammate_name: 'n', team_name: 't' }],
    ['ConfigChange', 'ConfigChange', { source: 'project_settings', file_path: '/srv/s.json' }],
    ['PostCompact', 'PostCompress', { trigger: 'auto', compact_summary: 'so far' }],
    ['Setup', 'Setup', { trigger: 'init' }],
    ['StopFailure', 'StopFailure', { error: 'rate_limit', error_details: 'later', last_assistant_message: 'I was' }],
    ['MessageDisplay', 'MessageDisplay', { turn_id: '1', message_id: 'm', index: 0, final: true, delta: 'x' }],
    ['CwdChanged', 'CwdChanged', { old_cwd: '/a', new_cwd: '/b' }],
    ['DirectoryAdded', 'DirectoryAdded', { directory: '/a', source: 'command' }],
    ['FileChanged', 'FileChanged', { file_path: '/srv/.env', event: 'change' }],
    ['WorktreeCreate', 'WorktreeCreate', { name: 'w' }],
    ['WorktreeRemove', 'WorktreeRemove', { worktree_path: '/w' }],
    ['InstructionsLoaded', 'InstructionsLoaded', { file_path: '/CLAUDE.md', memory_type: 'Project', load_reason: 'session_start' }],
    ['Elicitation', 'Elicitation', { mcp_server_name: 'github', message: 'Which?', mode: 'form', requested_schema: { type: 'object' } }],
    ['ElicitationResult', 'ElicitationResult', { mcp_server_name: 'github', action: 'accept', content: { a: 1 } }],
    ['PreModelSwitch', 'PreModelSwitch', switched],
    ['PostModelSwitch', 'PostModelSwitch', switched],
  ];
}
