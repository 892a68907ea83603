import { type CapturedInput, type CapturedRow, captured } from '../../support/captured-inputs.js';

/** One input of every event. `cwd`: the project in which the event is fired. */
export function capturedInputs(cwd: string): CapturedInput[] {
  return captured(cursorRows(cwd), (event) => cursorBase(event, cwd));
}

const cursorBase = (event: string, cwd: string) => ({
  conversation_id: 'c1',
  generation_id: 'g1',
  model: 'm-1',
  session_id: 'c1',
  hook_event_name: event,
  cursor_version: '1.7.2',
  workspace_roots: [cwd],
  user_email: 'user@example.com',
  transcript_path: null,
});

function cursorRows(cwd: string): CapturedRow[] {
  const call = { tool_name: 'Shell', tool_input: { command: 'npm test' }, tool_use_id: 'tool_1', cwd };
  const mcp = { tool_name: 'search', tool_input: '{"q":"x"}', mcp_server_name: 'gh', command: 'npx gh-mcp' };
  const edits = [{ old_string: 'a', new_string: 'b' }];
  const agent = { subagent_type: 'explore', task: 'look' };
  return [
    ['preToolUse', 'BeforeTool', { ...call, agent_message: 'I test.' }],
    ['preToolUse', 'BeforeTool', { ...call, tool_name: 'Write', tool_input: { file_path: '/srv/a', content: 'x' }, agent_message: '' }],
    ['beforeShellExecution', 'BeforeTool', { command: 'npm test', cwd, sandbox: true }],
    ['beforeMCPExecution', 'BeforeTool', mcp],
    ['beforeReadFile', 'BeforeTool', { file_path: '/srv/a', content: 'x', attachments: [] }],
    ['postToolUse', 'AfterTool', { ...call, tool_output: '{"output":"ok","exitCode":0}', duration: 5 }],
    ['postToolUseFailure', 'AfterTool', { ...call, error_message: 'broken', failure_type: 'timeout', duration: 5, is_interrupt: false }],
    ['afterShellExecution', 'AfterTool', { command: 'npm test', output: 'ok', duration: 5, sandbox: false, cwd }],
    ['afterMCPExecution', 'AfterTool', { ...mcp, result_json: '{"llmContent":"ok"}', duration: 5 }],
    ['afterFileEdit', 'AfterTool', { file_path: '/srv/a', edits }],
    ['beforeSubmitPrompt', 'BeforeAgent', { prompt: 'fix it', attachments: [] }],
    ['stop', 'AfterAgent', { status: 'completed', loop_count: 2 }],
    ['afterAgentResponse', 'AfterModel', { text: 'done' }],
    ['sessionStart', 'SessionStart', { is_background_agent: false, composer_mode: 'ask' }],
    [
      'sessionEnd',
      'SessionEnd',
      { reason: 'aborted', duration_ms: 5, is_background_agent: false, final_status: 'aborted' },
      { reason: 'completed' },
    ],
    ['preCompact', 'PreCompress', { trigger: 'auto' }],
    ['subagentStart', 'SubagentStart', { ...agent, subagent_id: 'a1', parent_conversation_id: 'c0', is_parallel_worker: true }],
    [
      'subagentStop',
      'SubagentStop',
      { ...agent, status: 'completed', summary: 'found', loop_count: 1, agent_transcript_path: '/srv/t.jsonl' },
    ],
    ['afterAgentThought', 'AfterAgentThought', { text: 'hm', duration_ms: 5 }],
    ['beforeTabFileRead', 'BeforeTabFileRead', { file_path: '/srv/a', content: 'x' }],
    ['afterTabFileEdit', 'AfterTabFileEdit', { file_path: '/srv/a', edits }],
    ['workspaceOpen', 'WorkspaceOpen', {}],
  ];
}
