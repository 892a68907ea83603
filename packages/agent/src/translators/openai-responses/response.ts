import type { LLMResponse } from '@tenterhook/protocol';
import { type Fields, fieldsOf, isSameList, listOf, withFields } from '../fields.js';
import { changedText, type FinishReasons, settleFinishReason, showFinishReason, showResponse, toUsageMetadata } from '../hook-response.js';
import type { ModelToolCall, ResponseChange } from '../llm-translator.js';
import { newCallId, type ReturnedCandidate, readCandidates } from '../returned-candidates.js';
import { partsOf } from './items.js';
import { outputTexts, replaceOutput, rewriteOutputText } from './output.js';
import { responsesItems } from './responses-items.js';

export function showResponsesResponse(response: object): LLMResponse {
  const { output, usage } = fieldsOf(response);
  const { input_tokens, output_tokens, total_tokens } = fieldsOf(usage);
  return showResponse(
    [{ texts: outputTexts(listOf(output)), index: 0, finishReason: showFinishReason(finishReasons, reasonOf(fieldsOf(response))) }],
    toUsageMetadata(input_tokens, output_tokens, total_tokens),
  );
}

export function responsesToolCalls(response: object): ModelToolCall[] {
  return listOf(fieldsOf(response)['output']).flatMap((item) => responsesItems.callOf(item) ?? []);
}

export function changeResponsesResponse(changed: LLMResponse, original: object | undefined, change: ResponseChange): object {
  if (original === undefined) return createResponse(changed);
  // A response is one answer. If a hook returned several candidates, the first is used.
  if (change.replacesCandidates && Array.isArray(changed.candidates))
    return replaceResponse(readCandidates(changed, false)[0] ?? { parts: [] }, original);
  const text = changedText(changed, showResponsesResponse(original));
  return text === undefined
    ? original
    : withOutput(original, rewriteOutputText(responsesItems, listOf(fieldsOf(original)['output']), text));
}

function createResponse(changed: LLMResponse): object {
  const { promptTokenCount = 0, candidatesTokenCount = 0, totalTokenCount } = changed.usageMetadata ?? {};
  const empty = {
    id: newCallId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    // The SDK requires a model, and no model was called.
    model: 'synthetic',
    status: 'completed',
    output: [],
    output_text: '',
    error: null,
    incomplete_details: null,
    access_programs: null,
    instructions: null,
    metadata: null,
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: {
      input_tokens: promptTokenCount,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: candidatesTokenCount,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: totalTokenCount ?? promptTokenCount + candidatesTokenCount,
    },
  };
  return replaceResponse(readCandidates(changed, true)[0] ?? { parts: [] }, empty);
}

function replaceResponse({ parts, finishReason }: ReturnedCandidate, original: object): object {
  const before = reasonOf(fieldsOf(original));
  const reason = settleFinishReason(
    finishReasons,
    finishReason,
    before,
    parts.some(({ kind }) => kind === 'call'),
  );
  const response = withOutput(original, replaceOutput(responsesItems, parts, listOf(fieldsOf(original)['output'])));
  return reason === before ? response : withFields(response, reasonFields(reason));
}

/** Writes the output, and anew what the SDK made of the old one. */
function withOutput(response: object, output: readonly unknown[]): object {
  const { output: before, output_text, output_parsed } = fieldsOf(response);
  if (isSameList(output, listOf(before))) return response;
  const text = outputTexts(output).join('');
  const isStale = output_parsed !== undefined && text !== outputTexts(listOf(before)).join('');
  return withFields(response, {
    output,
    ...(output_text === undefined ? {} : { output_text: text }),
    ...(isStale ? { output_parsed: null } : {}),
  });
}

/** Returns why the answer ended: the reason of an incomplete answer, a refusal, or else the status. Undefined while it is being made. */
function reasonOf({ status, incomplete_details, output }: Fields): unknown {
  const { reason } = fieldsOf(incomplete_details);
  if (typeof reason === 'string') return reason;
  if (status === 'in_progress' || status === 'queued') return undefined;
  const hasRefusal = listOf(output).some((item) => partsOf(item).some((part) => fieldsOf(part)['type'] === 'refusal'));
  return hasRefusal ? 'refusal' : status;
}

function reasonFields(reason: unknown): Fields {
  return reason === finishReasons.complete
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } };
}

const finishReasons: FinishReasons = {
  shown: new Map([
    ['completed', 'STOP'],
    ['max_output_tokens', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
    ['refusal', 'SAFETY'],
  ]),
  native: new Map([
    ['MAX_TOKENS', 'max_output_tokens'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
  ]),
  complete: 'completed',
  // An answer with calls has no reason of its own in this API.
  calls: ['completed'],
};
