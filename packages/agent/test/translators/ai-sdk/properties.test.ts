import { aiSdkTranslator } from '../../../src/translators/ai-sdk/translator.js';
import type { Turn } from '../conversation.js';
import { type Config, testRequestProperties, testResponseProperties } from '../translator-properties.js';
import { type RequestV4, type ResponseV4, usageV4 } from './sdk-types.js';

type Message = RequestV4['prompt'][number];

const cached = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };

function write(turns: readonly Turn[]): RequestV4 {
  return { prompt: turns.map(messageOf), seed: 7, headers: { 'x-id': '1' } };
}

function messageOf({ kind, text, hasImage, hasThought, isList, ids = [] }: Turn): Message {
  const marked = isList ? cached : {};
  const texts = text === undefined ? [] : [{ type: 'text' as const, text, ...marked }];
  const thoughts = hasThought ? [{ type: 'reasoning' as const, text: 'hm', providerOptions: { anthropic: { signature: 's' } } }] : [];
  switch (kind) {
    case 'system':
      return { role: 'system', content: text ?? '', ...marked };
    case 'user': {
      const image = { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: 'AAAA' }, ...cached };
      return { role: 'user', content: [...(hasImage ? [image] : []), ...texts] };
    }
    case 'model':
      return { role: 'assistant', content: [...thoughts, ...texts] };
    case 'call': {
      const calls = ids.map((id) => ({ type: 'tool-call' as const, toolCallId: id, toolName: 'read_file', input: { path: 'a' } }));
      return { role: 'assistant', content: [...thoughts, ...texts, ...calls] };
    }
    case 'results': {
      const output = { type: 'text' as const, value: 'done' };
      return { role: 'tool', content: ids.map((id) => ({ type: 'tool-result' as const, toolCallId: id, toolName: 'read_file', output })) };
    }
  }
}

describe('any request to a model of the AI SDK', () => {
  testRequestProperties({
    translator: aiSdkTranslator<RequestV4, never>(),
    isShown: ({ kind, text }) => text !== undefined && kind !== 'results',
    write,
    withConfig,
    configKeys: ['temperature', 'maxOutputTokens', 'topP', 'topK', 'stopSequences', 'presencePenalty', 'frequencyPenalty'],
  });
});

describe('any response of a model of the AI SDK', () => {
  testResponseProperties({ translator: aiSdkTranslator<never, ResponseV4>(), write: responseOf });
});

function withConfig(request: RequestV4, config: Config): RequestV4 {
  const {
    temperature = 1,
    maxOutputTokens = 1,
    topP = 1,
    topK = 1,
    stopSequences = [],
    presencePenalty = 1,
    frequencyPenalty = 1,
  } = config;
  return { ...request, temperature, maxOutputTokens, topP, topK, stopSequences, presencePenalty, frequencyPenalty };
}

function responseOf({ text, hasThought, ids = [] }: Turn): ResponseV4 {
  const thoughts = hasThought ? [{ type: 'reasoning' as const, text: 'hm' }] : [];
  const texts = text === undefined ? [] : [{ type: 'text' as const, text }];
  const calls = ids.map((id) => ({ type: 'tool-call' as const, toolCallId: id, toolName: 'read_file', input: '{}' }));
  return {
    content: [...thoughts, ...texts, ...calls],
    finishReason: { unified: calls.length === 0 ? 'stop' : 'tool-calls', raw: 'end' },
    usage: usageV4,
    warnings: [],
  };
}
