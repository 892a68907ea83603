import { type CapturedInput, type CapturedRow, captured } from '../../support/captured-inputs.js';

/** One input of every event, in the two forms. `cwd`: the project in which the event is fired. */
export function capturedInputs(cwd: string): CapturedInput[] {
  return [
    ...captured(camelRows, (event) => camelBase(event, cwd)),
    ...captured(pascalRows, (event) => ({ hook_event_name: event, session_id: 's1', timestamp: '2026-11-21T10:00:00.000Z', cwd })),
    ...captured(alwaysCamelRows, (event) => camelBase(event, cwd)),
  ];
}

const camelBase = (event: string, cwd: string) => ({
  sessionId: 's1',
  timestamp: 1_795_255_200_000,
  cwd,
  ...(event.toLowerCase() === 'notification' ? { hook_event_name: 'Notification' } : {}),
});

const shell = { toolName: 'bash', toolArgs: { command: 'npm test' } };
const edit = { tool_name: 'Edit', tool_input: { path: '/srv/a.txt', old_str: 'x', new_str: 'y' } };
const agent = { agentId: 'a1', agentType: 'explore', agentName: 'explore' };

const camelRows: readonly CapturedRow[] = [
  ['preToolUse', 'BeforeTool', shell],
  ['preToolUse', 'BeforeTool', { toolName: 'create', toolArgs: { path: '/srv/a.txt', file_text: 'x' } }],
  ['preMcpToolCall', 'BeforeTool', { serverName: 'gh', toolName: 'search', arguments: { q: 'x' }, _meta: {}, toolCallId: 'c1' }],
  ['postToolUse', 'AfterTool', { ...shell, toolResult: { resultType: 'success', textResultForLlm: 'ok' } }],
  ['postToolUseFailure', 'AfterTool', { ...shell, error: 'broken' }],
  ['userPromptSubmitted', 'BeforeAgent', { prompt: 'fix it' }],
  ['agentStop', 'AfterAgent', { transcriptPath: '/srv/t.jsonl', stopReason: 'end_turn', stop_hook_active: true }],
  ['sessionStart', 'SessionStart', { source: 'startup', initialPrompt: 'go' }],
  ['sessionEnd', 'SessionEnd', { reason: 'complete' }],
  ['preCompact', 'PreCompress', { transcriptPath: '/srv/t.jsonl', trigger: 'auto', customInstructions: '' }],
  ['subagentStart', 'SubagentStart', { transcriptPath: '/srv/t.jsonl', agentName: 'explore', agentDisplayName: 'Explore' }],
  ['subagentStop', 'SubagentStop', { transcriptPath: '/srv/t.jsonl', ...agent, response: 'found', stopReason: 'end_turn' }],
  ['userPromptTransformed', 'UserPromptTransformed', { prompt: 'p', transformedPrompt: 'q' }],
  ['errorOccurred', 'ErrorOccurred', { error: { message: 'm', name: 'Error' }, errorContext: 'model_call', recoverable: true }],
  ['postResult', 'PostResult', {}],
  ['prePRDescription', 'PrePRDescription', {}],
];

const pascalRows: readonly CapturedRow[] = [
  ['PreToolUse', 'BeforeTool', { tool_name: 'Bash', tool_input: { command: 'npm test' } }],
  ['PreToolUse', 'BeforeTool', edit],
  ['PostToolUse', 'AfterTool', { ...edit, tool_result: { result_type: 'success', text_result_for_llm: 'ok' } }],
  ['PostToolUseFailure', 'AfterTool', { ...edit, error: 'broken' }],
  ['UserPromptSubmit', 'BeforeAgent', { prompt: 'fix it' }],
  ['Stop', 'AfterAgent', { transcript_path: '/srv/t.jsonl', stop_reason: 'end_turn', stop_hook_active: false }],
  ['SessionStart', 'SessionStart', { source: 'resume', initial_prompt: 'go' }],
  ['SessionEnd', 'SessionEnd', { reason: 'user_exit' }],
  ['PreCompact', 'PreCompress', { transcript_path: '/srv/t.jsonl', trigger: 'manual', custom_instructions: 'keep names' }],
  [
    'SubagentStop',
    'SubagentStop',
    {
      transcript_path: '/srv/t.jsonl',
      agent_id: 'a1',
      agent_type: 'explore',
      agent_name: 'explore',
      last_assistant_message: 'found',
      stop_reason: 'end_turn',
    },
  ],
];

const alwaysCamelRows: readonly CapturedRow[] = [
  ['notification', 'Notification', { message: 'hi', title: 't', notification_type: 'permission_prompt' }],
  ['Notification', 'Notification', { message: 'hi', notification_type: 'agent_idle' }],
  ['permissionRequest', 'PermissionRequest', { toolName: 'bash', toolInput: { command: 'npm test' } }],
];
