import type { ModelToolCall, ResponseChange } from '@tenterhook/agent';
import {
  changedText,
  type FinishReasons,
  filterCalls,
  joinReturnedText,
  newCallId,
  type ReturnedCandidate,
  type ReturnedPart,
  readCandidates,
  reuseParts,
  settleFinishReason,
  showFinishReason,
  showResponse,
  toUsageMetadata,
  writeResponseText,
} from '@tenterhook/agent/internal';
import type { LLMResponse } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { AIMessage } from '../langchain-library.js';
import { copyMessage, type MessageContent, textOf, textParts } from './messages.js';

/** LangChain derives the type from a structure of messages, and it is `never` for the general message. */
interface UsageMetadata {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
}

type ToolCall = NonNullable<AIMessage['tool_calls']>[number];

export function showResponseMessage(message: AIMessage): LLMResponse {
  const text = textOf(message);
  const usage = message.usage_metadata as UsageMetadata | undefined;
  const { reasons, reason } = readFinish(message);
  const candidate = { texts: text === '' ? [] : [text], index: 0, finishReason: showFinishReason(reasons, reason) };
  return showResponse([candidate], toUsageMetadata(usage?.input_tokens, usage?.output_tokens, usage?.total_tokens));
}

/** Returns the calls of a message. A call whose arguments are not valid JSON is listed without arguments. */
export function toolCallsOf({ tool_calls = [], invalid_tool_calls = [] }: AIMessage): ModelToolCall[] {
  return [
    ...tool_calls.map(({ name, args, id }) => ({ name, args, ...omitUndefined({ id }) })),
    ...invalid_tool_calls.flatMap(({ name, id }) => (name === undefined ? [] : [{ name, args: {}, ...omitUndefined({ id }) }])),
  ];
}

export function changeResponse(changed: LLMResponse, original: AIMessage | undefined, change: ResponseChange): AIMessage {
  if (original === undefined) return createResponse(changed);
  if (change.replacesCandidates && Array.isArray(changed.candidates)) return replaceCandidate(readCandidates(changed, false)[0], original);
  const text = changedText(changed, showResponseMessage(original));
  return text === undefined ? original : copyMessage(original, { ...withoutCopies(original, true), content: writeText(original, text) });
}

function createResponse(changed: LLMResponse): AIMessage {
  const candidate = readCandidates(changed, true)[0] ?? { parts: [] };
  const calls = reuseParts(callParts, filterCalls(candidate.parts), []);
  const message = new AIMessage({
    content: joinReturnedText(candidate.parts),
    tool_calls: [...calls],
    response_metadata: { finish_reason: settleFinishReason(openAiReasons, candidate.finishReason, 'stop', calls.length > 0) },
  });
  const { promptTokenCount = 0, candidatesTokenCount = 0, totalTokenCount } = changed.usageMetadata ?? {};
  if (changed.usageMetadata === undefined) return message;
  const total_tokens = totalTokenCount ?? promptTokenCount + candidatesTokenCount;
  return copyMessage(message, { usage_metadata: { input_tokens: promptTokenCount, output_tokens: candidatesTokenCount, total_tokens } });
}

function replaceCandidate({ parts, finishReason }: ReturnedCandidate = { parts: [] }, original: AIMessage): AIMessage {
  const before = original.tool_calls ?? [];
  const calls = reuseParts(callParts, filterCalls(parts), before);
  const text = joinReturnedText(parts);
  const areCallsSame = calls === before && (original.invalid_tool_calls ?? []).length === 0;
  const isTextSame = text === textOf(original);
  const { key, reasons, reason } = readFinish(original);
  const settled = settleFinishReason(reasons, finishReason, reason, calls.length > 0);
  if (areCallsSame && isTextSame && settled === reason) return original;
  const { response_metadata, additional_kwargs } = withoutCopies(original, areCallsSame);
  const content = isTextSame ? original.content : writeText(original, text);
  return copyMessage(original, {
    content: areCallsSame ? content : withoutOtherCalls(content, calls),
    additional_kwargs,
    response_metadata: settled === undefined ? response_metadata : { ...response_metadata, [key]: settled },
    tool_calls: [...calls],
    invalid_tool_calls: areCallsSame ? original.invalid_tool_calls : [],
    // The chunks of a streamed message have the arguments of all calls, and its calls are read from them.
    tool_call_chunks: undefined,
  });
}

