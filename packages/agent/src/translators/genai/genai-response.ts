import { isPlainObject, isSameJson, type LLMResponse } from '@tenterhook/protocol';
import type { ResponseChange } from '../../llm-translator.js';
import { type Fields, fieldsOf, listOf } from '../read-fields.js';
import { type ReturnedCandidate, type ReturnedPart, readArguments, readCandidates } from '../returned-candidates.js';
import { reuseParts } from '../reuse-parts.js';
import { rewriteTextParts } from '../rewrite-text-parts.js';
import { isSameList } from '../same-list.js';
import { changedText, showResponse } from '../show-response.js';
import { usageMetadataOf } from '../usage-metadata.js';
import { withFields } from '../with-fields.js';
import { type GenAiPart, genAiTextParts, isThought } from './genai-parts.js';
import { SyntheticGenAiResponse } from './synthetic-genai-response.js';

export function showGenAiResponse(response: object): LLMResponse {
  const { candidates, usageMetadata } = fieldsOf(response);
  const usage = fieldsOf(usageMetadata);
  return showResponse(
    fieldsOfAll(candidates).map((candidate, place) => ({
      texts: partsOf(candidate).flatMap((part) => genAiTextParts.textOf(part) || []),
      index: indexOf(candidate, place),
      finishReason: showFinishReason(candidate['finishReason']),
      safetyRatings: showSafetyRatings(candidate['safetyRatings']),
    })),
    usageMetadataOf(usage['promptTokenCount'], usage['candidatesTokenCount'], usage['totalTokenCount']),
  );
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
    return replaceCandidate(candidate, originals.find((original, at) => indexOf(original, at) === index) ?? newCandidate(index));
  });
  return isSameList(candidates, originals) ? originals : candidates;
}

function replaceCandidate({ parts, finishReason, safetyRatings }: ReturnedCandidate, original: Fields): Fields {
  const isSameRating = safetyRatings === undefined || isSameJson(safetyRatings, showSafetyRatings(original['safetyRatings']));
  const isSameReason = finishReason === undefined || finishReason === showFinishReason(original['finishReason']);
  return withFields(original, {
    content: withParts(original, reuseParts(responseParts, parts, partsOf(original))),
    finishReason: isSameReason ? original['finishReason'] : finishReason,
    safetyRatings: isSameRating ? original['safetyRatings'] : safetyRatings,
  });
}

/** A new text of a response without any goes behind the thoughts, before the calls it announces. */
function withText(candidate: Fields, text: string): Fields {
  const parts = partsOf(candidate);
  if (parts.some((part) => genAiTextParts.textOf(part) !== undefined)) {
    return withFields(candidate, { content: withParts(candidate, rewriteTextParts(genAiTextParts, parts, text)) });
  }
  const place = parts.findIndex((part) => !isThought(part));
  const [thoughts, rest] = place < 0 ? [parts, []] : [parts.slice(0, place), parts.slice(place)];
  return withFields(candidate, { content: withParts(candidate, [...thoughts, { text }, ...rest]) });
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

const responseParts = {
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

const shownReasons: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    STOP: 'STOP',
    MAX_TOKENS: 'MAX_TOKENS',
    SAFETY: 'SAFETY',
    BLOCKLIST: 'SAFETY',
    PROHIBITED_CONTENT: 'SAFETY',
    SPII: 'SAFETY',
    IMAGE_SAFETY: 'SAFETY',
    IMAGE_PROHIBITED_CONTENT: 'SAFETY',
    RECITATION: 'RECITATION',
    IMAGE_RECITATION: 'RECITATION',
  }),
);

function showFinishReason(reason: unknown): string | undefined {
  if (typeof reason !== 'string' || reason === 'FINISH_REASON_UNSPECIFIED') return undefined;
  return shownReasons.get(reason) ?? 'OTHER';
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

function indexOf(candidate: Fields, place: number): number {
  return typeof candidate['index'] === 'number' ? candidate['index'] : place;
}

function fieldsOfAll(list: unknown): readonly Fields[] {
  return listOf(list).map(fieldsOf);
}
