import type { MockLanguageModelV2 } from 'ai-v5/test';
import type { MockLanguageModelV3 } from 'ai-v6/test';
import type { MockLanguageModelV4 } from 'ai-v7/test';

/** The types of each version, from the models that its `ai/test` exports, because `@ai-sdk/provider` exists three times. */
export type RequestV2 = Parameters<MockLanguageModelV2['doGenerate']>[0];
export type RequestV3 = Parameters<MockLanguageModelV3['doGenerate']>[0];
export type RequestV4 = Parameters<MockLanguageModelV4['doGenerate']>[0];
export type ResponseV2 = Awaited<ReturnType<MockLanguageModelV2['doGenerate']>>;
export type ResponseV3 = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
export type ResponseV4 = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

export const usageV4: ResponseV4['usage'] = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};
