import { eventEntry, type HookEvent } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { loopCountOf } from '../../shared/input.js';
import { oncePerInput } from '../../shared/per-input.js';
import { isText } from '../../shared/text.js';
import { failureText, textOfContent } from '../../shared/tool-response.js';
import { toCallId } from '../../shared/tools/call-id.js';
import type { CopilotHost } from '../options.js';
import { callOfInput, mcpToolOfInput, namesInInput } from '../tools/tool-call.js';
import { type CopilotEvent, eventOfKey, factsOf, isPascal } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

const payloadsOf = oncePerInput((_input, _host: CopilotHost) => new Map<string, Fields>());

/**
 * Returns the object that a hook reads on stdin. The spelling of the event's key in the settings decides which of the two forms it has.
 * Hooks with the same input and key share one object.
 */
export function payloadOf(hookEvent: HookEvent, key: string, host: CopilotHost): Fields {
  const payloads = payloadsOf(hookEvent.input, host);
  let payload = payloads.get(key);
  if (payload === undefined) {
    payload = { ...commonFields(hookEvent.input, key, host), ...writeFields(hookEvent, key, host) };
    payloads.set(key, payload);
  }
  return payload;
}

/** Tests whether hooks of a key read fields such as `tool_name`. */
export function hasSnakeNames(key: string, host: CopilotHost): boolean {
  const event = eventOfKey(key);
  return host.isVsCode || (isPascal(key) && event !== undefined && factsOf(event).isAlwaysCamel !== true);
}

function commonFields(input: Fields, key: string, host: CopilotHost): Fields {
  const { session_id: sessionId, cwd, timestamp, traceparent, tracestate } = input;
  const trace = omitUndefined({ traceparent, tracestate });
  if (!hasSnakeNames(key, host)) {
    const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
    const named = eventOfKey(key) === 'notification' ? { hook_event_name: 'Notification' } : {};
    return { sessionId, timestamp: Number.isNaN(time) ? timestamp : time, cwd, ...named, ...trace };
  }
  const snake = { hook_event_name: key, session_id: sessionId, timestamp, cwd };
  if (!host.isVsCode) return snake;
  return { ...snake, hookEventName: key, sessionId, transcript_path: input['transcript_path'] };
}

/** Canonical fields that hooks do not receive under these names. */
const notSent: ReadonlySet<string> = new Set([
  'permission_mode',
  'turn_id',
  'agent_id',
  'agent_type',
  'model_name',
  'model_provider',
  'traceparent',
  'tracestate',
  'tool_use_id',
  'initial_prompt',
  'stop_reason',
  'custom_instructions',
  'agent_display_name',
  'agent_description',
  'parent_agent_id',
]);

/** Returns the fields of this event, without the fields that every event has. Further fields of a host are passed on. */
export function writeFields(hookEvent: HookEvent, key: string, host: CopilotHost): Fields {
  const { input, eventName } = hookEvent;
  const event = eventOfKey(key);
  if (event === undefined) return input;
  const own = omitUndefined(ownFields(input, event, host));
  const isSnake = hasSnakeNames(key, host);
  const named = isSnake ? withClaudeName(toSnakeNames(own), event, input, host) : own;
  const canonical = eventEntry(eventName).input.shape;
  const more = Object.entries(input).filter(
    ([name]) => !Object.hasOwn(canonical, name) && !notSent.has(name) && !Object.hasOwn(named, name) && !Object.hasOwn(own, name),
  );
  return { ...named, ...Object.fromEntries(more) };
}

/** Names the tool as in Claude Code. VS Code also sends an id of the call. */
function withClaudeName(fields: Fields, event: CopilotEvent, input: Fields, host: CopilotHost): Fields {
  const claude = factsOf(event).ofMcp === true ? undefined : namesInInput(input, host)?.claude[0];
  if (fields['tool_name'] === undefined || claude === undefined) return fields;
  const id = isText(input['tool_use_id']) ? input['tool_use_id'] : toCallId('call_', input);
  const { tool_result: result, ...others } = fields;
  if (!host.isVsCode) return { ...fields, tool_name: claude };
  const response = result === undefined ? {} : { tool_response: (result as Fields)['text_result_for_llm'] };
  return { ...others, ...response, tool_name: claude, tool_use_id: id };
}

