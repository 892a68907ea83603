import { eventEntry, type HookEvent } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { loopCountOf } from '../../shared/input.js';
import { oncePerInput } from '../../shared/per-input.js';
import { isText } from '../../shared/text.js';
import { failureText, textOfContent } from '../../shared/tool-response.js';
import { hashOf, toCallId } from '../../shared/tools/call-id.js';
import type { CursorHost } from '../options.js';
import { callOfInput, mcpToolOfInput, namesInInput } from '../tools/tool-call.js';
import { type CursorEvent, factsOf } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

const payloadsOf = oncePerInput((_input, _host: CursorHost) => new Map<CursorEvent, Fields>());

/** Returns the object that a hook of this event reads on stdin. Hooks with the same input share one object. */
export function payloadOf(hookEvent: HookEvent, event: CursorEvent, host: CursorHost): Fields {
  const payloads = payloadsOf(hookEvent.input, host);
  let payload = payloads.get(event);
  if (payload === undefined) {
    payload = { ...commonFields(hookEvent, event, host), ...writeFields(hookEvent, event, host) };
    payloads.set(event, payload);
  }
  return payload;
}

/** The fields that every event has. `writeFields` leaves them out. */
const common = [
  'conversation_id',
  'generation_id',
  'model',
  'session_id',
  'hook_event_name',
  'cursor_version',
  'workspace_roots',
  'user_email',
  'transcript_path',
];

function commonFields({ input, projectDir }: HookEvent, event: CursorEvent, host: CursorHost): Fields {
  const turn = input['generation_id'] ?? input['turn_id'];
  const model = [input['model'], input['model_name'], host.model].find(isText);
  return {
    conversation_id: input['session_id'],
    // A host without turns has one for each session, so that hooks can still tell sessions apart.
    generation_id: isText(turn) ? turn : `turn_${hashOf(['turn', input['session_id']])}`,
    model,
    session_id: input['session_id'],
    hook_event_name: event,
    cursor_version: isText(input['cursor_version']) ? input['cursor_version'] : host.version,
    workspace_roots: Array.isArray(input['workspace_roots']) ? input['workspace_roots'] : [projectDir],
    user_email: isText(input['user_email']) ? input['user_email'] : (host.userEmail ?? null),
    transcript_path: isText(input['transcript_path']) ? input['transcript_path'] : null,
  };
}

/** Canonical fields that hooks do not receive under these names. */
const notSent: ReadonlySet<string> = new Set([
  ...common,
  'turn_id',
  'model_name',
  'model_provider',
  'permission_mode',
  'agent_id',
  'agent_type',
]);

/** Returns the fields of this event, without the fields that every event has. Further fields of a host are passed on. */
export function writeFields(hookEvent: HookEvent, event: CursorEvent, host: CursorHost): Fields {
  const { input } = hookEvent;
  const canonical = eventEntry(hookEvent.eventName).input.shape;
  const own = omitUndefined(ownFields(input, event, host));
  const more = Object.entries(input).filter(([name]) => !Object.hasOwn(canonical, name) && !notSent.has(name) && !Object.hasOwn(own, name));
  return { ...own, ...Object.fromEntries(more) };
}

function ownFields(input: Fields, event: CursorEvent, host: CursorHost): Fields {
  const { cwd } = input;
  switch (event) {
    case 'preToolUse':
      return { ...callFields(input, host), cwd, agent_message: input['agent_message'] ?? '' };
    case 'beforeShellExecution':
      return { command: commandOf(input, host), cwd, sandbox: input['sandbox'] === true };
    case 'beforeMCPExecution':
      return mcpFields(input, host);
    case 'beforeReadFile':
      return { file_path: fileOf(input, host), content: input['content'] ?? '', attachments: input['attachments'] ?? [] };
    case 'postToolUse':
      return { ...callFields(input, host), tool_output: outputOf(input, host), cwd, duration: input['duration_ms'] };
    case 'postToolUseFailure':
      return {
        ...callFields(input, host),
        error_message: failureOf(input['tool_response']),
        failure_type: input['failure_type'] ?? 'error',
        duration: input['duration_ms'],
        is_interrupt: input['is_interrupt'] ?? false,
        cwd,
      };
    case 'afterShellExecution':
      return {
        command: commandOf(input, host),
        output: resultText(input['tool_response']),
        duration: input['duration_ms'],
        sandbox: input['sandbox'] === true,
        cwd,
      };
    case 'afterMCPExecution':
      return { ...mcpFields(input, host), result_json: JSON.stringify(input['tool_response']), duration: input['duration_ms'] };
    case 'afterFileEdit':
      return { file_path: fileOf(input, host), edits: editsOf(input, host) };
    case 'beforeSubmitPrompt':
      return { prompt: input['prompt'], attachments: input['attachments'] ?? [] };
    case 'stop':
      return { status: input['status'] ?? 'completed', loop_count: loopCountOf(input) };
    case 'afterAgentResponse':
      return { text: isPlainObject(input['llm_response']) ? (input['llm_response']['text'] ?? '') : '' };
    case 'afterAgentThought':
      return { text: input['text'], duration_ms: input['duration_ms'] };
    case 'sessionStart':
      return { is_background_agent: input['is_background_agent'] ?? false, composer_mode: input['composer_mode'] ?? 'agent' };
    case 'sessionEnd': {
      const { reason, duration_ms } = input;
      const said = toReason(reason);
      return {
        reason: said,
        duration_ms,
        is_background_agent: input['is_background_agent'] ?? false,
        final_status: input['final_status'] ?? said,
      };
    }
    case 'preCompact':
      return { trigger: input['trigger'] };
    case 'subagentStart':
      return {
        subagent_id: input['agent_id'],
        subagent_type: input['agent_type'],
        task: input['task'] ?? '',
        parent_conversation_id: input['parent_conversation_id'] ?? input['session_id'],
        is_parallel_worker: input['is_parallel_worker'] ?? false,
      };
    case 'subagentStop':
      return {
        subagent_type: input['agent_type'],
        status: input['status'] ?? 'completed',
        task: input['task'] ?? '',
        summary: input['last_assistant_message'] ?? '',
        loop_count: loopCountOf(input),
        agent_transcript_path: input['agent_transcript_path'] ?? null,
      };
    case 'beforeTabFileRead':
      return { file_path: input['file_path'], content: input['content'] ?? '' };
    case 'afterTabFileEdit':
      return { file_path: input['file_path'], edits: input['edits'] ?? [] };
    case 'workspaceOpen':
      return {};
  }
}

