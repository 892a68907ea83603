import type { LLMResponse } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { type Fields, fieldsOf, fieldsOfAll, isSameList, listOf, withFields } from '../fields.js';
import {
  changedText,
  type FinishReasons,
  findCandidate,
  getCandidateIndex,
  showFinishReason,
  showResponse,
  toUsageMetadata,
} from '../hook-response.js';
import type { ModelToolCall, ResponseChange } from '../llm-translator.js';
import {
  type ResponseParts,
  type ReturnedCandidate,
  type ReturnedPart,
  readArguments,
  readCallId,
  readCandidates,
  reuseParts,
} from '../returned-candidates.js';
import { type ResponsePartFormat, writeResponseText } from '../text-parts.js';
import { type GenAiPart, genAiTextParts, isThought } from './messages.js';

export function showGenAiResponse(response: object): LLMResponse {
  const { candidates, usageMetadata } = fieldsOf(response);
  const usage = fieldsOf(usageMetadata);
  return showResponse(
    fieldsOfAll(candidates).map((candidate, place) => ({
      texts: partsOf(candidate).flatMap((part) => genAiTextParts.textOf(part) || []),
      index: getCandidateIndex(candidate, place),
      finishReason: showReason(candidate['finishReason']),
      safetyRatings: showSafetyRatings(candidate['safetyRatings']),
    })),
    toUsageMetadata(usage['promptTokenCount'], usage['candidatesTokenCount'], usage['totalTokenCount']),
  );
}

export function genAiToolCalls(response: object): ModelToolCall[] {
  const parts = fieldsOfAll(fieldsOf(response)['candidates']).flatMap(partsOf);
  return parts.flatMap((part) => {
    const { name, args, id } = fieldsOf(fieldsOf(part)['functionCall']);
    return typeof name === 'string' ? { name, args: readArguments(args), ...readCallId(id) } : [];
  });
}

export function changeGenAiResponse(changed: LLMResponse, original: object | undefined, change: ResponseChange): object {
  if (original === undefined) return createResponse(changed);
  const candidates = fieldsOfAll(fieldsOf(original)['candidates']);
  if (change.replacesCandidates && Array.isArray(changed.candidates))
    return withCandidates(original, replaceCandidates(readCandidates(changed, false), candidates));
  const text = changedText(changed, showGenAiResponse(original));
  if (text === undefined) return original;
  const [first = newCandidate(0), ...others] = candidates;
  return withCandidates(original, [withText(first, text), ...others]);
}

function createResponse(changed: LLMResponse): object {
  const { promptTokenCount, candidatesTokenCount, totalTokenCount } = changed.usageMetadata ?? {};
  return withFields(new SyntheticGenAiResponse(), {
    candidates: replaceCandidates(readCandidates(changed, true), []),
    usageMetadata: toUsageMetadata(promptTokenCount, candidatesTokenCount, totalTokenCount),
  });
}

function replaceCandidates(returned: readonly ReturnedCandidate[], originals: readonly Fields[]): readonly Fields[] {
  const candidates = returned.map((candidate, place) => {
    const index = candidate.index ?? place;
    return replaceCandidate(candidate, findCandidate(originals, index) ?? newCandidate(index));
  });
  return isSameList(candidates, originals) ? originals : candidates;
}

function replaceCandidate({ parts, finishReason, safetyRatings }: ReturnedCandidate, original: Fields): Fields {
  const isSameRating = safetyRatings === undefined || isSameJson(safetyRatings, showSafetyRatings(original['safetyRatings']));
  const isSameReason = finishReason === undefined || finishReason === showReason(original['finishReason']);
  return withFields(original, {
    content: withParts(original, reuseParts(responseParts, parts, partsOf(original))),
    finishReason: isSameReason ? original['finishReason'] : finishReason,
    safetyRatings: isSameRating ? original['safetyRatings'] : safetyRatings,
  });
}

function withText(candidate: Fields, text: string): Fields {
  return withFields(candidate, { content: withParts(candidate, writeResponseText(responseParts, partsOf(candidate), text)) });
}

/**
 * Writes the candidates. In a plain copy of a response, `text` and `functionCalls` are values instead of getters. They are updated too,
 * because they would otherwise keep the old content.
 */
