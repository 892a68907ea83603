import type Anthropic from '@anthropic-ai/sdk';
import type { LLMMessage, LLMRequest } from '@tenterhook/protocol';
import { anthropicTranslator } from '../../../src/translators/anthropic/translator.js';
import { frozen } from '../freeze.js';

/** With the fields that SDKs for the older version of the API have. */
type MessageParams = Anthropic.MessageCreateParamsNonStreaming & { temperature?: number; top_p?: number; top_k?: number };

const translator = anthropicTranslator<MessageParams, Anthropic.Message>();

const cached = { cache_control: { type: 'ephemeral' as const } };
const image: Anthropic.ImageBlockParam = { type: 'image', source: { type: 'url', url: 'https://a.test/a.png' } };
const thought: Anthropic.ThinkingBlockParam = { type: 'thinking', thinking: 'hm', signature: 's' };
const use: Anthropic.ToolUseBlockParam = { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } };
const result: Anthropic.ToolResultBlockParam = { type: 'tool_result', tool_use_id: 'c1', content: 'text of the file' };
const text = (each: string, rest: object = {}): Anthropic.TextBlockParam => ({ type: 'text', text: each, ...rest });

const request: MessageParams = frozen({
  model: 'm-1',
  max_tokens: 800,
  system: [text('be brief', cached)],
  messages: [
    { role: 'user', content: [image, text('what is this?', cached)] },
    { role: 'assistant', content: [thought, text('a cat')] },
    { role: 'user', content: 'read a' },
    { role: 'assistant', content: [thought, text('reading'), use] },
    { role: 'user', content: [result, text('be quick')] },
  ],
  temperature: 0.2,
  top_k: 40,
  stop_sequences: ['END'],
  thinking: { type: 'enabled', budget_tokens: 1024 },
});

/** The request as a hook changed it. */
function changed(change: (messages: LLMMessage[]) => void, original = request): MessageParams {
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
      { role: 'model', content: 'a cat' },
      { role: 'user', content: 'read a' },
      { role: 'model', content: 'reading' },
      { role: 'user', content: 'be quick' },
    ],
    config: { maxOutputTokens: 800, temperature: 0.2, topK: 40, stopSequences: ['END'] },
  });
});

test('a changed message keeps its image and its cache mark; the others are the very same (acceptance 37)', () => {
  const { messages } = changed((shown) => Object.assign(shown[1]!, { content: 'and this?' }));
  expect(messages).toEqual(request.messages.with(0, { role: 'user', content: [image, text('and this?', cached)] }));
  expect(messages[1]).toBe(request.messages[1]);
});

test('of a message that is gone calls and results stay, with the thought; another goes with all it has', () => {
  expect(changed((shown) => shown.splice(4, 1)).messages[3]).toEqual({ role: 'assistant', content: [thought, use] });
  expect(changed((shown) => shown.splice(5, 1)).messages[4]).toEqual({ role: 'user', content: [result] });
  expect(changed((shown) => shown.splice(1, 2)).messages).toEqual(request.messages.slice(2));
});

test('a blanked message keeps its image, and goes when a thought is all that is left', () => {
  expect(changed((shown) => Object.assign(shown[1]!, { content: '' })).messages[0]).toEqual({ role: 'user', content: [image] });
  expect(changed((shown) => Object.assign(shown[2]!, { content: ' ' })).messages).toEqual(request.messages.toSpliced(1, 1));
});

test('nothing comes between a call and its results', () => {
  const said = { role: 'user' as const, content: 'wait' };
  expect(changed((shown) => shown.splice(5, 0, said)).messages).toEqual([...request.messages, said]);
  // A text that gets another role leaves its message: before a call, after results.
  expect(changed((shown) => Object.assign(shown[4]!, { role: 'user' })).messages.slice(3)).toEqual([
    { role: 'user', content: 'reading' },
    { role: 'assistant', content: [thought, use] },
    request.messages[4],
  ]);
  expect(changed((shown) => Object.assign(shown[5]!, { role: 'model' })).messages.slice(3)).toEqual([
    request.messages[3],
    { role: 'user', content: [result] },
    { role: 'assistant', content: 'be quick' },
  ]);
});

