import { type Content, type GenerateContentParameters, GenerateContentResponse, type Part } from '@google/genai';
import { genAiTranslator } from '../../../src/translators/genai/translator.js';
import type { Turn } from '../conversation.js';
import { testRequestProperties, testResponseProperties } from '../translator-properties.js';

function write(turns: readonly Turn[]): GenerateContentParameters {
  const system = turns.find(({ kind }) => kind === 'system');
  const text = system?.text ?? '';
  return {
    model: 'm',
    contents: turns.filter(({ kind }) => kind !== 'system').map(contentOf),
    config: { seed: 7, ...(system === undefined ? {} : { systemInstruction: system.isList ? { parts: [{ text }] } : text }) },
  };
}

function contentOf({ kind, text, hasImage, hasThought, ids = [] }: Turn): Content {
  const texts: Part[] = text === undefined ? [] : [{ text }];
  const thoughts: Part[] = hasThought ? [{ text: 'hm', thought: true }] : [];
  switch (kind) {
    case 'system':
      throw new Error('the system text has a place of its own');
    case 'user':
      return { role: 'user', parts: [...(hasImage ? [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] : []), ...texts] };
    case 'model':
      return { role: 'model', parts: [...thoughts, ...texts] };
    case 'call': {
      const calls = ids.map((id) => ({ functionCall: { id, name: 'read_file', args: { path: 'a' } }, thoughtSignature: 'sig' }));
      return { role: 'model', parts: [...thoughts, ...texts, ...calls] };
    }
    case 'results': {
      const results = ids.map((id) => ({ functionResponse: { id, name: 'read_file', response: { output: 'done' } } }));
      return { role: 'user', parts: [...results, ...texts] };
    }
  }
}

describe('any request of generateContent', () => {
  testRequestProperties({
    translator: genAiTranslator<GenerateContentParameters, never>(),
    isShown: ({ text }) => text !== undefined,
    write,
    withConfig: (request, config) => ({ ...request, config: { ...request.config, ...config } }) as GenerateContentParameters,
    configKeys: [
      'temperature',
      'maxOutputTokens',
      'topP',
      'topK',
      'stopSequences',
      'candidateCount',
      'presencePenalty',
      'frequencyPenalty',
    ],
  });
});

describe('any response of generateContent', () => {
  testResponseProperties({
    translator: genAiTranslator<never, GenerateContentResponse>(),
    write: (turn) => Object.assign(new GenerateContentResponse(), { responseId: 'r', candidates: [{ content: contentOf(turn) }] }),
  });
});
