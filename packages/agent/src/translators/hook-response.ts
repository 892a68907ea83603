import type { LLMResponse } from '@tenterhook/protocol';
import type { UsageMetadata } from './usage-metadata.js';

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
      ...(finishReason === undefined ? {} : { finishReason }),
      index,
      ...(safetyRatings === undefined ? {} : { safetyRatings }),
    })),
    ...(usageMetadata === undefined ? {} : { usageMetadata }),
  };
}

/** The text a hook wrote in place of the shown one; undefined when it is the same. */
export function changedText(changed: LLMResponse, shown: LLMResponse): string | undefined {
  return typeof changed.text === 'string' && changed.text !== (shown.text ?? '') ? changed.text : undefined;
}