function withCandidates(response: object, candidates: readonly Fields[]): object {
  if (isSameList(candidates, fieldsOfAll(fieldsOf(response)['candidates']))) return response;
  const { text, functionCalls } = withFields(new SyntheticGenAiResponse(), { candidates });
  const hasValue = (key: string) => Object.getOwnPropertyDescriptor(response, key)?.value !== undefined;
  return withFields(response, {
    candidates,
    ...(hasValue('text') ? { text } : {}),
    ...(hasValue('functionCalls') ? { functionCalls } : {}),
  });
}

const responseParts: ResponsePartFormat<GenAiPart> & ResponseParts<GenAiPart> = {
  ...genAiTextParts,
  isThought,
  createText: (text) => ({ text }),
  read(part: GenAiPart): ReturnedPart | undefined {
    const text = genAiTextParts.textOf(part);
    if (text !== undefined) return { kind: 'text', text };
    const { name, args, id } = fieldsOf(fieldsOf(part)['functionCall']);
    if (typeof name !== 'string') return undefined;
    return { kind: 'call', call: { name, args: readArguments(args), ...(typeof id === 'string' ? { id } : {}) } };
  },
  create(returned: ReturnedPart): GenAiPart {
    if (returned.kind === 'text') return { text: returned.text };
    return returned.kind === 'call' ? { functionCall: { ...returned.call } } : returned.part;
  },
};

/**
 * The finish reasons that hooks see. Hooks write reasons that the SDK also has, so no second map is needed. The API has no finish reason
 * that means "tool calls".
 */
const shownReasons: FinishReasons['shown'] = new Map([
  ['STOP', 'STOP'],
  ['MAX_TOKENS', 'MAX_TOKENS'],
  ['SAFETY', 'SAFETY'],
  ['BLOCKLIST', 'SAFETY'],
  ['PROHIBITED_CONTENT', 'SAFETY'],
  ['SPII', 'SAFETY'],
  ['IMAGE_SAFETY', 'SAFETY'],
  ['IMAGE_PROHIBITED_CONTENT', 'SAFETY'],
  ['RECITATION', 'RECITATION'],
  ['IMAGE_RECITATION', 'RECITATION'],
]);

function showReason(reason: unknown): string | undefined {
  return reason === 'FINISH_REASON_UNSPECIFIED' ? undefined : showFinishReason({ shown: shownReasons }, reason);
}

function showSafetyRatings(ratings: unknown): { category?: string; probability?: string }[] | undefined {
  if (!Array.isArray(ratings)) return undefined;
  return ratings.filter(isPlainObject).map(({ category, probability }) => ({
    ...(typeof category === 'string' ? { category } : {}),
    ...(typeof probability === 'string' ? { probability } : {}),
  }));
}

function newCandidate(index: number): Fields {
  return { content: { role: 'model', parts: [] }, finishReason: 'STOP', index };
}

function withParts(candidate: Fields, parts: readonly GenAiPart[]): unknown {
  if (isSameList(parts, partsOf(candidate))) return candidate['content'];
  return isPlainObject(candidate['content']) ? withFields(candidate['content'], { parts }) : { role: 'model', parts };
}

function partsOf(candidate: Fields): readonly GenAiPart[] {
  return listOf(fieldsOf(candidate['content'])['parts']);
}

/**
 * A response that a hook provided instead of the model. It has the getters `text` and `functionCalls` of the SDK's class. That class is not
 * imported, because the host may not have the SDK. The getters for data and code are left out, because they would return `undefined`.
 */
class SyntheticGenAiResponse {
  readonly candidates: readonly object[] = [];

  get text(): string | undefined {
    const texts = partsOf(fieldsOf(this.candidates[0])).flatMap((part) => genAiTextParts.textOf(part) ?? []);
    return texts.length === 0 ? undefined : texts.join('');
  }

  get functionCalls(): object[] | undefined {
    const calls = partsOf(fieldsOf(this.candidates[0])).map((part) => fieldsOf(part)['functionCall']);
    return calls.some(isPlainObject) ? calls.filter(isPlainObject) : undefined;
  }
}
