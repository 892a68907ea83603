import type Anthropic from '@anthropic-ai/sdk';
import type { LLMResponse } from '@tenterhook/protocol';
import { anthropicTranslator } from '../../../src/translators/anthropic/translator.js';
import { frozen } from '../freeze.js';

type Message = Anthropic.Message;

const translator = anthropicTranslator<Anthropic.MessageCreateParamsNonStreaming, Message>();
const textOnly = { replacesCandidates: false };
const replaced = { replacesCandidates: true };

const thought: Anthropic.ThinkingBlock = { type: 'thinking', thinking: 'hm', signature: 's' };
const use: Anthropic.ToolUseBlock = { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' }, caller: { type: 'direct' } };
const text = (each: string): Anthropic.TextBlock => ({ type: 'text', text: each, citations: null });

const usage: Anthropic.Usage = {
  input_tokens: 3,
  output_tokens: 2,
  cache_creation: null,
  cache_creation_input_tokens: 10,
  cache_read_input_tokens: 100,
  inference_geo: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
  speed: null,
};
const response: Message = frozen({
  id: 'r1',
  type: 'message',
  role: 'assistant',
  model: 'm-1',
  container: null,
  diagnostics: null,
  stop_details: null,
  stop_sequence: null,
  stop_reason: 'tool_use',
  content: [thought, text('reading'), use],
  usage,
});

const candidate = (parts: unknown[], fields: object = {}) => ({ content: { role: 'model', parts }, ...fields });
const from = (changed: object, change = replaced, original = response) =>
  translator.fromHookResponse(frozen(changed) as LLMResponse, original, change);
const synthetic = (changed: object) => translator.fromHookResponse(frozen(changed) as LLMResponse, undefined, replaced);

test('what hooks see: texts, and the whole prompt counted', () => {
  expect(translator.toHookResponse(response)).toEqual({
    text: 'reading',
    candidates: [candidate(['reading'], { finishReason: 'STOP', index: 0 })],
    usageMetadata: { promptTokenCount: 113, candidatesTokenCount: 2, totalTokenCount: 115 },
  });
});

const shownReasons: Record<Anthropic.StopReason, string> = {
  end_turn: 'STOP',
  stop_sequence: 'STOP',
  tool_use: 'STOP',
  max_tokens: 'MAX_TOKENS',
  model_context_window_exceeded: 'MAX_TOKENS',
  refusal: 'SAFETY',
  pause_turn: 'OTHER',
};

test.each(Object.entries(shownReasons))('stop reason %s is shown as %s, and stays what it was', (stop_reason, expected) => {
  const original: Message = frozen({ ...response, stop_reason: stop_reason as Anthropic.StopReason, content: [text('hi')] });
  expect(translator.toHookResponse(original).candidates?.[0]?.finishReason).toBe(expected);
  const written = from(translator.toHookResponse(original), replaced, original);
  expect(written.stop_reason).toBe(stop_reason === 'tool_use' ? 'end_turn' : stop_reason);
});

test('what no hook changed is the very same object', () => {
  for (const each of [response, frozen({ ...response, content: [use] })])
    expect(from(translator.toHookResponse(each), textOnly, each)).toBe(each);
  const spoken = frozen({ ...response, stop_reason: 'end_turn' as const, content: [text('a'), text('b')] });
  expect(from(translator.toHookResponse(spoken), replaced, spoken)).toBe(spoken);
});

test('a text alone keeps thoughts, calls, ids and usage; a new one comes before the calls', () => {
  expect(from({ text: 'x' }, textOnly)).toEqual({ ...response, content: [thought, text('x'), use] });
  expect(from({ text: '' }, textOnly)).toEqual({ ...response, content: [thought, use] });
  const silent = frozen({ ...response, content: [thought, use] });
  expect(from({ text: 'x' }, textOnly, silent)).toEqual({ ...response, content: [thought, text('x'), use] });
  expect(from({ text: 'x' }, textOnly, frozen({ ...response, content: [] })).content).toEqual([text('x')]);
});

test('returned candidates replace: the call is gone, and the reason no longer promises one', () => {
  expect(from({ candidates: [candidate(['reading']), candidate(['another'])] })).toEqual({
    ...response,
    stop_reason: 'end_turn',
    content: [text('reading')],
  });
  expect(from({ candidates: [] })).toEqual({ ...response, stop_reason: 'end_turn', content: [] });
});

test('a returned call is the one of the model where it says the same, behind its thought, and a new one otherwise', () => {
  const call = (args: object, rest: object = {}) => ({ functionCall: { name: 'read', args, ...rest } });
  expect(from({ candidates: [candidate(['reading', call({ path: 'a' })])] })).toBe(response);
  expect(from({ candidates: [candidate([call({ path: 'b' })])] }).content).toEqual([
    thought,
    { ...use, id: expect.stringMatching(/^toolu_\w+$/), input: { path: 'b' } },
  ]);
  expect(from({ candidates: [candidate([call({ path: 'a' }, { id: 'c9' })])] }).content[1]).toEqual({ ...use, id: 'c9' });
});

test('a response without a model call is whole', () => {
  const expected: Message = {
    id: expect.stringMatching(/^msg_\w+$/),
    type: 'message',
    role: 'assistant',
    model: 'synthetic',
    container: null,
    diagnostics: null,
    stop_details: null,
    stop_sequence: null,
    stop_reason: 'end_turn',
    content: [text('hi')],
    usage: { ...usage, input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: null, cache_read_input_tokens: null },
  };
  expect(synthetic({ text: 'hi' })).toEqual(expected);
  expect(synthetic({ candidates: [candidate([{ text: 'hi' }])] })).toEqual(expected);
  expect(synthetic({})).toEqual({ ...expected, content: [] });
  expect(synthetic({ text: 'hi', candidates: [candidate(['hi'], { finishReason: 'MAX_TOKENS' })] }).stop_reason).toBe('max_tokens');
  expect(synthetic({ candidates: [candidate([{ functionCall: { name: 'read' } }])] })).toMatchObject({
    stop_reason: 'tool_use',
    content: [{ type: 'tool_use', name: 'read', input: {} }],
  });
});

test('what the SDK parsed from the text goes with the text', () => {
  const block = Object.defineProperty({ ...text('{"a":1}') }, 'parsed_output', { value: { a: 1 }, enumerable: false });
  const parsed = frozen({ ...response, content: [block], parsed_output: { a: 1 } });
  expect(from(translator.toHookResponse(parsed), textOnly, parsed)).toBe(parsed);
  for (const changed of [from({ text: '{}' }, textOnly, parsed), from({ candidates: [candidate(['{}'])] }, replaced, parsed)]) {
    expect(changed).toMatchObject({ parsed_output: null, content: [text('{}')] });
    expect(changed.content[0]).not.toHaveProperty('parsed_output');
  }
});

test('odd answers do not throw', () => {
  const parts = [null, 3, {}, { text: 4 }, { functionCall: { name: 4 } }, { functionCall: { name: 'f', args: 'x' } }, { image: 1 }, ''];
  for (const candidates of [null, 'x', [null, 3, {}, { content: null }, { content: { parts: 'x' } }, candidate(parts)]] as never[]) {
    for (const original of [response, {} as never]) expect(() => from({ candidates }, replaced, original)).not.toThrow();
    expect(() => synthetic({ candidates })).not.toThrow();
  }
  expect(from({ candidates: [candidate(parts)] }).content).toMatchObject([thought, { type: 'tool_use', name: 'f', input: {} }]);
});