/**
 * Returns the metadata without the fields in which integrations repeat the answer of the model. Otherwise what a hook removed would be in
 * the history, and some integrations send it to the model instead of `content`.
 */
function withoutCopies({ response_metadata, additional_kwargs }: AIMessage, keepsCalls: boolean) {
  const { output: _output, logprobs: _logprobs, ...metadata } = response_metadata;
  const { parsed: _parsed, audio: _audio, __raw_response: _raw, ...kwargs } = additional_kwargs as Record<string, unknown>;
  if (!keepsCalls) {
    delete kwargs['tool_calls'];
    delete kwargs['function_call'];
  }
  return { response_metadata: metadata, additional_kwargs: kwargs };
}

/** Writes the text. In a list of parts, the parts of other kinds stay, e.g. the thoughts of the model. */
function writeText({ content }: AIMessage, text: string): MessageContent {
  if (!Array.isArray(content)) return text;
  return writeResponseText(
    { ...textParts, isThought, createText: (written) => ({ type: 'text', text: written }) },
    content,
    text,
  ) as MessageContent;
}

function isThought(part: unknown): boolean {
  return isPlainObject(part) && ['thinking', 'redacted_thinking', 'reasoning'].includes(String(part['type']));
}

const callTypes: readonly unknown[] = ['tool_use', 'tool_call', 'tool_call_chunk', 'input_json_delta', 'function_call', 'functionCall'];

/** Removes parts of calls that are not in the list. Integrations add a part for each call that has none. */
function withoutOtherCalls(content: MessageContent, calls: readonly ToolCall[]): MessageContent {
  if (!Array.isArray(content)) return content;
  const ids = new Set(calls.map(({ id }) => id).filter((id) => id !== undefined));
  return content.filter((part) => !callTypes.includes(part.type) || ids.has(String(part['id'] ?? part['call_id']))) as MessageContent;
}

const callParts = {
  read: ({ name, args, id }: ToolCall): ReturnedPart => ({ kind: 'call', call: { name, args, ...omitUndefined({ id }) } }),
  create(returned: ReturnedPart): ToolCall | undefined {
    if (returned.kind !== 'call') return undefined;
    const { name, args, id } = returned.call;
    return { type: 'tool_call', id: id ?? newCallId('call_'), name, args: { ...args } };
  },
};

/** The finish reasons under the name and in the words of one family of integrations. */
function toReasons(complete: string, calls: FinishReasons['calls'], length: string, safety: string): FinishReasons {
  return {
    shown: new Map([
      [complete, 'STOP'],
      ...calls.map((reason) => [reason, 'STOP'] as const),
      ['stop_sequence', 'STOP'],
      [length, 'MAX_TOKENS'],
      [safety, 'SAFETY'],
      ['RECITATION', 'RECITATION'],
    ]),
    native: new Map([
      ['MAX_TOKENS', length],
      ['SAFETY', safety],
      ['RECITATION', safety],
    ]),
    complete,
    calls,
  };
}

const openAiReasons = toReasons('stop', ['tool_calls', 'function_call'], 'length', 'content_filter');
const anthropicReasons = toReasons('end_turn', ['tool_use'], 'max_tokens', 'refusal');
// Google's API has no reason that means "tool calls".
const googleReasons = toReasons('STOP', ['STOP'], 'MAX_TOKENS', 'SAFETY');

/** Returns the finish reason of a message, the name under which the integration wrote it, and the words of this integration. */
function readFinish({ response_metadata: metadata }: AIMessage) {
  if ('stop_reason' in metadata) return { key: 'stop_reason', reasons: anthropicReasons, reason: metadata['stop_reason'] as unknown };
  if ('finishReason' in metadata) return { key: 'finishReason', reasons: googleReasons, reason: metadata['finishReason'] as unknown };
  const reason: unknown = metadata['finish_reason'];
  return { key: 'finish_reason', reasons: reason === 'STOP' ? googleReasons : openAiReasons, reason };
}
