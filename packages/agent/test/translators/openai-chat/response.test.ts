import type { LLMResponse } from '@tenterhook/protocol';
import type OpenAI from 'openai';
import { openAiChatTranslator } from '../../../src/translators/openai-chat/translator.js';
import { frozen } from '../freeze.js';

type ChatCompletion = OpenAI.ChatCompletion;

const translator = openAiChatTranslator<OpenAI.ChatCompletionCreateParamsNonStreaming, ChatCompletion>();
const textOnly = { replacesCandidates: false };
const replaced = { replacesCandidates: true };

const call = { id: 'c1', type: 'function' as const, function: { name: 'read', arguments: '{"path":"a"}' } };
const message = { role: 'assistant' as const, content: 'reading', refusal: null, tool_calls: [call] };
const choice = { index: 0, finish_reason: 'tool_calls' as const, logprobs: null, message };
const response: ChatCompletion = frozen({
  id: 'r1',
  object: 'chat.completion',
  created: 1,
  model: 'm-1',
  system_fingerprint: 'f',
  choices: [
    choice,
    { index: 1, finish_reason: 'length', logprobs: null, message: { role: 'assistant', content: 'second', refusal: null } },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});

const candidate = (parts: unknown[], fields: object = {}) => ({ content: { role: 'model', parts }, ...fields });
const from = (changed: object, change = replaced, original = response) =>
  translator.fromHookResponse(frozen(changed) as LLMResponse, original, change);
const synthetic = (changed: object) => translator.fromHookResponse(frozen(changed) as LLMResponse, undefined, replaced);

test('what hooks see: texts, not the calls', () => {
  expect(translator.toHookResponse(response)).toEqual({
    text: 'reading',
    candidates: [
      candidate(['reading'], { finishReason: 'STOP', index: 0 }),
      candidate(['second'], { finishReason: 'MAX_TOKENS', index: 1 }),
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  });
});

test('what no hook changed is the very same object', () => {
  const silent = frozen({ ...response, choices: [{ ...choice, message: { ...message, content: null } }] });
  for (const each of [response, silent]) expect(from(translator.toHookResponse(each), textOnly, each)).toBe(each);
  const spoken = frozen({ ...response, choices: [response.choices[1]!] });
  expect(from(translator.toHookResponse(spoken), replaced, spoken)).toBe(spoken);
});

test('a text alone keeps calls, ids and usage, and the id of the request, which is not enumerable', () => {
  const fromSdk = structuredClone(response);
  Object.defineProperty(fromSdk, '_request_id', { value: 'q', enumerable: false });
  const result = from({ ...translator.toHookResponse(fromSdk), text: 'x' }, textOnly, frozen(fromSdk));
  expect(result).toEqual({ ...response, choices: [{ ...choice, message: { ...message, content: 'x' } }, response.choices[1]] });
  expect(result).toHaveProperty('_request_id', 'q');
  expect(from({ text: '' }, textOnly).choices[0]!.message).toEqual({ ...message, content: null });
});

test('returned candidates replace: the call is gone, and the reason no longer promises one', () => {
  const { tool_calls: _, ...rest } = message;
  expect(from({ candidates: [candidate(['x', { text: 'y' }])] })).toEqual({
    ...response,
    choices: [{ ...choice, finish_reason: 'stop', message: { ...rest, content: 'xy' } }],
  });
});

test('a returned call is the one of the model where it says the same, and a new one otherwise', () => {
  const same = from({
    candidates: [candidate(['reading', { functionCall: { name: 'read', args: { path: 'a' } } }]), candidate(['second'])],
  });
  expect(same.choices[0]!.message.tool_calls?.[0]).toBe(response.choices[0]!.message.tool_calls?.[0]);
  expect(same).toBe(response);
  const other = from({ candidates: [candidate([{ functionCall: { name: 'read', args: { path: 'b' } } }], { finishReason: 'STOP' })] });
  expect(other.choices).toEqual([
    {
      ...choice,
      message: {
        ...message,
        content: null,
        tool_calls: [{ id: expect.stringMatching(/^call_\w+$/), type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } }],
      },
    },
  ]);
});

test('an older call, a voice and token probabilities of another text go with it', () => {
  const original: ChatCompletion = frozen({
    ...response,
    choices: [
      {
        ...choice,
        finish_reason: 'function_call',
        logprobs: { content: [], refusal: null },
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          function_call: { name: 'read', arguments: '{}' },
          audio: { id: 'a', data: '', expires_at: 1, transcript: 'secret' },
        },
      },
    ],
  });
  expect(from({ candidates: [candidate(['x'])] }, replaced, original).choices).toEqual([
    { index: 0, finish_reason: 'stop', logprobs: null, message: { role: 'assistant', content: 'x', refusal: null } },
  ]);
  expect(from({ candidates: [] }, replaced, original).choices[0]!.message.content).toBe('');
});

const reasons: Record<string, string> = {
  constructor: 'stop',
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  OTHER: 'stop',
};

test.each(Object.entries(reasons))('finish reason %s is %s', (finishReason, expected) => {
  expect(synthetic({ candidates: [candidate(['x'], { finishReason })] }).choices[0]!.finish_reason).toBe(expected);
});

test('a response without a model call is whole', () => {
  const expected: ChatCompletion = {
    id: expect.stringMatching(/^chatcmpl-\w+$/),
    object: 'chat.completion',
    created: expect.any(Number),
    model: 'synthetic',
    choices: [{ index: 0, finish_reason: 'stop', logprobs: null, message: { role: 'assistant', content: 'hi', refusal: null } }],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
  expect(synthetic({ text: 'hi' })).toEqual(expected);
  expect(synthetic({ candidates: [candidate(['hi'])] })).toEqual(expected);
  expect(synthetic({}).choices[0]!.message.content).toBe('');
  expect(synthetic({ usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1 } }).usage?.total_tokens).toBe(4);
});

test('what the SDK parsed from the text goes with the text', () => {
  const parsed = frozen({ ...response, choices: [{ ...choice, message: { ...message, content: '{"a":1}', parsed: { a: 1 } } }] });
  expect(from(translator.toHookResponse(parsed), textOnly, parsed)).toBe(parsed);
  for (const changed of [from({ text: '{}' }, textOnly, parsed), from({ candidates: [candidate(['{}'])] }, replaced, parsed)]) {
    expect(changed.choices[0]!.message).toMatchObject({ content: '{}', parsed: null });
  }
});

test('odd answers do not throw', () => {
  const parts = [
    null,
    3,
    {},
    { text: 4 },
    { functionCall: { name: 4 } },
    { functionCall: { name: 'f', args: '{"a":1}' } },
    { image: 1 },
    '',
  ];
  for (const candidates of [null, 'x', [null, 3, {}, { content: null }, { content: { parts: 'x' } }, candidate(parts)]] as never[]) {
    for (const original of [response, {} as never]) expect(() => from({ candidates }, replaced, original)).not.toThrow();
    expect(() => synthetic({ candidates })).not.toThrow();
  }
  const calls = from({ candidates: [candidate(parts)] }).choices[0]!.message.tool_calls;
  expect(calls).toMatchObject([{ function: { name: 'f', arguments: '{"a":1}' } }]);
});
