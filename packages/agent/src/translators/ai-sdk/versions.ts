import { isPlainObject } from '@tenterhook/runtime/json';
import { fieldsOf, listOf } from '../fields.js';
import { toUsageMetadata, type UsageMetadata } from '../hook-response.js';

/** The version of the interface between the SDK and a model. AI SDK 5 has v2, AI SDK 6 has v3, AI SDK 7 has v4. */
export type SpecificationVersion = 'v2' | 'v3' | 'v4';

/** Returns the finish reason. From v3 on, it is an object with the reason of the provider. */
export function readFinishReason(finishReason: unknown): unknown {
  return isPlainObject(finishReason) ? finishReason['unified'] : finishReason;
}

/** Writes the finish reason in the form of the original. The reason of the provider is removed if it no longer applies. */
export function writeFinishReason(reason: unknown, original: unknown): unknown {
  if (readFinishReason(original) === reason) return original;
  return isPlainObject(original) ? { unified: reason, raw: undefined } : reason;
}

/** Returns the token counts. From v3 on, `inputTokens` and `outputTokens` are objects, and there is no total of both. */
export function showUsage(usage: unknown): UsageMetadata | undefined {
  const { inputTokens, outputTokens, totalTokens } = fieldsOf(usage);
  const [input, output] = [inputTokens, outputTokens].map((count) => (isPlainObject(count) ? count['total'] : count));
  const sum = typeof input === 'number' && typeof output === 'number' ? input + output : undefined;
  return toUsageMetadata(input, output, totalTokens ?? sum);
}

/** An empty response that a version of the SDK accepts. */
export function createEmptyAiSdkResponse(version: SpecificationVersion, usage: UsageMetadata | null | undefined): object {
  const { promptTokenCount: input = 0, candidatesTokenCount: output = 0, totalTokenCount = input + output } = usage ?? {};
  if (version === 'v2') {
    return {
      content: [],
      finishReason: 'stop',
      usage: { inputTokens: input, outputTokens: output, totalTokens: totalTokenCount },
      warnings: [],
    };
  }
  return {
    content: [],
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
}

/** Returns the content of a response. */
export function contentOf(response: unknown): readonly unknown[] {
  return listOf(fieldsOf(response)['content']);
}
