import type OpenAI from 'openai';
import { openAiChatTranslator } from '../../../src/translators/openai-chat/translator.js';
import type { Turn } from '../conversation.js';
import { type Config, testRequestProperties, testResponseProperties } from '../translator-properties.js';

type ChatParams = OpenAI.ChatCompletionCreateParamsNonStreaming;
type Message = OpenAI.ChatCompletionMessageParam;

function write(turns: readonly Turn[]): ChatParams {
  return { model: 'm', seed: 7, tools: [], messages: turns.flatMap(messagesOf) };
}

function messagesOf({ kind, text, hasImage, isList, ids = [] }: Turn): Message[] {
  const textPart = { type: 'text' as const, text: text ?? '' };
  const content = isList ? [textPart] : (text ?? '');
  switch (kind) {
    case 'system':
      return [{ role: 'system', name: 's', content }];
    case 'user': {
      if (!hasImage) return [{ role: 'user', content }];
      const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' as const } };
      return [{ role: 'user', name: 'u', content: text === undefined ? [image] : [image, textPart] }];
    }
    case 'model':
      return [{ role: 'assistant', content }];
    case 'call': {
      const calls = ids.map((id) => ({ id, type: 'function' as const, function: { name: 'read_file', arguments: '{"path":"a"}' } }));
      return [{ role: 'assistant', content: text ?? null, tool_calls: calls }];
    }
    case 'results':
      return ids.map((id) => ({ role: 'tool', tool_call_id: id, content: text ?? 'done' }));
  }
}

describe('any request of chat completions', () => {
  testRequestProperties({
    translator: openAiChatTranslator<ChatParams, never>(),
    // Results are messages of their own, whose text is the tool's, not the user's.
    isShown: ({ kind, text }) => text !== undefined && kind !== 'results',
    write,
    withConfig,
    configKeys: ['temperature', 'maxOutputTokens', 'topP', 'stopSequences', 'candidateCount', 'presencePenalty', 'frequencyPenalty'],
  });
});

describe('any response of chat completions', () => {
  testResponseProperties({ translator: openAiChatTranslator<never, OpenAI.ChatCompletion>(), write: completionOf });
});

function withConfig(request: ChatParams, config: Config): ChatParams {
  return {
    ...request,
    temperature: config.temperature ?? null,
    max_tokens: config.maxOutputTokens ?? null,
    top_p: config.topP ?? null,
    stop: config.stopSequences ?? null,
    n: config.candidateCount ?? null,
    presence_penalty: config.presencePenalty ?? null,
    frequency_penalty: config.frequencyPenalty ?? null,
  };
}

function completionOf({ text, ids = [] }: Turn): OpenAI.ChatCompletion {
  const calls = ids.map((id) => ({ id, type: 'function' as const, function: { name: 'read_file', arguments: '{}' } }));
  const message = {
    role: 'assistant' as const,
    content: text ?? null,
    refusal: null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls';
  return { id: 'r', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, finish_reason, logprobs: null, message }] };
}
