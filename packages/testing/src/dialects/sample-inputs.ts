import type { HookEvent, HookEventName } from '@tenterhook/protocol';
import type { DialectConformanceOptions, DialectEvent } from './dialect-case.js';

export const projectDir = '/srv/app';

/** The fields of an event that are its own, with a text of the caller's wherever an agent, a user or a model could have put one. */
export function sampleFields(eventName: HookEventName, text = 'hello'): Record<string, unknown> {
  return structuredClone(fieldsOf(text)[eventName]);
}

/** Fields of an event on which hooks of this spelling of it run. */
export function fieldsOn({ eventFields }: DialectConformanceOptions, event: DialectEvent, text = 'hello'): Record<string, unknown> {
  const own = ownFields(eventFields, event.dialectEvent)?.(text);
  // A copy, because it is frozen, and who gave the fields may give the same ones again.
  return { ...sampleFields(event.eventName, text), ...structuredClone(own) };
}

/** What the options say of an event, which may be called like a member of every object. */
export function ownFields(
  fields: DialectConformanceOptions['eventFields'] = {},
  dialectEvent: string,
): ((text: string) => Readonly<Record<string, unknown>>) | undefined {
  return Object.hasOwn(fields, dialectEvent) ? fields[dialectEvent] : undefined;
}

/** An event as dialects are given it: complete, and frozen to its last field. */
export function sampleEvent(eventName: HookEventName, fields: Record<string, unknown> = sampleFields(eventName)): HookEvent {
  const base = {
    session_id: 's1',
    transcript_path: '',
    cwd: projectDir,
    hook_event_name: eventName,
    timestamp: '2026-11-21T10:00:00.000Z',
  };
  return deepFreeze({ eventName, input: { ...base, ...fields }, projectDir });
}

function fieldsOf(text: string): Record<HookEventName, Record<string, unknown>> {
  const call = { tool_name: 'write_file', tool_input: { path: 'a.txt', content: text, nested: { maxDepth: [1, null, { [text]: text }] } } };
  const llm_request = { model: 'm', messages: [{ role: 'user', content: text }], config: { temperature: 0 } };
  const llm_response = { text, candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] };
  return {
    BeforeTool: { ...call },
    AfterTool: { ...call, tool_response: { llmContent: text, returnDisplay: text } },
    BeforeAgent: { prompt: text },
    AfterAgent: { prompt: text, prompt_response: text, stop_hook_active: false },
    BeforeModel: { llm_request },
    AfterModel: { llm_request, llm_response },
    BeforeToolSelection: { llm_request },
    SessionStart: { source: 'startup' },
    SessionEnd: { reason: 'exit' },
    PreCompress: { trigger: 'manual' },
    Notification: { notification_type: 'ToolPermission', message: text, details: { text } },
    HostStart: {},
    HostEnd: {},
    PermissionRequest: { ...call },
    PermissionDenied: { ...call, tool_use_id: 't1', reason: text },
    PostToolBatch: { tool_calls: [{ ...call, tool_use_id: 't1', tool_response: text }] },
    UserPromptExpansion: { command_name: 'review', command_args: text, expansion_type: 'slash_command', prompt: text },
    MessageDisplay: { turn_id: 'u1', message_id: 'm1', index: 0, final: true, delta: text },
    StopFailure: { error: 'rate_limit', error_details: text },
    SubagentStart: { agent_id: 'a1', agent_type: 'explore' },
    SubagentStop: { agent_id: 'a1', agent_type: 'explore', stop_hook_active: false, last_assistant_message: text },
    TaskCreated: { task_id: '7', task_subject: text },
    TaskCompleted: { task_id: '7', task_subject: text },
    TeammateIdle: { teammate_name: 'ada', team_name: text },
    PostCompress: { trigger: 'manual', compact_summary: text },
    Setup: { trigger: 'init' },
    ConfigChange: { source: 'user_settings', file_path: '/srv/settings.json' },
    InstructionsLoaded: { file_path: '/srv/AGENTS.md', memory_type: 'Project', load_reason: text },
    CwdChanged: { old_cwd: '/srv', new_cwd: '/srv/app' },
    DirectoryAdded: { directory: '/srv/lib', source: text },
    FileChanged: { file_path: '/srv/app/.env', event: 'change' },
    WorktreeCreate: { name: text },
    WorktreeRemove: { worktree_path: '/srv/fix-7' },
    Elicitation: { mcp_server_name: 'github', message: text, requested_schema: { type: 'object' } },
    ElicitationResult: { mcp_server_name: 'github', action: 'accept', content: { [text]: text } },
    PreModelSwitch: { from_model: 'm', to_model: 'm-2', source: 'command' },
    PostModelSwitch: { from_model: 'm', to_model: 'm-2', source: 'command' },
  };
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}
