import type { Content, ContentUnion, GenerateContentParameters, GenerateContentResponse, Part } from '@google/genai';
import type { LLMMessage, LLMRequest } from '@tenterhook/protocol';
import { genAiTranslator } from '../../../src/translators/genai/translator.js';
import { frozen } from '../freeze.js';

const translator = genAiTranslator<GenerateContentParameters, GenerateContentResponse>();

const image: Part = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const call: Part = { functionCall: { id: 'c1', name: 'read_file', args: { path: 'a' } }, thoughtSignature: 's' };
const result: Part = { functionResponse: { id: 'c1', name: 'read_file', response: { output: 'text of the file' } } };
const thought: Part = { text: 'hm', thought: true };

const contents: Content[] = [
  { role: 'user', parts: [image, { text: 'what ' }, { text: 'is this?' }] },
  { role: 'user', parts: [image] },
  { role: 'model', parts: [thought, { text: 'a cat', thoughtSignature: 't' }] },
  { role: 'model', parts: [thought, { text: 'reading' }, call] },
  { role: 'user', parts: [result] },
];
const request: GenerateContentParameters = frozen({
  model: 'm-1',
  contents,
  config: {
    systemInstruction: 'be brief',
    temperature: 0.2,
    maxOutputTokens: 800,
    topP: 0.9,
    topK: 40,
    stopSequences: ['END'],
    candidateCount: 1,
    presencePenalty: 0,
    frequencyPenalty: 0,
    seed: 7,
  },
});

/** The request as a hook changed it. */
function changed(change: (messages: LLMMessage[]) => void, original = request): GenerateContentParameters {
  const shown = structuredClone(translator.toHookRequest(original));
  change(shown.messages ?? []);
  return translator.fromHookRequest(frozen(shown), original);
}

test('what hooks see: no thoughts, calls, results or images', () => {
  const { systemInstruction: _, seed: _seed, ...config } = request.config ?? {};
  expect(translator.toHookRequest(request)).toEqual({
    model: 'm-1',
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'what is this?' },
      { role: 'model', content: 'a cat' },
      { role: 'model', content: 'reading' },
    ],
    config,
  });
});

test('the image of an untouched message, and of a changed one, is in the final request (acceptance 37)', () => {
  const written = changed((shown) => Object.assign(shown[1]!, { content: 'and this?' }));
  expect(written).toEqual({ ...request, contents: contents.with(0, { role: 'user', parts: [image, { text: 'and this?' }] }) });
  expect((written.contents as Content[])[1]).toBe(contents[1]);
  const ofModel = changed((shown) => Object.assign(shown[2]!, { content: 'a dog' }));
  expect((ofModel.contents as Content[])[2]).toEqual({ role: 'model', parts: [thought, { text: 'a dog', thoughtSignature: 't' }] });
});

test('of a message that is gone a call stays, with its thought; another goes with all it has', () => {
  expect(changed((shown) => shown.splice(3, 1)).contents).toEqual(contents.with(3, { role: 'model', parts: [thought, call] }));
  expect(changed((shown) => shown.splice(1, 2)).contents).toEqual([contents[1], contents[3], contents[4]]);
});

test('a new message waits for the results of a call', () => {
  const said = { role: 'user' as const, content: 'go on' };
  expect(changed((shown) => shown.push(said)).contents).toEqual([...contents, { role: 'user', parts: [{ text: 'go on' }] }]);
});

test('a new role is taken over, an image with it; beside a call the text leaves its message', () => {
  expect((changed((shown) => Object.assign(shown[1]!, { role: 'model' })).contents as Content[])[0]).toEqual({
    ...contents[0],
    role: 'model',
  });
  expect(changed((shown) => Object.assign(shown[3]!, { role: 'user' })).contents).toEqual([
    ...contents.slice(0, 3),
    { role: 'user', parts: [{ text: 'reading' }] },
    { role: 'model', parts: [thought, call] },
    contents[4],
  ]);
});

type Contents = GenerateContentParameters['contents'];
const forms: Record<string, [contents: Contents, changed: Contents, withAnother: Content[]]> = {
  'a text': ['hi', 'x', [{ role: 'user', parts: [{ text: 'hi' }] }]],
  'texts and parts': [['hi', image], ['x', image], [{ role: 'user', parts: [{ text: 'hi' }, image] }]],
  'a part': [{ text: 'hi' }, { text: 'x' }, [{ role: 'user', parts: [{ text: 'hi' }] }]],
  'one content': [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'user', parts: [{ text: 'x' }] },
    [{ role: 'user', parts: [{ text: 'hi' }] }],
  ],
  'a list of one': [
    [{ role: 'user', parts: [{ text: 'hi' }] }],
    [{ role: 'user', parts: [{ text: 'x' }] }],
    [{ role: 'user', parts: [{ text: 'hi' }] }],
  ],
};

