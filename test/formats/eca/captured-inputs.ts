import { type CapturedInput, type CapturedRow, captured } from '../../support/captured-inputs.js';

/** One input of every event. `cwd`: the project in which the event is fired. */
export function capturedInputs(cwd: string): CapturedInput[] {
  return captured(ecaRows, (event) => ecaBase(event, cwd));
}

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

const ecaRows: readonly CapturedRow[] = [
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
