import { type CapturedInput, type CapturedRow, captured } from '../../support/captured-inputs.js';

/** One input of every event. `cwd`: the project in which the event is fired. */
export function capturedInputs(cwd: string): CapturedInput[] {
  return captured(canonicalRows, (event) => canonicalBase(event, cwd));
}

/** The fields that every event has. */
export const canonicalBase = (event: string, cwd: string) => ({
  session_id: 's1',
  transcript_path: '/srv/t.json',
  cwd,
  hook_event_name: event,
  timestamp: '2026-11-21T10:00:00.000Z',
});

const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }], config: { temperature: 0 } };
const call = { tool_name: 'write_file', tool_input: { file_path: 'a.txt', content: 'x' } };

/** Gemini CLI has the first eleven events, LLxprt's format has all. */
export const canonicalRows: readonly CapturedRow[] = [
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