/** Returns the texts that a matcher is compared with, or undefined if the event does not have the field. */
export function subjectsOf({ input }: HookEvent, event: CursorEvent, host: CursorHost): readonly string[] | undefined {
  const { subject, sentinel, kind } = factsOf(event);
  switch (subject) {
    case 'tool_name':
      return kind === 'read' ? [...new Set(['Read', ...(namesInInput(input, host) ?? [])])] : namesInInput(input, host);
    case 'command': {
      const command = input['tool_input'] === undefined ? undefined : commandOf(input, host);
      return typeof command === 'string' ? [command] : undefined;
    }
    case 'subagent_type':
      return typeof input['agent_type'] === 'string' ? [input['agent_type']] : undefined;
    case 'name':
      return sentinel === undefined ? undefined : [sentinel];
    case undefined:
      return undefined;
  }
}

/** Tests whether the event has a call without a command that a matcher can be compared with, such as a list of words. */
export function hasUnreadableCommand({ input }: HookEvent, host: CursorHost): boolean {
  return input['tool_input'] !== undefined && typeof commandOf(input, host) !== 'string';
}

/** Tests whether the result of a tool is a failure for Cursor: an error, or a command that ended with another exit code than 0. */
export function isFailure(response: unknown): boolean {
  if (!isPlainObject(response)) return false;
  const { error, exit_code: exitCode } = response;
  const hasError = error !== undefined && error !== null && error !== false && error !== '';
  return hasError || (typeof exitCode === 'number' && exitCode !== 0);
}

function callFields(input: Fields, host: CursorHost): Fields {
  const call = callOfInput(input, host);
  const id = isText(input['tool_use_id']) ? input['tool_use_id'] : toCallId('tool_', input);
  return { tool_name: call?.name, tool_input: call?.input, tool_use_id: id };
}

function mcpFields(input: Fields, host: CursorHost): Fields {
  const { mcp_context: context } = input;
  const { url, command } = isPlainObject(context) ? context : ({} as Fields);
  const mcp = mcpToolOfInput(input, host);
  return {
    tool_name: mcp?.tool ?? input['tool_name'],
    // Cursor passes the arguments as a text on this event.
    tool_input: JSON.stringify(callOfInput(input, host)?.input ?? {}),
    mcp_server_name: mcp?.server,
    ...(isText(url) ? { url } : isText(command) ? { command } : {}),
  };
}

function commandOf(input: Fields, host: CursorHost): unknown {
  return callOfInput(input, host)?.input['command'];
}

function fileOf(input: Fields, host: CursorHost): unknown {
  return callOfInput(input, host)?.input['file_path'];
}

function editsOf(input: Fields, host: CursorHost): unknown {
  if (Array.isArray(input['edits'])) return input['edits'];
  const { content, old_string: oldText, new_string: newText } = callOfInput(input, host)?.input ?? {};
  return typeof oldText === 'string' || typeof newText === 'string'
    ? [{ old_string: oldText ?? '', new_string: newText ?? '' }]
    : [{ old_string: '', new_string: content ?? '' }];
}

/** Returns the result of a tool as Cursor passes it: JSON as a text. */
function outputOf(input: Fields, host: CursorHost): string {
  const response = input['tool_response'];
  const content = isPlainObject(response) ? response['llmContent'] : response;
  if (callOfInput(input, host)?.name !== 'Shell') return JSON.stringify(content ?? response ?? null);
  const exitCode = isPlainObject(response) && typeof response['exit_code'] === 'number' ? response['exit_code'] : 0;
  return JSON.stringify({ output: textOfContent(content) ?? '', exitCode });
}

function resultText(response: unknown): string {
  if (isFailure(response)) return failureOf(response);
  const content = isPlainObject(response) ? response['llmContent'] : response;
  return textOfContent(content) ?? JSON.stringify(content ?? '') ?? '';
}

/** Returns a failure as text. A command that ended with another exit code than 0 may have no error. */
function failureOf(response: unknown): string {
  const hasError = isPlainObject(response) && response['error'] !== undefined && response['error'] !== null;
  return hasError || !isPlainObject(response) ? failureText(response) : (textOfContent(response['llmContent']) ?? '');
}

const reasons: Readonly<Record<string, string>> = { exit: 'user_close', prompt_input_exit: 'user_close' };
const cursorReasons = ['completed', 'aborted', 'error', 'window_close', 'user_close'];

/** Returns Cursor's reason for the end of a session. */
function toReason(reason: unknown): unknown {
  if (typeof reason !== 'string' || cursorReasons.includes(reason)) return reason;
  return Object.hasOwn(reasons, reason) ? reasons[reason] : 'completed';
}
