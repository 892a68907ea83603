import type { LLMMessage, LLMRequest } from '@tenterhook/protocol';
import type OpenAI from 'openai-v7';
import { openAiResponsesTranslator } from '../../../src/translators/openai-responses/translator.js';
import { frozen } from '../freeze.js';

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;

const translator = openAiResponsesTranslator<Params, OpenAI.Responses.Response>();

const image = { type: 'input_image' as const, detail: 'low' as const, image_url: 'https://a.test/a.png' };
const thought = (id: string) => ({ type: 'reasoning' as const, id, summary: [], encrypted_content: 'x' });
const call = (id: string) => ({ type: 'function_call' as const, call_id: id, name: 'read_file', arguments: '{"path":"a"}' });
const result = (id: string) => ({ type: 'function_call_output' as const, call_id: id, output: 'text of the file' });
const answer = (id: string, ...texts: string[]): OpenAI.Responses.ResponseOutputMessage => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  phase: 'final_answer',
  content: texts.map((text) => ({ type: 'output_text', text, annotations: [] })),
});

const input: OpenAI.Responses.ResponseInput = [
  { role: 'developer', content: 'use metres' },
  { role: 'user', content: [{ type: 'input_text', text: 'what is this?' }, image] },
  thought('rs1'),
  call('c1'),
  result('c1'),
  thought('rs2'),
  answer('m1', 'A', ' cat.'),
  { type: 'item_reference', id: 'i1' },
  thought('rs3'),
  answer('m2', 'reading'),
  call('c2'),
  result('c2'),
];
const request: Params = frozen({
  model: 'm-1',
  instructions: 'be brief',
  input,
  max_output_tokens: 800,
  temperature: 0.2,
  top_p: 0.9,
  store: false,
  previous_response_id: 'r0',
});
const plain: Params = frozen({ model: 'm-1', input: 'hi' });

function changed(change: (messages: LLMMessage[]) => void, original = request): Params {
  const shown = structuredClone(translator.toHookRequest(original));
  change(shown.messages ?? []);
  return translator.fromHookRequest(frozen(shown), original);
}
const inputOf = ({ input: items }: Params) => items as OpenAI.Responses.ResponseInput;

test('what hooks see: instructions first, texts of messages, no calls, results and reasoning', () => {
  expect(translator.toHookRequest(request)).toEqual({
    model: 'm-1',
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'system', content: 'use metres' },
      { role: 'user', content: 'what is this?' },
      { role: 'model', content: 'A cat.' },
      { role: 'model', content: 'reading' },
    ],
    config: { maxOutputTokens: 800, temperature: 0.2, topP: 0.9 },
  });
});

describe('R1: an input that is a text', () => {
  test('is the message of the user, and comes back as the same object', () => {
    expect(translator.toHookRequest(plain)).toEqual({ model: 'm-1', messages: [{ role: 'user', content: 'hi' }] });
    expect(changed(() => {}, plain)).toBe(plain);
    expect(changed(() => {})).toBe(request);
  });

  test('stays a text if only the text changes, and becomes items if there are more messages', () => {
    expect(changed((messages) => Object.assign(messages[0]!, { content: 'hello' }), plain)).toEqual({ ...plain, input: 'hello' });
    expect(changed((messages) => messages.push({ role: 'model', content: 'yes?' }), plain)).toEqual({
      ...plain,
      input: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'yes?' },
      ],
    });
    expect(changed((messages) => Object.assign(messages[0]!, { role: 'system' }), plain)).toEqual({
      ...plain,
      input: [{ role: 'developer', content: 'hi' }],
    });
  });

  test('a request without input gets one only if a hook writes a message', () => {
    const stored: Params = frozen({ model: 'm-1', prompt: { id: 'p' } });
    expect(translator.fromHookRequest(translator.toHookRequest(stored), stored)).toBe(stored);
    expect(translator.fromHookRequest({ messages: [{ role: 'user', content: 'hi' }] }, stored)).toEqual({
      ...stored,
      input: [{ role: 'user', content: 'hi' }],
    });
  });
});

describe('R2: system messages', () => {
  test('instructions and items are changed and removed apart from each other', () => {
    expect(changed((messages) => Object.assign(messages[0]!, { content: 'be kind' }))).toEqual({ ...request, instructions: 'be kind' });
    expect(changed((messages) => Object.assign(messages[1]!, { content: 'use feet' }))).toEqual({
      ...request,
      input: input.with(0, { role: 'developer', content: 'use feet' }),
    });
    const { instructions: _, ...rest } = request;
    expect(changed((messages) => messages.splice(0, 1))).toEqual(rest);
    expect(changed((messages) => messages.splice(1, 1))).toEqual({ ...request, input: input.slice(1) });
  });

  test('a new one before the instructions is joined with them; after them it is an item with the role of the others', () => {
    const first = { role: 'system' as const, content: 'house rules' };
    expect(changed((messages) => messages.unshift(first))).toEqual({ ...request, instructions: 'house rules\n\nbe brief' });
    expect(changed((messages) => messages.splice(1, 0, first))).toEqual({
      ...request,
      input: [{ role: 'developer', content: 'house rules' }, ...input],
    });
    const older = frozen({ ...request, input: input.with(0, { role: 'system', content: 'use metres' }) });
    expect(inputOf(changed((messages) => messages.push(first), older)).at(-1)).toEqual({ role: 'system', content: 'house rules' });
    expect(changed((messages) => messages.unshift(first), plain).input).toEqual([
      { role: 'developer', content: 'house rules' },
      { role: 'user', content: 'hi' },
    ]);
  });

  test('instructions cannot become the message of another role, so the text moves to an item', () => {
    const { instructions: _, ...rest } = request;
    expect(changed((messages) => Object.assign(messages[0]!, { role: 'user' }))).toEqual({
      ...rest,
      input: [{ role: 'user', content: 'be brief' }, ...input],
    });
  });
});

