import type { LLMRequest, LLMResponse } from '@tenterhook/protocol';
import fc from 'fast-check';
import { aiSdkTranslator } from '../../src/translators/ai-sdk/translator.js';
import { anthropicTranslator } from '../../src/translators/anthropic/translator.js';
import { genAiTranslator } from '../../src/translators/genai/translator.js';
import type { LlmTranslator } from '../../src/translators/llm-translator.js';
import { openAiChatTranslator } from '../../src/translators/openai-chat/translator.js';
import { openAiResponsesTranslator } from '../../src/translators/openai-responses/translator.js';
import { frozen } from './freeze.js';

/** Neither an SDK nor a hook wrote these; a host in plain JavaScript, or a service that speaks a format nearly, may. */
const translators = [
  aiSdkTranslator(),
  anthropicTranslator(),
  genAiTranslator(),
  openAiChatTranslator(),
  openAiResponsesTranslator(),
] as unknown as LlmTranslator<object, object>[];

const text = fc.constantFrom(
  'text',
  'model',
  'user',
  'assistant',
  'system',
  'tool_use',
  'thinking',
  '{"a":1}',
  'message',
  'output_text',
  'reasoning',
  'function_call',
  '',
);
const names = fc.constantFrom(
  'role',
  'content',
  'parts',
  'text',
  'type',
  'functionCall',
  'name',
  'message',
  'tool_calls',
  'function',
  'custom',
  'arguments',
  'id',
  'finishReason',
);
const { odd } = fc.letrec((tie) => ({
  odd: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, undefined, 7.5, true, Number.NaN),
    text,
    fc.array(tie('odd'), { maxLength: 3 }),
    fc.dictionary(names, tie('odd'), { maxKeys: 4 }),
  ),
}));
const fields = fc.record(
  {
    prompt: odd,
    messages: odd,
    contents: odd,
    system: odd,
    instructions: odd,
    input: odd,
    output: odd,
    config: odd,
    candidates: odd,
    choices: odd,
    content: odd,
    text: odd,
    usage: odd,
    usageMetadata: odd,
  },
  { requiredKeys: [] },
);

test.each(translators.map((translator) => [translator.name, translator] as const))(
  '%s: an odd request is shown and changed',
  (_, translator) => {
    fc.assert(
      fc.property(fields, fields, (request, returned) => {
        const original = frozen(request);
        const shown = frozen(translator.toHookRequest(original));
        expect(translator.fromHookRequest(shown, original)).toBe(original);
        expect(typeof translator.fromHookRequest(frozen(returned) as LLMRequest, original)).toBe('object');
        expect(translator.toolNames(original)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  },
);

test.each(translators.map((translator) => [translator.name, translator] as const))(
  '%s: an odd response is shown and changed',
  (_, translator) => {
    fc.assert(
      fc.property(fields, fields, fc.boolean(), (response, returned, replacesCandidates) => {
        const original = frozen(response);
        const shown = frozen(translator.toHookResponse(original));
        for (const { name, args } of translator.toolCalls?.(original) ?? [])
          expect([typeof name, typeof args]).toEqual(['string', 'object']);
        expect(translator.fromHookResponse(shown, original, { replacesCandidates: false })).toBe(original);
        for (const each of [original, undefined]) {
          expect(typeof translator.fromHookResponse(frozen(returned) as LLMResponse, each, { replacesCandidates })).toBe('object');
        }
      }),
      { numRuns: 1000 },
    );
  },
);
