import type Anthropic from '@anthropic-ai/sdk';
import { anthropicTranslator } from '../../../src/translators/anthropic/translator.js';
import type { Turn } from '../conversation.js';
import { type Config, testRequestProperties, testResponseProperties } from '../translator-properties.js';

/** With the fields that SDKs for the older version of the API have. */
type MessageParams = Anthropic.MessageCreateParamsNonStreaming & { temperature?: number; top_p?: number; top_k?: number };

const cached = { cache_control: { type: 'ephemeral' as const } };

function write(turns: readonly Turn[]): MessageParams {
  const system = turns.find(({ kind }) => kind === 'system');
  const text = system?.text ?? '';
  return {
    model: 'm',
    max_tokens: 100,
    metadata: { user_id: 'u' },
    ...(system === undefined ? {} : { system: system.isList ? [{ type: 'text', text, ...cached }] : text }),
    messages: turns.filter(({ kind }) => kind !== 'system').map(messageOf),
  };
}

function messageOf({ kind, text, hasImage, hasThought, isList, ids = [] }: Turn): Anthropic.MessageParam {
  const texts: Anthropic.TextBlockParam[] = text === undefined ? [] : [{ type: 'text', text, ...cached }];
  const thoughts: Anthropic.ThinkingBlockParam[] = hasThought ? [{ type: 'thinking', thinking: 'hm', signature: 'sig' }] : [];
  switch (kind) {
    case 'system':
      throw new Error('the system text has a place of its own');
    case 'user': {
      if (!hasImage) return { role: 'user', content: isList ? texts : (text ?? '') };
      const image: Anthropic.ImageBlockParam = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
        ...cached,
      };
      return { role: 'user', content: [image, ...texts] };
    }
    case 'model':
      return { role: 'assistant', content: isList || hasThought ? [...thoughts, ...texts] : (text ?? '') };
    case 'call': {
      const calls = ids.map((id) => ({ type: 'tool_use' as const, id, name: 'read_file', input: { path: 'a' } }));
      return { role: 'assistant', content: [...thoughts, ...texts, ...calls] };
    }
    case 'results': {
      const results = ids.map((id) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'done', ...cached }));
      return { role: 'user', content: [...results, ...texts] };
    }
  }
}

describe('any request of the Messages API', () => {
  testRequestProperties({
    translator: anthropicTranslator<MessageParams, never>(),
    isShown: ({ text }) => text !== undefined,
    write,
    withConfig,
    configKeys: ['temperature', 'maxOutputTokens', 'topP', 'topK', 'stopSequences'],
  });
});

describe('any response of the Messages API', () => {
  testResponseProperties({ translator: anthropicTranslator<never, Anthropic.Message>(), write: responseOf });
});

function withConfig(request: MessageParams, config: Config): MessageParams {
  const { temperature = 1, maxOutputTokens = 1, topP = 1, topK = 1, stopSequences = [] } = config;
  return { ...request, temperature, max_tokens: maxOutputTokens, top_p: topP, top_k: topK, stop_sequences: stopSequences };
}

function responseOf({ text, hasThought, ids = [] }: Turn): Anthropic.Message {
  const thoughts = hasThought ? [{ type: 'thinking' as const, thinking: 'hm', signature: 's' }] : [];
  const texts = text === undefined ? [] : [{ type: 'text' as const, text, citations: null }];
  const caller = { type: 'direct' as const };
  const calls = ids.map((id) => ({ type: 'tool_use' as const, id, name: 'read_file', input: {}, caller }));
  return {
    id: 'r',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [...thoughts, ...texts, ...calls],
    stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
    usage: { input_tokens: 1, output_tokens: 1 },
  } as Anthropic.Message;
}
