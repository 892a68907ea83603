import type { LLMResponse } from '@tenterhook/protocol';

export type UsageMetadata = NonNullable<LLMResponse['usageMetadata']>;

/** The counts that are numbers; undefined when none is. */
export function usageMetadataOf(prompt: unknown, candidates: unknown, total: unknown): UsageMetadata | undefined {
  const counts = { promptTokenCount: prompt, candidatesTokenCount: candidates, totalTokenCount: total };
  const numbers = Object.entries(counts).filter(([, count]) => typeof count === 'number');
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers);
}
