import type { LLMResponse } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { candidateIndexOf, findCandidate } from '../candidate-index.js';
import { type Fields, fieldsOf, fieldsOfAll, listOf } from '../fields.js';
import { type FinishReasons, showFinishReason } from '../finish-reason.js';
import { changedText, showResponse } from '../hook-response.js';
import type { ModelToolCall, ResponseChange } from '../llm-translator.js';
import { type ReturnedCandidate, type ReturnedPart, readArguments, readCandidates } from '../returned-candidates.js';
import { type ResponseParts, reuseParts } from '../reuse-parts.js';
import { isSameList } from '../same-list.js';
import { usageMetadataOf } from '../usage-metadata.js';
import { withFields } from '../with-fields.js';
import { type ResponsePartFormat, writeResponseText } from '../write-response-text.js';
import { type GenAiPart, genAiTextParts, isThought } from './genai-parts.js';
import { SyntheticGenAiResponse } from './synthetic-genai-response.js';

export function showGenAiResponse(response: object): LLMResponse {
  const { candidates, usageMetadata } = fieldsOf(response);
  const usage = fieldsOf(usageMetadata);
  return showResponse(
    fieldsOfAll(candidates).map((candidate, place) => ({
      texts: partsOf(candidate).flatMap((part) => genAiTextParts.textOf(part) || []),
      index: candidateIndexOf(candidate, place),
      finishReason: showReason(candidate['finishReason']),
      safetyRatings: showSafetyRatings(candidate['safetyRatings']),
    })),
    usageMetadataOf(usage['promptTokenCount'], usage['candidatesTokenCount'], usage['totalTokenCount']),
  );
}

export function genAiToolCalls(response: object): ModelToolCall[] {
  const parts = fieldsOfAll(fieldsOf(response)['candidates']).flatMap(partsOf);
  return parts.flatMap((part) => {
    const { name, args } = fieldsOf(fieldsOf(part)['functionCall']);
    return typeof name === 'string' ? { name, args: readArguments(args) } : [];
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
    usageMetadata: usageMetadataOf(promptTokenCount, candidatesTokenCount, totalTokenCount),
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

/** A host may hand over a plain copy of a response, in which `text` and `functionCalls` are values that would go on saying what was. */
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

/** Hooks write reasons that the SDK has, so there is no table of the other direction; nor has the SDK one for calls. */
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