/** Returns the fields of an event under the names of keys with a small letter. */
function ownFields(input: Fields, event: CopilotEvent, host: CopilotHost): Fields {
  const transcriptPath = isText(input['transcript_path']) ? input['transcript_path'] : undefined;
  switch (event) {
    case 'preToolUse':
      return callFields(input, host);
    case 'preMcpToolCall': {
      const mcp = mcpToolOfInput(input, host);
      return {
        serverName: mcp?.server,
        toolName: mcp?.tool ?? input['tool_name'],
        arguments: input['tool_input'] ?? {},
        _meta: input['_meta'] ?? {},
        toolCallId: input['tool_use_id'],
      };
    }
    case 'postToolUse':
      return { ...callFields(input, host), toolResult: { resultType: 'success', textResultForLlm: resultText(input['tool_response']) } };
    case 'postToolUseFailure':
      return { ...callFields(input, host), error: failureText(input['tool_response']) };
    case 'permissionRequest': {
      const call = callOfInput(input, host);
      return { toolName: call?.name, toolInput: call?.input };
    }
    case 'userPromptSubmitted':
      return { prompt: input['prompt'] };
    case 'agentStop':
      return {
        transcriptPath,
        stopReason: input['stop_reason'] ?? 'end_turn',
        stop_hook_active: input['stop_hook_active'] ?? loopCountOf(input) > 0,
      };
    case 'sessionStart':
      return { source: toSource(input['source']), initialPrompt: input['initial_prompt'] };
    case 'sessionEnd':
      return { reason: toReason(input['reason']) };
    case 'preCompact':
      return { transcriptPath, trigger: input['trigger'], customInstructions: input['custom_instructions'] ?? '' };
    case 'notification':
      return {
        message: input['message'],
        title: input['title'],
        notification_type: toNotificationType(input['notification_type']),
      };
    case 'subagentStart':
      return {
        transcriptPath,
        agentName: input['agent_type'],
        agentDisplayName: input['agent_display_name'],
        agentDescription: input['agent_description'],
        parentAgentId: input['parent_agent_id'],
      };
    case 'subagentStop':
      return {
        transcriptPath,
        agentId: input['agent_id'],
        agentType: input['agent_type'],
        agentName: input['agent_type'],
        response: input['last_assistant_message'] ?? '',
        stopReason: input['stop_reason'] ?? 'end_turn',
        parentAgentId: input['parent_agent_id'],
      };
    case 'userPromptTransformed':
      return { prompt: input['prompt'], transformedPrompt: input['transformed_prompt'] };
    case 'errorOccurred':
      return { error: input['error'], errorContext: input['error_context'], recoverable: input['recoverable'] };
    case 'postResult':
    case 'prePRDescription':
      return {};
  }
}

function callFields(input: Fields, host: CopilotHost): Fields {
  const call = callOfInput(input, host);
  return { toolName: call?.name, toolArgs: call?.input };
}

/** Returns the text of a result, which is all that Copilot's hooks receive of it. */
function resultText(response: unknown): string {
  const content = isPlainObject(response) ? response['llmContent'] : response;
  return textOfContent(content) ?? JSON.stringify(content ?? response ?? '') ?? '';
}

/** Returns the texts that a matcher is compared with, or undefined if the event does not have the field. */
export function subjectOf({ input }: HookEvent, event: CopilotEvent): string | undefined {
  const { subject } = factsOf(event);
  const value = {
    notification_type: toNotificationType(input['notification_type']),
    trigger: input['trigger'],
    agentName: input['agent_type'],
    toolName: undefined,
  }[subject ?? 'toolName'];
  return typeof value === 'string' ? value : undefined;
}

function toSource(source: unknown): unknown {
  return source === 'startup' || source === 'resume' || typeof source !== 'string' ? source : 'new';
}

const reasons = ['complete', 'error', 'abort', 'timeout', 'user_exit'];

function toReason(reason: unknown): unknown {
  if (typeof reason !== 'string' || reasons.includes(reason)) return reason;
  return reason === 'exit' || reason === 'prompt_input_exit' ? 'user_exit' : 'complete';
}

function toNotificationType(type: unknown): unknown {
  return type === 'ToolPermission' ? 'permission_prompt' : type;
}

/** Fields whose names in the two forms differ in more than their spelling. */
const otherNames: Readonly<Record<string, string>> = { toolArgs: 'tool_input', response: 'last_assistant_message' };

/** Fields that contain data of a tool or an error. The names inside of them stay. */
const opaque: readonly string[] = ['toolArgs', 'toolInput', 'arguments', '_meta', 'error'];

/** Renames the fields of an input as hooks of keys with a capital letter receive them: `toolName` becomes `tool_name`. */
function toSnakeNames(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      otherNames[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      isPlainObject(value) && !opaque.includes(name) ? toSnakeNames(value) : value,
    ]),
  );
}
