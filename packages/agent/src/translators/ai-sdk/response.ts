import type { LLMResponse } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { fieldsOf, fieldsOfAll, isSameList, withFields } from '../fields.js';
import { changedText, type FinishReasons, settleFinishReason, showFinishReason, showResponse } from '../hook-response.js';
import type { ModelToolCall, ResponseChange } from '../llm-translator.js';
import {
  newCallId,
  type ResponseParts,
  type ReturnedCandidate,
  type ReturnedPart,
  readArguments,
  readCandidates,
  reuseParts,
} from '../returned-candidates.js';
import { type ResponsePartFormat, writeResponseText } from '../text-parts.js';
import { isThought, promptTextParts } from './messages.js';
import {
  contentOf,
  createEmptyAiSdkResponse,
  readFinishReason,
  type SpecificationVersion,
  showUsage,
  writeFinishReason,
} from './versions.js';

export function showAiSdkResponse(response: object): LLMResponse {
  const { finishReason, usage } = fieldsOf(response);
  const texts = contentOf(response).flatMap((part) => responseParts.textOf(part) || []);
  return showResponse(
    [{ texts, index: 0, finishReason: showFinishReason(finishReasons, readFinishReason(finishReason)) }],
    showUsage(usage),
  );
}

export function aiSdkToolCalls(response: object): ModelToolCall[] {
  return fieldsOfAll(contentOf(response)).flatMap(({ type, toolCallId, toolName, input, providerExecuted }) => {
    if (type !== 'tool-call' || typeof toolName !== 'string' || providerExecuted === true) return [];
    return { name: toolName, args: readArguments(input), ...(typeof toolCallId === 'string' ? { id: toolCallId } : {}) };
  });
}

export function changeAiSdkResponse(
  changed: LLMResponse,
  original: object | undefined,
  change: ResponseChange,
  version: SpecificationVersion,
): object {
  if (original === undefined) {
    return replaceContent(readCandidates(changed, true)[0] ?? { parts: [] }, createEmptyAiSdkResponse(version, changed.usageMetadata));
  }
  // A response is one message. If a hook returned several candidates, the first is used.
  if (change.replacesCandidates && Array.isArray(changed.candidates))
    return replaceContent(readCandidates(changed, false)[0] ?? { parts: [] }, original);
  const text = changedText(changed, showAiSdkResponse(original));
  return text === undefined ? original : withContent(original, writeResponseText(responseParts, contentOf(original), text));
}

/** Replaces the content. If calls stay, thoughts stay too, because providers accept a call only after its thought. */
function replaceContent({ parts, finishReason }: ReturnedCandidate, original: object): object {
  const before = contentOf(original);
  const hasCalls = parts.some(({ kind }) => kind === 'call');
  const thoughts = hasCalls ? before.filter(isThought) : [];
  const content = [...thoughts, ...reuseParts(responseParts, parts, before)];
  const current = fieldsOf(original)['finishReason'];
  const settled = settleFinishReason(finishReasons, finishReason, readFinishReason(current), hasCalls);
  return withFields(withContent(original, isSameList(content, before) ? before : content), {
    finishReason: writeFinishReason(settled, current),
  });
}

/** Writes the content. Removes the fields that repeat the old text. */
function withContent(response: object, content: readonly unknown[]): object {
  const fields = fieldsOf(response);
  if (content === fields['content']) return response;
  const { response: received, providerMetadata } = fields;
  return withFields(response, {
    content,
    structuredOutputText: undefined,
    response: isPlainObject(received) ? withFields(received, { body: undefined }) : received,
    providerMetadata: isPlainObject(providerMetadata) ? withoutRepeatedText(providerMetadata) : providerMetadata,
  });
}

/** Removes what repeats the text: the probabilities of its tokens, and the passages of it that Google's models found sources for. */
function withoutRepeatedText(providerMetadata: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(providerMetadata).map(([provider, metadata]) => {
    if (!isPlainObject(metadata)) return [provider, metadata] as const;
    const { groundingMetadata: grounding } = metadata;
    const groundingMetadata = isPlainObject(grounding) ? withFields(grounding, { groundingSupports: undefined }) : grounding;
    return [provider, withFields(metadata, { logprobs: undefined, groundingMetadata })] as const;
  });
  return withFields(providerMetadata, Object.fromEntries(entries));
}

const responseParts: ResponsePartFormat<unknown> & ResponseParts<unknown> = {
  textOf: promptTextParts.textOf,
  // Citations quote the answer by places in the old text.
  withText: (part, text) => withFields(fieldsOf(part), { text, citations: undefined }),
  isThought,
  createText: (text) => ({ type: 'text', text }),
  read(part: unknown): ReturnedPart | undefined {
    const text = responseParts.textOf(part);
    if (text !== undefined) return { kind: 'text', text };
    const { type, toolCallId, toolName, input, providerExecuted } = fieldsOf(part);
    if (type !== 'tool-call' || typeof toolName !== 'string' || providerExecuted === true) return undefined;
    return {
      kind: 'call',
      call: { name: toolName, args: readArguments(input), ...(typeof toolCallId === 'string' ? { id: toolCallId } : {}) },
    };
  },
  create(returned: ReturnedPart): unknown {
    if (returned.kind === 'text') return { type: 'text', text: returned.text };
    if (returned.kind !== 'call') return undefined;
    const { id, name, args } = returned.call;
    return { type: 'tool-call', toolCallId: id ?? newCallId('call_'), toolName: name, input: JSON.stringify(args) };
  },
};

const finishReasons: FinishReasons = {
  shown: new Map([
    ['stop', 'STOP'],
    ['tool-calls', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['content-filter', 'SAFETY'],
  ]),
  native: new Map([
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
  ]),
  complete: 'stop',
  calls: ['tool-calls'],
};
