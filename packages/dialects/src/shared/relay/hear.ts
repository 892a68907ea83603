import { eventEntry, type Heard, type HeardInput, type HookEventName, type ReadInput } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue, isText } from '../text.js';
import { getContentText } from '../tool-response.js';
import { mcpToolOf } from '../tools/mcp-tool.js';

type Fields = Readonly<Record<string, unknown>>;

/** How one agent's input becomes canonical. */
export interface Hearing {
  readonly events: Readonly<Record<string, { readonly eventName: HookEventName }>>;
  /** Translates the fields. @default they are the canonical ones */
  readonly read?: (event: string, payload: Fields) => ReadInput;
  /** Tests whether no hook is asked about this input. @default hooks are always asked */
  readonly isNeutral?: (event: string, payload: Fields) => boolean;
  /** Takes a call apart that has several parts. @default the call is one event */
  readonly parts?: (event: string, input: Fields) => readonly Fields[];
}

/** Events about one tool call. */
const ofTool: readonly HookEventName[] = ['BeforeTool', 'AfterTool', 'PermissionRequest', 'PermissionDenied'];

/** Reads what an agent wrote to stdin. */
export function hear(payload: unknown, event: string, { events, read, isNeutral, parts }: Hearing): Heard {
  if (!isPlainObject(payload))
    return { kind: 'refused', reason: `The input on stdin must be a JSON object, and is ${formatValue(payload)}.` };
  const eventName = Object.hasOwn(events, event) ? events[event]?.eventName : undefined;
  if (eventName === undefined) return { kind: 'refused', reason: `The event ${formatValue(event)} is unknown.` };
  if (isNeutral?.(event, payload)) return { kind: 'neutral', event };
  const given = read?.(event, payload) ?? { input: payload, defaults: {} };
  const { hook_event_name: _name, transcript_path: transcript, ...fields } = { ...given.defaults, ...given.input };
  const input: Fields = withKnownWord({ ...fields, transcript_path: isText(transcript) ? transcript : '' }, eventName);
  if (!ofTool.includes(eventName)) return { kind: 'events', event, payload, inputs: [{ eventName, input }] };
  const { tool_name: name } = input;
  if (typeof name !== 'string' || name.trim() === '') {
    return { kind: 'refused', reason: `tool_name must be the name of a tool, and is ${formatValue(name)}.` };
  }
  const call = withResult(withServer({ ...input, tool_input: input['tool_input'] ?? {} }), eventName, given.input);
  const inputs = (parts?.(event, call) ?? [call]).map((one): HeardInput => ({ eventName, input: one }));
  return { kind: 'events', event, payload, inputs };
}

/** Values that replace those which only a later version of an agent knows: hooks must run nevertheless. */
const fallbacks: Readonly<Record<string, string>> = { source: 'startup', reason: 'other', trigger: 'auto' };

function withKnownWord(input: Fields, eventName: HookEventName): Fields {
  const { matcherField: field, matcherValues: values } = eventEntry(eventName);
  if (field === undefined || values === undefined || input[field] === undefined || values.includes(input[field] as never)) return input;
  const fallback = fallbacks[field];
  return fallback === undefined ? input : { ...input, [field]: fallback };
}

/** Names the server of an MCP tool. The canonical name is `mcp_<server>_<tool>`. */
function withServer(input: Fields): Fields {
  const { tool_name: name, mcp_context: context } = input;
  const mcp = mcpToolOf(name as string, context);
  if (mcp === undefined) return input;
  const { server, tool } = mcp;
  const known = isPlainObject(context) ? context : {};
  return { ...input, tool_name: `mcp_${server}_${tool}`, mcp_context: { ...known, server_name: server, tool_name: tool } };
}

/** Completes `tool_response`: the text for the model, and the message of an error. */
function withResult(input: Fields, eventName: HookEventName, given: Fields): Fields {
  if (eventName !== 'AfterTool') return input;
  const { tool_response: response } = input;
  if (!isPlainObject(response))
    return { ...input, tool_response: given['tool_response'] === undefined ? { llmContent: '' } : { llmContent: response } };
  const error = typeof response['error'] === 'string' ? { error: { message: response['error'] } } : {};
  const isComplete = response['llmContent'] !== undefined || hasFailed(response);
  return { ...input, tool_response: { ...response, ...(isComplete ? {} : { llmContent: textOfResult(response).text }), ...error } };
}

/** Where the text of a result is, and the text. */
export interface ResultText {
  /** Undefined if the text is in no single field. */
  readonly path?: readonly string[];
  readonly text: string;
}

const singleFields = ['content', 'output', 'result', 'text'];

/** Finds the text for the model in the result of a tool, whatever the tool is. */
export function textOfResult(response: Fields): ResultText {
  const { stdout, stderr, file } = response;
  if (typeof stdout === 'string') {
    return { path: ['stdout'], text: typeof stderr === 'string' && stderr !== '' ? [stdout, stderr].filter(isText).join('\n') : stdout };
  }
  if (isPlainObject(file) && typeof file['content'] === 'string') return { path: ['file', 'content'], text: file['content'] };
  for (const field of singleFields) {
    const value = response[field];
    if (typeof value === 'string') return { path: [field], text: value };
    const parts = Array.isArray(value) ? getContentText(value) : undefined;
    if (parts !== undefined) return { path: [field], text: parts };
  }
  return { text: JSON.stringify(response) };
}