const systems: Record<string, [system: MessageParams['system'], change: (messages: LLMMessage[]) => void, expected: unknown]> = {
  'changed, as blocks': [[text('a', cached)], (shown) => Object.assign(shown[0]!, { content: 'x' }), [text('x', cached)]],
  'changed, as text': ['a', (shown) => Object.assign(shown[0]!, { content: 'x' }), 'x'],
  gone: ['a', (shown) => shown.shift(), undefined],
  'one more behind': [
    [text('a', cached)],
    (shown) => shown.splice(1, 0, { role: 'system', content: 'x' }),
    [text('a', cached), text('\n\nx')],
  ],
  'one more in front, and one at the end': [
    [text('a', cached)],
    (shown) => {
      shown.unshift({ role: 'system', content: 'x' });
      shown.push({ role: 'system', content: 'y' });
    },
    [text('x\n\n'), text('a', cached), text('\n\ny')],
  ],
  'one more, as text': ['a', (shown) => shown.push({ role: 'system', content: 'x' }), 'a\n\nx'],
  'the first one': [undefined, (shown) => shown.unshift({ role: 'system', content: 'x' }), 'x'],
};

test.each(Object.entries(systems))('the system text: %s', (_, [system, change, expected]) => {
  const { system: _system, ...rest } = request;
  const original = frozen(system === undefined ? rest : { ...rest, system });
  const { system: written, ...others } = changed(change, original);
  expect(written).toEqual(expected);
  expect(others).toEqual(rest);
  expect(others.messages).toBe(rest.messages);
});

test('the system text becomes a message of the user, and a message becomes a system text', () => {
  const { system: _, ...rest } = request;
  expect(changed((shown) => Object.assign(shown[0]!, { role: 'user' }))).toEqual({
    ...rest,
    messages: [{ role: 'user', content: 'be brief' }, ...request.messages],
  });
  expect(changed((shown) => Object.assign(shown[3]!, { role: 'system' }))).toEqual({
    ...request,
    system: [text('be brief', cached), text('\n\nread a')],
    messages: request.messages.toSpliced(2, 1),
  });
});

test('a text that cites stays with the model', () => {
  const citations = [
    { type: 'char_location' as const, cited_text: 'c', document_index: 0, document_title: 'd', start_char_index: 0, end_char_index: 1 },
  ];
  const original = frozen({ ...request, messages: [{ role: 'assistant' as const, content: [text('so', { citations })] }] });
  expect(changed((shown) => Object.assign(shown[1]!, { role: 'user' }), original).messages).toEqual([{ role: 'user', content: 'so' }]);
});

test('a system message among the others stays there', () => {
  const original = frozen({ ...request, messages: [...request.messages, { role: 'system' as const, content: 'side note' }] });
  expect(translator.toHookRequest(original).messages?.at(-1)).toEqual({ role: 'system', content: 'side note' });
  expect(changed((shown) => Object.assign(shown.at(-1)!, { content: 'x' }), original)).toEqual({
    ...request,
    messages: [...request.messages, { role: 'system', content: 'x' }],
  });
});

const values: Record<string, [config: NonNullable<LLMRequest['config']>, fields: Partial<MessageParams>]> = {
  'the limit': [{ maxOutputTokens: 5 }, { max_tokens: 5 }],
  topK: [
    { topK: 4, topP: 0.5 },
    { top_k: 4, top_p: 0.5 },
  ],
  'stop sequences': [{ stopSequences: [] }, { stop_sequences: [] }],
  'the same values': [{ temperature: 0.2, stopSequences: ['END'] }, {}],
  'values the format does not have': [{ candidateCount: 2, presencePenalty: 1, frequencyPenalty: 1 }, {}],
};

test.each(Object.entries(values))('config: %s', (_, [config, fields]) => {
  const written = translator.fromHookRequest({ config }, request);
  expect(written).toEqual({ ...request, ...fields });
  if (Object.keys(fields).length === 0) expect(written).toBe(request);
});

test('config: a request that samples by no value gets none, for newer models refuse all of them', () => {
  const { temperature: _, top_k: _topK, ...newer } = request;
  const config = { temperature: 0, topP: 0.5, topK: 4 };
  expect(translator.fromHookRequest({ config }, frozen(newer))).toBe(newer);
  expect(translator.fromHookRequest({ config: { ...config, maxOutputTokens: 5 } }, newer)).toEqual({ ...newer, max_tokens: 5 });
});

test('another model', () => {
  expect(translator.fromHookRequest({ model: 'm-2' }, request)).toEqual({ ...request, model: 'm-2' });
});

test('odd requests do not throw', () => {
  for (const odd of [
    {},
    { model: 4, messages: null, system: 3 },
    { messages: [null, 3, {}, { role: 'user', content: [null, 'x'] }] },
  ] as never[]) {
    expect(translator.fromHookRequest(translator.toHookRequest(odd), odd)).toBe(odd);
    translator.fromHookRequest({ messages: [{ role: 'system', content: 'x' }] }, odd);
    translator.withToolConfig(odd, { mode: 'NONE' });
    translator.toolNames(odd);
  }
});
