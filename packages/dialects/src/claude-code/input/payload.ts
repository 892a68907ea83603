import type { HookEvent } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { oncePerInput } from '../../shared/per-input.js';
import { failureText } from '../../shared/tool-response.js';
import { toCallId } from '../../shared/tools/call-id.js';
import type { ClaudeHost } from '../options.js';
import { callOf, callOfInput, namesInInput } from '../tools/tool-call.js';
import { resultFields } from '../tools/tool-result.js';
import { type ClaudeEvent, factsOf } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** Canonical fields that hooks do not receive, because Claude Code does not have them. Further fields of a host are passed on. */
const notSent = new Set([
  'session_id',
  'transcript_path',
  'cwd',
  'permission_mode',
  'hook_event_name',
  'timestamp',
  'approval',
  'recent_tools',
  'mcp_context',
  'model_provider',
  'model_name',
  'system_prompt',
  'total_tokens',
  'total_tool_calls',
  'env_file',
  'loop_count',
]);

const payloadsOf = oncePerInput((_input, _host: ClaudeHost) => new Map<ClaudeEvent, Fields>());

/** Returns the object that a hook of this event reads on stdin. Hooks with the same input share one object. */
export function payloadOf({ input }: HookEvent, event: ClaudeEvent, host: ClaudeHost): Fields {
  const payloads = payloadsOf(input, host);
  let payload = payloads.get(event);
  if (payload === undefined) {
    payload = { ...commonFields(input, event, host), ...writeFields(input, event, host) };
    payloads.set(event, payload);
  }
  return payload;
}

const texts = new WeakMap<Fields, string>();

/** Returns the payload as JSON. Hooks with the same payload share one text. */
export function payloadText(payload: Fields): string {
  let text = texts.get(payload);
  if (text === undefined) {
    text = JSON.stringify(payload);
    texts.set(payload, text);
  }
  return text;
}

/** Returns the texts that a matcher is compared with, or undefined if the event does not have the field. */
export function subjectsOf(hookEvent: HookEvent, event: ClaudeEvent, host: ClaudeHost): readonly string[] | undefined {
  const { subject, ofTool } = factsOf(event);
  if (subject === undefined) return undefined;
  const { input } = hookEvent;
  // Only the field that is needed is read. A plan is reused if the fields that were read are equal, and two whole payloads are
  // hardly ever equal.
  if (ofTool) return namesInInput(input, host);
  const value = translateWord(input[subject], (ownWords as Partial<Record<ClaudeEvent, Readonly<Record<string, string>>>>)[event] ?? {});
  if (typeof value !== 'string') return undefined;
  return event === 'FileChanged' ? [...new Set([value.slice(value.search(/[^\\/]*$/)), value])] : [value];
}

/** Values that Claude Code spells differently, by the canonical value. */
const ownWords = {
  SessionStart: { compress: 'compact' },
  SessionEnd: { exit: 'other' },
  Notification: { ToolPermission: 'permission_prompt' },
} as const satisfies { readonly [Event in ClaudeEvent]?: Readonly<Record<string, string>> };

/**
 * Translates a value of Claude Code into the canonical value, e.g. `compact` into `compress`. Values of SessionEnd cannot be
 * translated: `other` may be the canonical `exit` or the canonical `other`.
 */
export function canonicalWord(event: 'SessionStart' | 'Notification', word: unknown): unknown {
  const [canonical] = Object.entries(ownWords[event]).find(([, own]) => own === word) ?? [word];
  return canonical;
}

/**
 * Events for which Claude Code sends no `permission_mode`. Hooks of these events receive a mode only if the host passed one with
 * the event.
 */
const withoutMode: ReadonlySet<ClaudeEvent> = new Set([
  'SessionStart',
  'SessionEnd',
  'Notification',
  'PreCompact',
  'PostCompact',
  'ConfigChange',
  'Setup',
]);

function commonFields(input: Fields, event: ClaudeEvent, { permissionMode }: ClaudeHost): Fields {
  const written = input['permission_mode'];
  const mode = typeof written === 'string' && written !== '' ? written : withoutMode.has(event) ? undefined : permissionMode;
  return {
    session_id: input['session_id'],
    transcript_path: input['transcript_path'],
    cwd: input['cwd'],
    ...(mode === undefined ? {} : { permission_mode: mode }),
    hook_event_name: event,
  };
}

/** Returns the fields of this event, without the fields that every event has. */
export function writeFields(input: Fields, event: ClaudeEvent, host: ClaudeHost): Fields {
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !notSent.has(name)));
  switch (event) {
    case 'PreToolUse':
    case 'PermissionDenied':
      return toolFields(input, rest, host);
    case 'PostToolUse': {
      const [call, { tool_response: response }] = [callOfInput(input, host), rest];
      const given = call !== undefined && isPlainObject(response) ? { ...response, ...resultFields(call, response) } : response;
      return toolFields(input, given === undefined ? rest : { ...rest, tool_response: given }, host);
    }
    case 'PostToolUseFailure': {
      const { tool_response: response, ...others } = rest;
      return { ...toolFields(input, others, host), error: failureText(response) };
    }
    case 'PermissionRequest': {
      const { tool_use_id: _unknownHere, ...fields } = toolFields(input, rest, host);
      return fields;
    }
    case 'PostToolBatch':
      return { ...rest, tool_calls: batchOf(input, host) };
    case 'Stop': {
      const { prompt: _prompt, prompt_response: answer, ...others } = rest;
      return { ...others, last_assistant_message: answer };
    }
    case 'SessionStart': {
      const model = rest['model'] ?? input['model_name'];
      return { ...rest, source: translateWord(rest['source'], ownWords.SessionStart), ...(model === undefined ? {} : { model }) };
    }
    case 'SessionEnd': {
      const { duration_ms: _ours, ...others } = rest;
      return { ...others, reason: translateWord(rest['reason'], ownWords.SessionEnd) };
    }
    case 'PreCompact':
      return { ...rest, custom_instructions: rest['custom_instructions'] ?? '' };
    case 'Notification': {
      const { details: _details, ...others } = rest;
      return { ...others, notification_type: translateWord(rest['notification_type'], ownWords.Notification) };
    }
    default:
      return rest;
  }
}

/** Returns the fields of a tool event. They are in Claude Code's order, because people read the input of their hooks. */
function toolFields(input: Fields, rest: Fields, host: ClaudeHost): Fields {
  const { tool_name: _name, tool_input: _input, tool_use_id: given, ...others } = rest;
  const call = callOfInput(input, host);
  const id = typeof given === 'string' && given !== '' ? given : toCallId('toolu_', input);
  return { tool_name: call?.name, tool_input: call?.input, ...others, tool_use_id: id };
}

function batchOf(input: Fields, host: ClaudeHost): unknown {
  const { tool_calls: calls } = input;
  if (!Array.isArray(calls)) return calls;
  return calls.map((given) => {
    const call = isPlainObject(given) ? callOf(given, input['cwd'], host) : undefined;
    if (call === undefined) return given;
    const { mcp_context: _context, ...others } = given as Fields;
    return { ...others, tool_name: call.name, tool_input: call.input };
  });
}

function translateWord(word: unknown, words: Readonly<Record<string, string>>): unknown {
  return typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : word;
}
