import type { LLMResponse } from '@tenterhook/protocol';
import type OpenAI from 'openai-v7';
import { openAiResponsesTranslator } from '../../../src/translators/openai-responses/translator.js';
import { frozen } from '../freeze.js';

type Response = OpenAI.Responses.Response;
type Item = OpenAI.Responses.ResponseOutputItem;

const translator = openAiResponsesTranslator<OpenAI.Responses.ResponseCreateParamsNonStreaming, Response>();
const textOnly = { replacesCandidates: false };
const replaced = { replacesCandidates: true };

const thought = (id: string): Item => ({ type: 'reasoning', id, summary: [{ type: 'summary_text', text: 'hm' }] });
const answer = (id: string, ...texts: string[]) => ({
  type: 'message' as const,
  id,
  role: 'assistant' as const,
  status: 'completed' as const,
  content: texts.map((text) => ({ type: 'output_text' as const, text, annotations: [] })),
});
const search: Item = { type: 'web_search_call', id: 'ws1', status: 'completed', action: { type: 'search', query: 'q' } };
const call: Item = { type: 'function_call', id: 'fc1', call_id: 'c1', name: 'read', arguments: '{"path":"a"}', status: 'completed' };
const output: Item[] = [thought('rs1'), search, thought('rs2'), answer('m1', 'reading', ' it'), thought('rs3'), call];

const response: Response = frozen({
  id: 'r1',
  object: 'response',
  created_at: 1,
  model: 'm-1',
  status: 'completed',
  access_programs: null,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: null,
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  output,
  output_text: 'reading it',
  usage: {
    input_tokens: 3,
    input_tokens_details: { cached_tokens: 1, cache_write_tokens: 0 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 1 },
    total_tokens: 5,
  },
});
const withOutput = (...items: Item[]): Response => frozen({ ...response, output: items, output_text: textOf(items) });
const textOf = (items: Item[]) =>
  items.flatMap((item) => (item.type === 'message' ? item.content.map((part) => ('text' in part ? part.text : '')) : [])).join('');

const candidate = (parts: unknown[], fields: object = {}) => ({ content: { role: 'model', parts }, ...fields });
const from = (changed: object, change = replaced, original = response) =>
  translator.fromHookResponse(frozen(changed) as LLMResponse, original, change);
const synthetic = (changed: object) => translator.fromHookResponse(frozen(changed) as LLMResponse, undefined, replaced);
const returnedCall = { functionCall: { name: 'read', args: { path: 'a' } } };

test('what hooks see: texts and counts, not the calls', () => {
  expect(translator.toHookResponse(response)).toEqual({
    text: 'reading it',
    candidates: [candidate(['reading', ' it'], { finishReason: 'STOP', index: 0 })],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  });
});

test('R5: the calls of the answer, with the id of the call and not of the item', () => {
  expect(translator.toolCalls?.(response)).toEqual([{ id: 'c1', name: 'read', args: { path: 'a' } }]);
});

test('R1: what no hook changed is the very same object', () => {
  expect(from(translator.toHookResponse(response), textOnly)).toBe(response);
  const spoken = withOutput(thought('rs1'), search, answer('m1', 'hi'));
  expect(from(translator.toHookResponse(spoken), replaced, spoken)).toBe(spoken);
  expect(from({ candidates: [candidate(['reading', ' it', returnedCall])] })).toBe(response);
});

describe('a text alone', () => {
  test('keeps calls, reasoning, ids and the id of the request, which is not enumerable', () => {
    const fromSdk = structuredClone(response);
    Object.defineProperty(fromSdk, '_request_id', { value: 'q', enumerable: false });
    const result = from({ text: 'reading all' }, textOnly, frozen(fromSdk));
    expect(result).toEqual({ ...response, output: output.with(3, answer('m1', 'reading', ' all')), output_text: 'reading all' });
    expect(result).toHaveProperty('_request_id', 'q');
  });

  test('that is empty removes the message with its reasoning', () => {
    expect(from({ text: '' }, textOnly)).toEqual({ ...response, output: output.toSpliced(2, 2), output_text: '' });
  });

  test('of a response without text becomes a message behind the reasoning and before the call', () => {
    const silent = withOutput(thought('rs1'), call);
    const added = { ...answer('m1', 'x'), id: expect.stringMatching(/^msg_\w+$/) };
    expect(from({ text: 'x' }, textOnly, silent).output).toEqual([thought('rs1'), added, call]);
    expect(from({ text: 'x' }, textOnly, withOutput(thought('rs1'))).output).toEqual([thought('rs1'), added]);
  });
});

