import type { HookEvent } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { failureText } from '../../shared/tool-response.js';
import type { ClaudeHost } from '../options.js';
import { callOf, callOfInput, namesInInput } from '../tools/tool-call.js';
import { resultFields } from '../tools/tool-result.js';
import { type ClaudeEvent, factsOf } from './event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** Canonical fields that Claude Code does not have. Hooks do not receive them. Fields that a host invents are sent. */
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
]);

const payloadsByInput = new WeakMap<object, { readonly host: ClaudeHost; readonly payloads: Map<ClaudeEvent, Fields> }>();

/** Returns the object that a hook of this event reads on stdin. Hooks with the same input share one object. */
export function payloadOf({ input }: HookEvent, event: ClaudeEvent, host: ClaudeHost): Fields {
  let known = payloadsByInput.get(input);
  if (known?.host !== host) {
    known = { host, payloads: new Map() };
    payloadsByInput.set(input, known);
  }
  let payload = known.payloads.get(event);
  if (payload === undefined) {
    payload = { ...commonFields(input, event, host), ...writeFields(input, event, host) };
    known.payloads.set(event, payload);
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

/** Returns the texts that a matcher is compared with. Undefined if the event does not have the field. */
export function subjectsOf(hookEvent: HookEvent, event: ClaudeEvent, host: ClaudeHost): readonly string[] | undefined {
  const { subject, ofTool } = factsOf(event);
  if (subject === undefined) return undefined;
  const { input } = hookEvent;
  // Reads only the field that is needed. The cache of plans uses the fields that were read as its key. If the whole payload were read,
  // hardly any two events would share a plan.
  if (ofTool) return namesInInput(input, host);
  const value = translateWord(input[subject], (ownWords as Partial<Record<ClaudeEvent, Readonly<Record<string, string>>>>)[event] ?? {});
  if (typeof value !== 'string') return undefined;
  return event === 'FileChanged' ? [...new Set([value.slice(value.search(/[^\\/]*$/)), value])] : [value];
}

/** Values that Claude Code spells differently: from the canonical value to its own. */
const ownWords = {
  SessionStart: { compress: 'compact' },
  SessionEnd: { exit: 'other' },
  Notification: { ToolPermission: 'permission_prompt' },
} as const satisfies { readonly [Event in ClaudeEvent]?: Readonly<Record<string, string>> };

/**
 * Translates a value of Claude Code into the canonical one, such as `compact` into `compress`. Values of SessionEnd cannot be translated:
 * `other` may be the canonical `exit` or the canonical `other`.
 */
export function canonicalWord(event: 'SessionStart' | 'Notification', word: unknown): unknown {
  const [canonical] = Object.entries(ownWords[event]).find(([, own]) => own === word) ?? [word];
  return canonical;
}

/**
 * Events for which Claude Code sends no `permission_mode`. A hook of such an event receives a mode only if the host passed one with the
 * event.
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

/** Returns the fields of this event, without those that every event has. */
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

/** Returns the fields of a tool event in Claude Code's order, because people read the input of their hooks. */
function toolFields(input: Fields, rest: Fields, host: ClaudeHost): Fields {
  const { tool_name: _name, tool_input: _input, tool_use_id: given, ...others } = rest;
  const call = callOfInput(input, host);
  const id = typeof given === 'string' && given !== '' ? given : toCallId(input['session_id'], input['tool_name'], input['tool_input']);
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

/**
 * Returns an id for a tool call for which the host has set none. The id is a hash of session, tool and arguments, so hooks before and after
 * the tool receive the same id. If a hook rewrites the arguments, the id changes. Hosts that need a stable id send `tool_use_id`. A counter
 * was rejected: it would need an entry for every running call, and some calls never end.
 */
function toCallId(sessionId: unknown, toolName: unknown, toolInput: unknown): string {
  const text = JSON.stringify([sessionId, toolName, toolInput]);
  return `toolu_${hash(text, 0x811c9dc5)}${hash(text, 0x01234567)}${hash(text, 0x7654321)}`;
}

/** Returns the FNV-1a hash over UTF-16 code units. The id is not a secret, so a crypto module is not needed. */
function hash(text: string, seed: number): string {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