test.each(Object.entries(forms))('contents keep their form while they can: %s', (_, [form, expected, list]) => {
  const original = frozen({ model: 'm', contents: form });
  expect(translator.toHookRequest(original).messages).toEqual([{ role: 'user', content: 'hi' }]);
  expect(translator.fromHookRequest(translator.toHookRequest(original), original)).toBe(original);
  expect(changed((shown) => Object.assign(shown[0]!, { content: 'x' }), original)).toEqual({ model: 'm', contents: expected });
  const another = changed((shown) => shown.push({ role: 'model', content: 'y' }), original);
  expect(another).toEqual({ model: 'm', contents: [...list, { role: 'model', parts: [{ text: 'y' }] }] });
});

test('a mixture, which the SDK refuses, comes out as contents', () => {
  const mixed = frozen({ model: 'm', contents: ['a', image, { role: 'model', parts: [{ text: 'b' }] }, 'c'] as never });
  expect(translator.fromHookRequest(translator.toHookRequest(mixed), mixed)).toBe(mixed);
  expect(changed((shown) => Object.assign(shown[1]!, { content: 'x' }), mixed).contents).toEqual([
    { role: 'user', parts: [{ text: 'a' }, image] },
    { role: 'model', parts: [{ text: 'x' }] },
    { role: 'user', parts: [{ text: 'c' }] },
  ]);
});

const systems: Record<string, [instruction: ContentUnion | undefined, change: (messages: LLMMessage[]) => void, expected: unknown]> = {
  'changed, a text': ['a', (shown) => Object.assign(shown[0]!, { content: 'x' }), 'x'],
  'changed, a part': [{ text: 'a' }, (shown) => Object.assign(shown[0]!, { content: 'x' }), { text: 'x' }],
  'changed, a list': [['a', 'b'], (shown) => Object.assign(shown[0]!, { content: 'ax' }), ['a', 'x']],
  'changed, a content': [{ parts: [{ text: 'a' }] }, (shown) => Object.assign(shown[0]!, { content: 'x' }), { parts: [{ text: 'x' }] }],
  gone: ['a', (shown) => shown.shift(), undefined],
  'one more, a text': ['a', (shown) => shown.push({ role: 'system', content: 'x' }), 'a\n\nx'],
  'one more, a part': [{ text: 'a' }, (shown) => shown.push({ role: 'system', content: 'x' }), [{ text: 'a' }, { text: '\n\nx' }]],
  'one more in front, a content': [
    { parts: [{ text: 'a' }] },
    (shown) => shown.unshift({ role: 'system', content: 'x' }),
    { parts: [{ text: 'x\n\n' }, { text: 'a' }] },
  ],
  'the first one': [undefined, (shown) => shown.unshift({ role: 'system', content: 'x' }), 'x'],
};

test.each(Object.entries(systems))('the system instruction: %s', (_, [systemInstruction, change, expected]) => {
  const original = frozen({ model: 'm', contents, ...(systemInstruction === undefined ? {} : { config: { systemInstruction } }) });
  const written = changed(change, original);
  expect(written).toEqual({ model: 'm', contents, config: expected === undefined ? {} : { systemInstruction: expected } });
  expect(written.contents).toBe(contents);
});

const values: Record<string, NonNullable<LLMRequest['config']>> = {
  'one value': { temperature: 1 },
  'several values': { topK: 4, stopSequences: ['STOP'], maxOutputTokens: 5 },
};

test.each(Object.entries(values))('config: %s', (_, config) => {
  expect(translator.fromHookRequest({ config }, request)).toEqual({ ...request, config: { ...request.config, ...config } });
  expect(translator.fromHookRequest({ config }, { model: 'm', contents: 'a' })).toEqual({ model: 'm', contents: 'a', config });
});

test('config: what is so already, and what is not a value of a model', () => {
  expect(translator.fromHookRequest({ config: { temperature: 0.2, stopSequences: ['END'], seed: 9 } }, request)).toBe(request);
  const bare = frozen({ model: 'm', contents: 'a' });
  expect(translator.fromHookRequest({ config: { seed: 9 }, toolConfig: { mode: 'AUTO' } }, bare)).toBe(bare);
});

test('another model', () => {
  expect(translator.fromHookRequest({ model: 'm-2' }, request)).toEqual({ ...request, model: 'm-2' });
});

test('odd requests do not throw', () => {
  for (const odd of [
    {},
    { model: 4, contents: null, config: null },
    { contents: [null, 3, {}, { role: 'user' }, { parts: 'x' }] },
  ] as never[]) {
    expect(translator.fromHookRequest(translator.toHookRequest(odd), odd)).toBe(odd);
    translator.fromHookRequest({ messages: [{ role: 'system', content: 'x' }], config: { topK: 1 } }, odd);
    translator.withToolConfig(odd, { mode: 'NONE' });
    translator.toolNames(odd);
  }
});