describe('R3: a reasoning item', () => {
  test('stays with a changed message, and goes with a removed one', () => {
    const longer = { ...answer('m1', 'A', ' cat. Or a dog.') };
    expect(changed((messages) => Object.assign(messages[3]!, { content: 'A cat. Or a dog.' })).input).toEqual(input.with(6, longer));
    expect(changed((messages) => messages.splice(3, 1)).input).toEqual(input.toSpliced(5, 2));
  });

  test('stays with the call if the text between them is removed or becomes blank', () => {
    const silent = input.toSpliced(9, 1);
    expect(changed((messages) => messages.splice(4, 1)).input).toEqual(silent);
    expect(changed((messages) => Object.assign(messages[4]!, { content: ' ' })).input).toEqual(silent);
  });

  test('of a call is not taken for that of the answer before it', () => {
    const turn: OpenAI.Responses.ResponseInput = [thought('rs1'), answer('m1', 'reading'), thought('rs2'), call('c1'), result('c1')];
    const original = frozen({ ...plain, input: turn });
    expect(changed((messages) => messages.splice(0, 1), original).input).toEqual(turn.slice(2));
  });

  test('a new message is not inserted between reasoning and what it led to', () => {
    const added = { role: 'user' as const, content: 'new' };
    expect(changed((messages) => messages.splice(3, 0, added)).input).toEqual(input.toSpliced(5, 0, added));
  });
});

test('the image of an untouched message, and of a changed one, is in the final request', () => {
  const result_ = changed((messages) => Object.assign(messages[2]!, { content: 'and this?' }));
  expect(result_.input).toEqual(input.with(1, { role: 'user', content: [{ type: 'input_text', text: 'and this?' }, image] }));
  expect(inputOf(result_)[6]).toBe(inputOf(request)[6]);
});

test('a new role is written where the message is a text alone, as a text', () => {
  const items = frozen({
    ...plain,
    input: [answer('m1', 'A', ' cat.'), { role: 'user' as const, content: [{ type: 'input_text' as const, text: 'b' }] }],
  });
  expect(changed((messages) => Object.assign(messages[0]!, { role: 'user' }), items).input).toEqual([
    { role: 'user', content: 'A cat.' },
    inputOf(items)[1],
  ]);
  expect(changed((messages) => Object.assign(messages[1]!, { role: 'system' }), items).input).toEqual([
    inputOf(items)[0],
    { role: 'developer', content: 'b' },
  ]);
});

test('citations and token probabilities of the old text go with it', () => {
  const cited: OpenAI.Responses.ResponseOutputMessage = {
    ...answer('m1'),
    content: [
      {
        type: 'output_text',
        text: 'the key is 1234',
        annotations: [{ type: 'url_citation', title: '1234', url: 'https://a.test', start_index: 0, end_index: 3 }],
        logprobs: [{ token: '1234', bytes: [], logprob: 0, top_logprobs: [] }],
      },
    ],
  };
  const original = frozen({ ...plain, input: [cited] });
  expect(changed(() => {}, original)).toBe(original);
  expect(changed((messages) => Object.assign(messages[0]!, { content: '***' }), original).input).toEqual([answer('m1', '***')]);
});

const values: Record<string, [config: NonNullable<LLMRequest['config']>, fields: Partial<Params>]> = {
  temperature: [{ temperature: 1 }, { temperature: 1 }],
  'the limit of tokens': [{ maxOutputTokens: 5 }, { max_output_tokens: 5 }],
  'the same value': [{ topP: 0.9 }, {}],
  'values the format does not have': [{ topK: 4, stopSequences: ['END'], candidateCount: 2 }, {}],
  'a value of the wrong type': [{ temperature: 'hot' as never }, {}],
};

test.each(Object.entries(values))('config: %s', (_, [config, fields]) => {
  const written = translator.fromHookRequest({ config }, request);
  expect(written).toEqual({ ...request, ...fields });
  if (Object.keys(fields).length === 0) expect(written).toBe(request);
});

test('another model', () => {
  expect(translator.fromHookRequest({ model: 'm-2' }, request)).toEqual({ ...request, model: 'm-2' });
});
