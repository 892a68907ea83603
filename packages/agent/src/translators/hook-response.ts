import type { LLMResponse } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { Fields } from './fields.js';

type HookCandidate = NonNullable<LLMResponse['candidates']>[number];

/** A candidate as hooks see it. */
export interface ShownCandidate {
  readonly texts: readonly string[];
  readonly index: number;
  readonly finishReason?: string | undefined;
  readonly safetyRatings?: HookCandidate['safetyRatings'] | undefined;
}

/**
 * Returns the response for hooks: texts, finish reasons and token counts. `text` is the text of the first candidate, and absent if that
 * candidate has no text.
 */
export function showResponse(candidates: readonly ShownCandidate[], usageMetadata: UsageMetadata | undefined): LLMResponse {
  const texts = candidates[0]?.texts ?? [];
  return {
    ...(texts.length === 0 ? {} : { text: texts.join('') }),
    candidates: candidates.map(({ texts, index, finishReason, safetyRatings }) => ({
      content: { role: 'model', parts: [...texts] },
      ...omitUndefined({ finishReason }),
      index,
      ...omitUndefined({ safetyRatings }),
    })),
    ...omitUndefined({ usageMetadata }),
  };
}

/** Returns the text that a hook wrote, or undefined if it equals the shown text. */
export function changedText(changed: LLMResponse, shown: LLMResponse): string | undefined {
  return typeof changed.text === 'string' && changed.text !== (shown.text ?? '') ? changed.text : undefined;
}

export type UsageMetadata = NonNullable<LLMResponse['usageMetadata']>;

/** Returns the counts that are numbers, or undefined if there are none. */
export function toUsageMetadata(prompt: unknown, candidates: unknown, total: unknown): UsageMetadata | undefined {
  const counts = { promptTokenCount: prompt, candidatesTokenCount: candidates, totalTokenCount: total };
  const numbers = Object.entries(counts).filter(([, count]) => typeof count === 'number');
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers);
}

/** Returns the index that a candidate states, or else its position in the list. */
export function getCandidateIndex({ index }: Fields, place: number): number {
  return typeof index === 'number' ? index : place;
}

/** Returns the candidate with this index, at any position in the list. */
export function findCandidate(candidates: readonly Fields[], index: number): Fields | undefined {
  return candidates.find((candidate, place) => getCandidateIndex(candidate, place) === index);
}

/** The finish reasons of one SDK, and the maps between them and those of hooks. */
export interface FinishReasons {
  /** The reason that hooks read for each reason of the SDK. All others become `OTHER`. */
  readonly shown: ReadonlyMap<unknown, string>;
  /** The reason of the SDK for each reason that a hook writes. All others become `complete`. */
  readonly native: ReadonlyMap<unknown, string>;
  /** The reason of a complete answer. */
  readonly complete: string;
  /** The SDK's reasons of an answer that ends with tool calls. All are recognised, and the first one is written. */
  readonly calls: readonly [string, ...string[]];
}

export function showFinishReason({ shown }: Pick<FinishReasons, 'shown'>, reason: unknown): string | undefined {
  return typeof reason === 'string' ? (shown.get(reason) ?? 'OTHER') : undefined;
}

/**
 * Returns the finish reason to write: the original one, unless a hook changed it. A reason that announces tool calls is written only if the
 * response has calls, because agent loops rely on it.
 */
export function settleFinishReason(reasons: FinishReasons, returned: string | undefined, original: unknown, hasCalls: boolean): unknown {
  const { native, complete, calls } = reasons;
  const isKept = returned === undefined || returned === showFinishReason(reasons, original);
  const reason = isKept ? original : (native.get(returned) ?? complete);
  const isOfCalls = calls.some((word) => word === reason);
  if (hasCalls) return isOfCalls || reason === complete ? calls[0] : reason;
  return isOfCalls ? complete : reason;
}
