/**
 * An input that an agent passed to a hook on stdin, and its canonical event. `read`: what another hook reads of it here, if that differs.
 */
export interface CapturedInput {
  readonly event: string;
  readonly eventName: string;
  readonly stdin: Readonly<Record<string, unknown>>;
  readonly read?: Readonly<Record<string, unknown>>;
}

type Row = readonly [event: string, eventName: string, fields: Readonly<Record<string, unknown>>, read?: Readonly<Record<string, unknown>>];

/** One input of every event of each format. `cwd`: the project in which the event is fired. */
export const capturedInputs: Readonly<Record<string, (cwd: string) => CapturedInput[]>> = {
  'claude-code': (cwd) =>
    claudeRows(cwd).map(([event, eventName, fields, read]) => captured(event, eventName, claudeBase(event, cwd), fields, read)),
  'gemini-cli': (cwd) =>
    canonicalRows.slice(0, 11).map(([event, eventName, fields]) => captured(event, eventName, geminiBase(event, cwd), fields)),
  llxprt: (cwd) => canonicalRows.map(([event, eventName, fields]) => captured(event, eventName, geminiBase(event, cwd), fields)),
  eca: (cwd) => ecaRows.map(([event, eventName, fields, read]) => captured(event, eventName, ecaBase(event, cwd), fields, read)),
};

function captured(event: string, eventName: string, base: object, fields: object, read?: object): CapturedInput {
  const stdin = { ...base, ...fields };
  return { event, eventName, stdin, ...(read === undefined ? {} : { read: { ...stdin, ...read } }) };
}

const claudeBase = (event: string, cwd: string) => ({
  session_id: 's1',
  transcript_path: '/srv/t.jsonl',
  cwd,
  permission_mode: 'acceptEdits',
  hook_event_name: event,
});

function claudeRows(cwd: string): Row[] {
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

const geminiBase = (event: string, cwd: string) => ({
  session_id: 's1',
  transcript_path: '/srv/t.json',
  cwd,
  hook_event_name: event,
  timestamp: '2026-11-21T10:00:00.000Z',
});

const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }], config: { temperature: 0 } };
const call = { tool_name: 'write_file', tool_input: { file_path: 'a.txt', content: 'x' } };

/** Gemini CLI has the first eleven events, LLxprt's format has all. */
const canonicalRows: readonly Row[] = [
  [
    'BeforeTool',
    'BeforeTool',
    { ...call, mcp_context: { server_name: 'files', tool_name: 'write_file' }, tool_name: 'mcp_files_write_file' },
  ],
  ['AfterTool', 'AfterTool', { ...call, tool_response: { llmContent: 'ok', returnDisplay: 'ok' } }],
  ['BeforeAgent', 'BeforeAgent', { prompt: 'Go on.' }],
  ['AfterAgent', 'AfterAgent', { prompt: 'Go on.', prompt_response: 'Done.', stop_hook_active: false }],
  ['BeforeModel', 'BeforeModel', { llm_request: request }],
  [
    'AfterModel',
    'AfterModel',
    {
      llm_request: request,
      llm_response: { text: 'Hi', candidates: [{ content: { role: 'model', parts: ['Hi'] }, finishReason: 'STOP' }] },
    },
  ],
  ['BeforeToolSelection', 'BeforeToolSelection', { llm_request: request }],
  ['SessionStart', 'SessionStart', { source: 'startup' }],
  ['SessionEnd', 'SessionEnd', { reason: 'exit' }],
  ['PreCompress', 'PreCompress', { trigger: 'auto' }],
  ['Notification', 'Notification', { notification_type: 'ToolPermission', message: 'hi', details: { type: 'edit' } }],
  ['HostStart', 'HostStart', {}],
  ['HostEnd', 'HostEnd', {}],
];

const ecaBase = (type: string, cwd: string) => ({
  hook_name: type,
  hook_type: type,
  workspaces: [cwd],
  cwd,
  db_cache_path: '',
  session_id: 's1',
  eca_executable: '',
});
const inChat = { chat_id: 's1', agent: 'plan', behavior: 'plan' };
const ofSubagent = { chat_id: 'c2', parent_chat_id: 's1', agent: 'explore', behavior: 'explore' };
const shell = { tool_name: 'shell_command', server: 'eca', tool_input: { command: 'npm test' }, tool_call_id: 'call-1' };

const ecaRows: readonly Row[] = [
  ['sessionStart', 'HostStart', {}],
  ['sessionEnd', 'HostEnd', {}],
  ['chatStart', 'SessionStart', { ...inChat, resumed: true }],
  ['chatEnd', 'SessionEnd', inChat],
  ['preRequest', 'BeforeAgent', { ...inChat, prompt: 'Go on.' }],
  // ECA's `session_id` is the name of a folder of its cache.
  [
    'preRequest',
    'BeforeAgent',
    { ...inChat, session_id: 'app_1f', full_model: 'acme/large', variant: 'fast', prompt: 'p' },
    { session_id: 's1' },
  ],
  ['postRequest', 'AfterAgent', { ...inChat, prompt: 'Go on.', response: 'Done.', follow_up_active: true }],
  ['subagentStart', 'SubagentStart', ofSubagent],
  ['subagentPostRequest', 'SubagentStop', { ...ofSubagent, response: 'Found it.', follow_up_active: false }],
  ['preCompact', 'PreCompress', { ...inChat, triggered: 'manual', custom_instructions: 'keep names' }],
  ['postCompact', 'PostCompress', { ...inChat, triggered: 'auto', compact_summary: 'Done so far: …' }],
  ['preToolCall', 'BeforeTool', { ...inChat, ...shell, approval: 'allow' }],
  ['preToolCall', 'BeforeTool', { ...inChat, tool_name: 'read_file', server: 'eca', tool_input: { path: '/srv/a.txt' }, approval: 'ask' }],
  ['preToolCall', 'BeforeTool', { ...inChat, tool_name: 'create_issue', server: 'github', tool_input: { path: 'p' }, approval: 'ask' }],
  ['postToolCall', 'AfterTool', { ...inChat, ...shell, tool_response: { ok: true }, error: false }],
  [
    'postToolCall',
    'AfterTool',
    { ...inChat, ...shell, tool_response: [{ type: 'text', text: 'no' }], error: true },
    { tool_response: { llmContent: [{ type: 'text', text: 'no' }], error: 'The tool failed.' } },
  ],
];
