import { type CapturedInput, type CapturedRow, captured } from '../../support/captured-inputs.js';

/** One input of every event. `cwd`: the project in which the event is fired. */
export function capturedInputs(cwd: string): CapturedInput[] {
  return captured(codexRows, (event) => codexBase(event, cwd));
}

const codexBase = (event: string, cwd: string) => ({ session_id: 's1', transcript_path: null, cwd, hook_event_name: event });

const codexTurn = { turn_id: 'u1', model: 'm-1', permission_mode: 'plan' };
const codexCall = { ...codexTurn, tool_name: 'Bash', tool_input: { command: 'npm test' } };
const codexPatch = { command: '*** Begin Patch\n*** Add File: /srv/a.txt\n+one\n+two\n*** End Patch' };
const codexCompaction = { turn_id: 'u1', model: 'm-1', trigger: 'auto' };
const codexAgent = { ...codexTurn, agent_id: 'a1', agent_type: 'explore' };

const codexRows: readonly CapturedRow[] = [
  ['PreToolUse', 'BeforeTool', { ...codexCall, tool_use_id: 'call_1' }],
  ['PreToolUse', 'BeforeTool', { ...codexTurn, tool_name: 'apply_patch', tool_input: codexPatch, tool_use_id: 'call_2' }],
  ['PreToolUse', 'BeforeTool', { ...codexTurn, tool_name: 'mcp__gh__search', tool_input: { q: 'x' }, tool_use_id: 'call_3' }],
  ['PermissionRequest', 'PermissionRequest', codexCall],
  ['PostToolUse', 'AfterTool', { ...codexCall, tool_response: { llmContent: 'ok' }, tool_use_id: 'call_1' }],
  ['UserPromptSubmit', 'BeforeAgent', { ...codexTurn, prompt: 'fix it' }],
  ['Stop', 'AfterAgent', { ...codexTurn, stop_hook_active: true, last_assistant_message: 'done' }],
  ['SessionStart', 'SessionStart', { model: 'm-1', permission_mode: 'default', source: 'compact' }],
  ['SessionEnd', 'SessionEnd', { reason: 'other' }],
  ['PreCompact', 'PreCompress', codexCompaction],
  ['PostCompact', 'PostCompress', codexCompaction],
  ['SubagentStart', 'SubagentStart', codexAgent],
  [
    'SubagentStop',
    'SubagentStop',
    { ...codexAgent, agent_transcript_path: '/srv/t.jsonl', last_assistant_message: 'found', stop_hook_active: false },
  ],
  ['Interrupt', 'Interrupt', codexTurn],
];