describe('R6: returned candidates', () => {
  test('replace messages and calls: the call is gone with its reasoning; what the service ran stays', () => {
    expect(from({ candidates: [candidate(['x', { text: 'y' }])] })).toEqual({
      ...response,
      output: [...output.slice(0, 3), answer('m1', 'x', 'y')],
      output_text: 'xy',
    });
  });

  test('that have only the call leave no message', () => {
    expect(from({ candidates: [candidate([returnedCall])] })).toEqual({
      ...response,
      output: [thought('rs1'), search, thought('rs3'), call],
      output_text: '',
    });
  });

  test('with another call: a new call, without the reasoning of the old one', () => {
    const other = { functionCall: { name: 'read', args: { path: 'b' } } };
    const result = from({ candidates: [candidate(['reading', ' it', other])] });
    expect(result.output).toEqual([
      ...output.slice(0, 4),
      {
        type: 'function_call',
        call_id: expect.stringMatching(/^call_\w+$/),
        name: 'read',
        arguments: '{"path":"b"}',
        status: 'completed',
      },
    ]);
    expect(result.output[3]).toBe(response.output[3]);
  });

  test('with another text of a custom tool: a call of a custom tool', () => {
    const custom = withOutput({ type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: 'DROP' });
    const returned = (input: string) => ({ candidates: [candidate([{ functionCall: { name: 'sql', args: { input }, id: 'c1' } }])] });
    expect(from(returned('DROP'), replaced, custom)).toBe(custom);
    expect(from(returned('SELECT'), replaced, custom).output).toEqual([
      { type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: 'SELECT' },
    ]);
  });

  test('that are fewer or more texts keep equal ones with their messages', () => {
    const two = withOutput(answer('m1', 'first'), answer('m2', 'second'));
    expect(from({ candidates: [candidate(['second'])] }, replaced, two).output).toEqual([answer('m2', 'second')]);
    expect(from({ candidates: [candidate(['first', 'more', 'second'])] }, replaced, two).output).toEqual([
      answer('m1', 'first', 'more'),
      answer('m2', 'second'),
    ]);
    expect(from({ candidates: [candidate(['third'])] }, replaced, withOutput(call)).output).toEqual([
      { ...answer('m1', 'third'), id: expect.any(String) },
    ]);
  });

  test('calls of tools that the API defines are taken away too', () => {
    const shell: Item = {
      type: 'shell_call',
      id: 's1',
      call_id: 'c1',
      status: 'completed',
      environment: { type: 'local' },
      action: { commands: ['rm -rf /'], max_output_length: null, timeout_ms: null },
    };
    expect(from({ candidates: [candidate(['no'])] }, replaced, withOutput(thought('rs1'), shell)).output).toEqual([
      { ...answer('m1', 'no'), id: expect.any(String) },
    ]);
    expect(
      from({ candidates: [candidate([{ functionCall: { name: 'shell', args: shell.action } }])] }, replaced, withOutput(shell)).output[0],
    ).toEqual(shell);
  });

  test('that are empty leave an empty answer', () => {
    expect(from({ candidates: [] })).toEqual({ ...response, output: [thought('rs1'), search], output_text: '' });
  });
});

test('what the SDK parsed from the old text goes with the text, also where it is a getter', () => {
  const parsed = structuredClone(withOutput(answer('m1', '{"a":1}')));
  Object.assign((parsed.output[0] as ReturnType<typeof answer>).content[0]!, { parsed: { a: 1 } });
  Object.defineProperty(parsed, 'output_parsed', { enumerable: true, get: () => ({ a: 1 }) });
  expect(from(translator.toHookResponse(parsed), textOnly, parsed)).toBe(parsed);
  for (const changed of [from({ text: '{}' }, textOnly, parsed), from({ candidates: [candidate(['{}'])] }, replaced, parsed)]) {
    expect(changed).toMatchObject({ output: [{ content: [{ text: '{}', parsed: null }] }], output_text: '{}', output_parsed: null });
  }
});

describe('R7: a response without a model call', () => {
  const expected: Response = {
    ...response,
    id: expect.stringMatching(/^resp_\w+$/),
    created_at: expect.any(Number),
    model: 'synthetic',
    output: [{ ...answer('m1', 'hi'), id: expect.stringMatching(/^msg_\w+$/) }],
    output_text: 'hi',
    usage: {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    },
  };

  test('has every field that the type requires', () => {
    expect(synthetic({ text: 'hi' })).toEqual(expected);
    expect(synthetic({ candidates: [candidate(['hi'])] })).toEqual(expected);
  });

  test('can be empty', () => {
    expect(synthetic({})).toEqual({ ...expected, output: [], output_text: '' });
    expect(synthetic({ candidates: [] })).toMatchObject({ output: [], output_text: '' });
  });

  test('has the counts of the hook', () => {
    expect(synthetic({ usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1 } }).usage?.total_tokens).toBe(4);
  });
});

describe('R8: why the answer ended', () => {
  const refused = withOutput({ ...answer('m1'), content: [{ type: 'refusal', refusal: 'I cannot' }] });
  const cases: [reason: string | undefined, original: Partial<Response>][] = [
    ['STOP', {}],
    ['MAX_TOKENS', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }],
    ['SAFETY', { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }],
    ['SAFETY', refused],
    ['OTHER', { status: 'incomplete', incomplete_details: { reason: 'steered' } }],
    ['OTHER', { status: 'failed' }],
    [undefined, { status: 'in_progress' }],
  ];

  test.each(cases)('hooks see %s', (reason, original) => {
    expect(translator.toHookResponse({ ...response, ...original }).candidates?.[0]?.finishReason).toBe(reason);
  });

  test('a refusal stays, because hooks do not see it', () => {
    expect(from({ text: 'x' }, textOnly, refused).output).toEqual([refused.output[0], { ...answer('m2', 'x'), id: expect.any(String) }]);
  });

  test.each([
    ['STOP', 'completed', null],
    ['MAX_TOKENS', 'incomplete', { reason: 'max_output_tokens' }],
    ['SAFETY', 'incomplete', { reason: 'content_filter' }],
    ['constructor', 'completed', null],
  ])('a hook writes %s', (finishReason, status, incomplete_details) => {
    for (const original of [response, frozen({ ...response, status: 'failed' as const })]) {
      expect(from({ candidates: [candidate(['x'], { finishReason })] }, replaced, original)).toMatchObject({ status, incomplete_details });
    }
  });
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
  for (const candidates of [null, 'x', [null, 3, {}, { content: null }, candidate(parts)]] as never[]) {
    for (const original of [response, {} as never]) expect(() => from({ candidates }, replaced, original)).not.toThrow();
    expect(() => synthetic({ candidates })).not.toThrow();
  }
  expect(from({ candidates: [candidate(parts)] }).output.at(-1)).toMatchObject({ name: 'f', arguments: '{"a":1}' });
});
