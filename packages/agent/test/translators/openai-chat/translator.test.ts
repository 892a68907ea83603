import type { LLMMessage, LLMRequest } from '@tenterhook/protocol';
import type OpenAI from 'openai';
import { openAiChatTranslator } from '../../../src/translators/openai-chat/translator.js';
import { frozen } from '../freeze.js';

type ChatParams = OpenAI.ChatCompletionCreateParamsNonStreaming;

const translator = openAiChatTranslator<ChatParams, OpenAI.ChatCompletion>();

const image = { type: 'image_url' as const, image_url: { url: 'https://a.test/a.png' } };
const call = { id: 'c1', type: 'function' as const, function: { name: 'read_file', arguments: '{"path":"a"}' } };

const request: ChatParams = frozen({
  model: 'm-1',
  messages: [
    { role: 'system', content: 'be brief' },
    { role: 'user', name: 'ada', content: [{ type: 'text', text: 'what is this?' }, image] },
    { role: 'user', content: [image] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'text of the file' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'A' },
        { type: 'text', text: ' cat.' },
      ],
    },
    { role: 'assistant', content: 'reading', tool_calls: [{ ...call, id: 'c2' }] },
    { role: 'tool', tool_call_id: 'c2', content: 'more' },
  ],
  max_completion_tokens: 800,
  temperature: 0.2,
  top_p: 0.9,
  stop: 'END',
  n: 1,
  presence_penalty: 0,
  frequency_penalty: null,
  seed: 7,
});

/** The request as a hook changed it. */
function changed(change: (messages: LLMMessage[]) => void, original = request): ChatParams {
  const shown = structuredClone(translator.toHookRequest(original));
  change(shown.messages ?? []);
  return translator.fromHookRequest(frozen(shown), original);
}

test('what hooks see', () => {
  expect(translator.toHookRequest(request)).toEqual({
    model: 'm-1',
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'what is this?' },
      { role: 'model', content: 'A cat.' },
      { role: 'model', content: 'reading' },
    ],
    config: { maxOutputTokens: 800, temperature: 0.2, topP: 0.9, stopSequences: ['END'], candidateCount: 1, presencePenalty: 0 },
  });
});

test('the image of an untouched message, and of a changed one, is in the final request (acceptance 37)', () => {
  const { messages } = changed((shown) => {
    shown[1]!.content = 'and this?';
  });
  expect(messages).toEqual(request.messages.with(1, { role: 'user', name: 'ada', content: [{ type: 'text', text: 'and this?' }, image] }));
  expect(messages[2]).toBe(request.messages[2]);
});

test('calls stay when the text beside them is taken away, blanked or given to another message', () => {
  const silent = { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'c2' }] };
  expect(changed((messages) => messages.splice(3, 1)).messages).toEqual(request.messages.with(6, silent as never));
  expect(changed((messages) => Object.assign(messages[3]!, { content: ' ' })).messages).toEqual(request.messages.with(6, silent as never));
  expect(changed((messages) => Object.assign(messages[3]!, { role: 'user' })).messages).toEqual([
    ...request.messages.slice(0, 6),
    { role: 'user', content: 'reading' },
    silent,
    request.messages[7],
  ]);
});

test('a new role is taken over where the message has text alone; an image stays with the user', () => {
  expect(changed((messages) => Object.assign(messages[2]!, { role: 'user' })).messages[5]).toEqual({
    ...request.messages[5],
    role: 'user',
  });
  expect(changed((messages) => Object.assign(messages[1]!, { role: 'system' })).messages.slice(1, 3)).toEqual([
    { role: 'system', content: 'what is this?' },
    { role: 'user', name: 'ada', content: [image] },
  ]);
});

test('a hook puts a system message in front; it is called what the others of the request are called', () => {
  const first = { role: 'system' as const, content: 'be kind' };
  expect(changed((messages) => messages.unshift(first)).messages).toEqual([first, ...request.messages]);
  const developer = frozen({ ...request, messages: request.messages.with(0, { role: 'developer', content: 'be brief' }) });
  expect(changed((messages) => messages.unshift(first), developer).messages).toEqual([
    { role: 'developer', content: 'be kind' },
    ...developer.messages,
  ]);
});

test('the content of a returned message that is not a text becomes its JSON text', () => {
  expect(changed((messages) => Object.assign(messages[0]!, { content: { rules: [1] } })).messages[0]).toEqual({
    role: 'system',
    content: '{"rules":[1]}',
  });
});

const values: Record<string, [config: NonNullable<LLMRequest['config']>, fields: Partial<ChatParams>]> = {
  temperature: [{ temperature: 1 }, { temperature: 1 }],
  'the limit, where the request has it': [{ maxOutputTokens: 5 }, { max_completion_tokens: 5 }],
  'stop sequences, as a list': [{ stopSequences: ['END', 'STOP'] }, { stop: ['END', 'STOP'] }],
  'a value the request did not set': [{ frequencyPenalty: 1 }, { frequency_penalty: 1 }],
  'the same value': [{ stopSequences: ['END'], topP: 0.9 }, {}],
  'a value the format does not have': [{ topK: 4 }, {}],
  'an unknown key': [{ seed: 9 }, {}],
  'a value of the wrong type': [{ temperature: 'hot' as never, stopSequences: 4 as never, topP: null as never }, {}],
};

test.each(Object.entries(values))('config: %s', (_, [config, fields]) => {
  const result = translator.fromHookRequest({ config }, request);
  expect(result).toEqual({ ...request, ...fields });
  if (Object.keys(fields).length === 0) expect(result).toBe(request);
});

test('the older name of the limit is kept', () => {
  const { max_completion_tokens: _, ...rest } = request;
  const older = frozen({ ...rest, max_tokens: 10 });
  expect(translator.toHookRequest(older).config?.maxOutputTokens).toBe(10);
  expect(translator.fromHookRequest({ config: { maxOutputTokens: 5 } }, older)).toEqual({ ...older, max_tokens: 5 });
});

test('another model', () => {
  expect(translator.fromHookRequest({ model: 'm-2' }, request)).toEqual({ ...request, model: 'm-2' });
  expect(translator.fromHookRequest({ model: '' }, request)).toBe(request);
});

test('odd requests and odd answers do not throw', () => {
  for (const odd of [{}, { model: 4, messages: null }, { messages: [null, 3, 'x', {}, { role: 'user', content: { a: 1 } }] }] as never[]) {
    expect(translator.fromHookRequest(translator.toHookRequest(odd), odd)).toBe(odd);
    translator.fromHookRequest({ messages: [{ role: 'user', content: 'x' }] }, odd);
    translator.withToolConfig(odd, { mode: 'NONE' });
    translator.toolNames(odd);
  }
  for (const messages of [null, 'x', 3] as never[])
    expect(translator.fromHookRequest({ messages, model: 4 as never }, request)).toBe(request);
  for (const messages of [[null, 3, {}, { role: 'assistant' }, { role: 'tool', content: 10n }]] as never[]) {
    expect(() => translator.fromHookRequest({ messages }, request)).not.toThrow();
  }
});
