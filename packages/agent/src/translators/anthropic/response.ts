import type { LLMResponse } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { type Fields, fieldsOf, fieldsOfAll, isSameList, listOf, withFields } from '../fields.js';
import { changedText, type FinishReasons, settleFinishReason, showFinishReason, showResponse, toUsageMetadata } from '../hook-response.js';
import type { ModelToolCall, ResponseChange } from '../llm-translator.js';
import {
  newCallId,
  type ResponseParts,
  type ReturnedCandidate,
  type ReturnedPart,
  readArguments,
  readCallId,
  readCandidates,
  reuseParts,
} from '../returned-candidates.js';
import { type ResponsePartFormat, writeResponseText } from '../text-parts.js';
import { isThought, textBlocks } from './messages.js';

export function showAnthropicResponse(response: object): LLMResponse {
  const { content, stop_reason, usage } = fieldsOf(response);
  const texts = listOf(content).flatMap((block) => textBlocks.textOf(block) || []);
  return showResponse([{ texts, index: 0, finishReason: showFinishReason(finishReasons, stop_reason) }], showUsage(usage));
}

export function anthropicToolCalls(response: object): ModelToolCall[] {
  return fieldsOfAll(fieldsOf(response)['content']).flatMap(({ type, name, input, id }) =>
    type === 'tool_use' && typeof name === 'string' ? { name, args: readArguments(input), ...readCallId(id) } : [],
  );
}

export function changeAnthropicResponse(changed: LLMResponse, original: object | undefined, change: ResponseChange): object {
  if (original === undefined) return createResponse(changed);
  // A response is one message. If a hook returned several candidates, the first is used.
  if (change.replacesCandidates && Array.isArray(changed.candidates))
    return replaceContent(readCandidates(changed, false)[0] ?? { parts: [] }, original);
  const text = changedText(changed, showAnthropicResponse(original));
  return text === undefined
    ? original
    : withContent(original, writeResponseText(responseBlocks, listOf(fieldsOf(original)['content']), text));
}

function createResponse(changed: LLMResponse): object {
  const { promptTokenCount = 0, candidatesTokenCount = 0 } = changed.usageMetadata ?? {};
  const empty = {
    id: newCallId('msg_'),
    type: 'message',
    role: 'assistant',
    // The SDK requires a model, and no model was called.
    model: 'synthetic',
    content: [],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: promptTokenCount,
      output_tokens: candidatesTokenCount,
      cache_creation: null,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
      inference_geo: null,
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: null,
      speed: null,
    },
  };
  return replaceContent(readCandidates(changed, true)[0] ?? { parts: [] }, empty);
}

/** Replaces the content. If calls stay, thoughts stay too, because the API accepts a call only after its thought. */
function replaceContent({ parts, finishReason }: ReturnedCandidate, original: object): object {
  const { content, stop_reason } = fieldsOf(original);
  const before = listOf(content);
  const hasCalls = parts.some(({ kind }) => kind === 'call');
  const thoughts = hasCalls ? before.filter(isThought) : [];
  const blocks = [...thoughts, ...reuseParts(responseBlocks, parts, before)];
  return withFields(withContent(original, isSameList(blocks, before) ? content : blocks), {
    stop_reason: settleFinishReason(finishReasons, finishReason, stop_reason, hasCalls),
  });
}

/** Writes the content. Removes `parsed_output`, which the SDK parsed from the old text, and which would bring back what a hook removed. */
function withContent(message: object, content: unknown): object {
  const isStale = fieldsOf(message)['content'] !== content && fieldsOf(message)['parsed_output'] !== undefined;
  return withFields(message, { content, ...(isStale ? { parsed_output: null } : {}) });
}

const responseBlocks: ResponsePartFormat<unknown> & ResponseParts<unknown> = {
  ...textBlocks,
  isThought,
  createText: createTextBlock,
  read(block: unknown): ReturnedPart | undefined {
    const text = textBlocks.textOf(block);
    if (text !== undefined) return { kind: 'text', text };
    const { type, id, name, input } = fieldsOf(block);
    if (type !== 'tool_use' || typeof name !== 'string') return undefined;
    return { kind: 'call', call: { name, args: readArguments(input), ...(typeof id === 'string' ? { id } : {}) } };
  },
  create(returned: ReturnedPart): unknown {
    if (returned.kind === 'text') return createTextBlock(returned.text);
    if (returned.kind !== 'call') return undefined;
    const { id, name, args } = returned.call;
    return { type: 'tool_use', id: id ?? newCallId('toolu_'), name, input: args, caller: { type: 'direct' } };
  },
};

function createTextBlock(text: string): Fields {
  return { type: 'text', text, citations: null };
}

const finishReasons: FinishReasons = {
  shown: new Map([
    ['end_turn', 'STOP'],
    ['stop_sequence', 'STOP'],
    ['tool_use', 'STOP'],
    ['max_tokens', 'MAX_TOKENS'],
    ['model_context_window_exceeded', 'MAX_TOKENS'],
    ['refusal', 'SAFETY'],
  ]),
  native: new Map([
    ['MAX_TOKENS', 'max_tokens'],
    ['SAFETY', 'refusal'],
    ['RECITATION', 'refusal'],
  ]),
  complete: 'end_turn',
  calls: ['tool_use'],
};

/** Returns the token counts. `input_tokens` of the API excludes cached tokens, but hooks expect the count of the whole prompt. */
function showUsage(usage: unknown) {
  if (!isPlainObject(usage)) return undefined;
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
  const counts = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens].filter((count) => typeof count === 'number');
  const prompt = counts.reduce((sum, count) => sum + count, 0);
  return toUsageMetadata(prompt, output_tokens, prompt + (typeof output_tokens === 'number' ? output_tokens : 0));
}
