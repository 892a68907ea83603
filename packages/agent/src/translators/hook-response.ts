import type { LLMResponse } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { Fields } from './fields.js';

type HookCandidate = NonNullable<LLMResponse['candidates']>[number];

/** What hooks see of one candidate. */
export interface ShownCandidate {
  readonly texts: readonly string[];
  readonly index: number;
  readonly finishReason?: string | undefined;
  readonly safetyRatings?: HookCandidate['safetyRatings'] | undefined;
}

/** The response as hooks see it: texts, why it ended, what it cost. `text` is the text of the first candidate, absent when it has none. */
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

/** The text a hook wrote in place of the shown one; undefined when it is the same. */
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

/** The index that a candidate states; its place in the list when it states none. */
export function getCandidateIndex({ index }: Fields, place: number): number {
  return typeof index === 'number' ? index : place;
}

/** The candidate of this index, at any place in the list. */
export function findCandidate(candidates: readonly Fields[], index: number): Fields | undefined {
  return candidates.find((candidate, place) => getCandidateIndex(candidate, place) === index);
}

/** The reasons of one SDK for the end of an answer, and how they map to those of hooks. */
export interface FinishReasons {
  /** The reason that hooks read for one of the SDK; `OTHER` for one that is not in the map. */
  readonly shown: ReadonlyMap<unknown, string>;
  /** The SDK's reason for one of a hook; `complete` for one that is not in the map. */
  readonly native: ReadonlyMap<unknown, string>;
  /** The reason of a complete answer. */
  readonly complete: string;
  /** The reasons of an answer that ends in tool calls: the one that is written, then others that are read. */
  readonly calls: readonly [string, ...string[]];
}

export function showFinishReason({ shown }: Pick<FinishReasons, 'shown'>, reason: unknown): string | undefined {
  return typeof reason === 'string' ? (shown.get(reason) ?? 'OTHER') : undefined;
}

/**
 * The SDK's own reason unless a hook changed it. An agent's loop relies on it, so it never announces calls that were removed, nor hides calls
 * that exist.
 */
export function settleFinishReason(reasons: FinishReasons, returned: string | undefined, original: unknown, hasCalls: boolean): unknown {
  const { native, complete, calls } = reasons;
  const isKept = returned === undefined || returned === showFinishReason(reasons, original);
  const reason = isKept ? original : (native.get(returned) ?? complete);
  const isOfCalls = calls.some((word) => word === reason);
  if (hasCalls) return isOfCalls || reason === complete ? calls[0] : reason;
  return isOfCalls ? complete : reason;
}
