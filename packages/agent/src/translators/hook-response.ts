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
 * Returns the response as hooks see it: texts, finish reasons and token counts. `text` is the text of the first candidate; it is absent if
 * that has none.
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

/** Returns the text that a hook wrote in place of the shown one. Undefined if it is the same. */
export function changedText(changed: LLMResponse, shown: LLMResponse): string | undefined {
  return typeof changed.text === 'string' && changed.text !== (shown.text ?? '') ? changed.text : undefined;
}

export type UsageMetadata = NonNullable<LLMResponse['usageMetadata']>;

/** The counts that are numbers; undefined if no count is a number. */
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
  /** Maps a reason of the SDK to the one that hooks read. A reason that is not in the map becomes `OTHER`. */
  readonly shown: ReadonlyMap<unknown, string>;
  /** Maps a reason that a hook wrote to one of the SDK. A reason that is not in the map becomes `complete`. */
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
 * Returns the finish reason to write: that of the original response, unless a hook changed it. It must fit the content, because agent loops
 * rely on it: it announces calls only if there are some.
 */
export function settleFinishReason(reasons: FinishReasons, returned: string | undefined, original: unknown, hasCalls: boolean): unknown {
  const { native, complete, calls } = reasons;
  const isKept = returned === undefined || returned === showFinishReason(reasons, original);
  const reason = isKept ? original : (native.get(returned) ?? complete);
  const isOfCalls = calls.some((word) => word === reason);
  if (hasCalls) return isOfCalls || reason === complete ? calls[0] : reason;
  return isOfCalls ? complete : reason;
}
