import type { HookEvent } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { oncePerInput } from '../../shared/per-input.js';
import { isText } from '../../shared/text.js';
import { failureText, textOfContent } from '../../shared/tool-response.js';
import { toCallId } from '../../shared/tools/call-id.js';
import type { RelativeHost } from '../options.js';
import { callOfInput, namesInInput } from '../tools/tool-call.js';

type Fields = Readonly<Record<string, unknown>>;

/** Canonical fields that hooks do not receive under these names. Further fields of a host are passed on. */
const notSent: ReadonlySet<string> = new Set([
  'session_id',
  'transcript_path',
  'cwd',
  'permission_mode',
  'hook_event_name',
  'timestamp',
  'mcp_context',
  'model_provider',
  'model_name',
  'system_prompt',
  'env_file',
  'turn_id',
  'prompt_id',
  'workspace_roots',
  'custom_instructions',
  'compact_summary',
  'agent_stop_cause',
  'file_changes',
  'tool_name',
  'tool_input',
  'tool_use_id',
  'tool_response',
  'prompt_response',
  'details',
]);

const payloadsOf = oncePerInput((_input, _host: RelativeHost) => new Map<string, Fields>());

/** Returns the object that a hook of this event reads on stdin. Hooks with the same input share one object. */
export function payloadOf({ input, projectDir }: HookEvent, event: string, host: RelativeHost): Fields {
  const payloads = payloadsOf(input, host);
  const key = `${event}\n${projectDir}`;
  let payload = payloads.get(key);
  if (payload === undefined) {
    const mode = isText(input['permission_mode']) ? input['permission_mode'] : host.permissionMode;
    payload = { ...omitUndefined(host.product.common({ event, input, projectDir, mode })), ...writeFields(input, event, host) };
    payloads.set(key, payload);
  }
  return payload;
}

/** Returns the fields of this event, without the fields that every event has. */
export function writeFields(input: Fields, event: string, host: RelativeHost): Fields {
  const facts = host.product.events[event];
  const call = facts?.ofTool ? callFields(input, host) : {};
  const isCommon = event === 'UserPromptSubmit' || event === 'PromptSubmit';
  const more = Object.entries(input).filter(([name]) => !notSent.has(name) && (name !== 'prompt' || facts?.eventName !== 'AfterAgent'));
  return omitUndefined({
    ...call,
    ...Object.fromEntries(more),
    ...(isCommon ? { prompt: input['prompt'] } : {}),
    ...(facts?.eventName === 'AfterAgent' ? { last_assistant_message: input['prompt_response'] } : {}),
    ...(facts?.eventName === 'PostCompress' ? { summary: input['compact_summary'] } : {}),
    ...wordsOf(input, facts?.eventName),
    ...(facts?.eventName === 'AfterTool' ? resultFields(input, event, host) : {}),
  });
}

/** Returns the texts that a matcher is compared with, or undefined if the event does not have the field. */
export function subjectsOf({ input }: HookEvent, event: string, host: RelativeHost): readonly string[] | undefined {
  const { subject, ofTool, eventName } = host.product.events[event] ?? {};
  if (subject === undefined) return undefined;
  // Only the field that is needed is read, because a plan is reused if the fields that were read are equal.
  if (ofTool) return namesInInput(input, host);
  const value = { ...wordsOf(input, eventName), ...(subject in wordsOf(input, eventName) ? {} : { [subject]: input[subject] }) }[subject];
  return typeof value === 'string' ? [value] : undefined;
}

const sources: Readonly<Record<string, string>> = { compress: 'compact', fork: 'resume' };
const reasons: Readonly<Record<string, string>> = { exit: 'other' };
const notifications: Readonly<Record<string, string>> = { ToolPermission: 'permission_prompt' };

/** Returns the fields whose values these agents spell in another way, as Claude Code does. */
function wordsOf(input: Fields, eventName: string | undefined): Fields {
  const word = (field: string, words: Readonly<Record<string, string>>) => {
    const value = input[field];
    return { [field]: typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value };
  };
  switch (eventName) {
    case 'SessionStart':
      return word('source', sources);
    case 'SessionEnd':
      return word('reason', reasons);
    case 'Notification':
      return word('notification_type', notifications);
    default:
      return {};
  }
}

function callFields(input: Fields, host: RelativeHost): Fields {
  const call = callOfInput(input, host);
  const id = isText(input['tool_use_id']) ? input['tool_use_id'] : toCallId('toolu_', input);
  return { tool_name: call?.name, tool_input: call?.input, tool_use_id: id };
}

function resultFields(input: Fields, event: string, host: RelativeHost): Fields {
  const response = input['tool_response'];
  const isFailed = hasFailed(response);
  const error = isFailed ? failureText(response) : undefined;
  if (host.product.events[event]?.result === 'failure') return { error: error ?? '' };
  const content = isPlainObject(response) ? response['llmContent'] : response;
  const text = textOfContent(content) ?? (content === undefined ? '' : (JSON.stringify(content) ?? ''));
  const fields = responseFields(input, isPlainObject(response) ? response : { llmContent: response }, text, isFailed, host);
  return host.product.result?.({ input, text, error, response: fields }) ?? { tool_response: fields };
}

/** Adds the fields that hooks of Claude Code know to the result of the host. */
function responseFields(input: Fields, response: Fields, text: string, isFailed: boolean, host: RelativeHost): Fields {
  const kind = typeof input['tool_name'] === 'string' ? host.tools.kindOf(input['tool_name']) : undefined;
  switch (kind) {
    case 'shell':
      return { stdout: text, stderr: '', exitCode: response['exit_code'] ?? (isFailed ? 1 : 0), ...response };
    case 'write':
    case 'edit': {
      const file = ['file_path', 'path'].map((key) => callOfInput(input, host)?.input[key]).find(isText);
      return { ...(file === undefined ? {} : { filePath: file }), success: !isFailed, ...response };
    }
    default:
      return response;
  }
}
