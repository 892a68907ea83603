import fc from 'fast-check';
import type { HookToolConfig } from '../src/llm.js';
import { mergeLlmRequest, mergeLlmResponse, mergeToolConfig } from '../src/llm-merge.js';

test('of a request returned fields replace, config is merged key by key, the rest stays (decision 12)', () => {
  const current = { model: 'm-1', messages: [{ role: 'user' as const, content: 'a' }], config: { temperature: 0, topK: 4 }, seed: 7 };
  const patch = { messages: [], config: { temperature: 1, topP: 0.5 } };
  expect(mergeLlmRequest(current, patch)).toEqual({ model: 'm-1', messages: [], config: { temperature: 1, topK: 4, topP: 0.5 }, seed: 7 });
  expect(current.config).toEqual({ temperature: 0, topK: 4 });
  expect(mergeLlmRequest({}, patch)).toEqual(patch);
});

test('a response text alone becomes the text of the first candidate too, and touches no other', () => {
  const candidate = (text: string) => ({ content: { role: 'model', parts: [text] }, finishReason: 'STOP' });
  const current = { text: 'a', candidates: [candidate('a'), candidate('b')], usageMetadata: { totalTokenCount: 4 } };
  expect(mergeLlmResponse(current, { text: 'x' })).toEqual({
    text: 'x',
    candidates: [candidate('x'), candidate('b')],
    usageMetadata: { totalTokenCount: 4 },
  });
  expect(mergeLlmResponse({}, { text: 'x' })).toEqual({ text: 'x' });
});

test('candidates alone are the text too: what a hook took out of them must not stand in the text', () => {
  const candidate = (...parts: (string | { text: string } | { functionCall: object })[]) => ({ content: { role: 'model', parts } });
  const current = { text: 'secret', candidates: [candidate('secret')] };
  const candidates = [candidate('se', { text: 'en' }, { functionCall: {} }), candidate('other')];
  expect(mergeLlmResponse(current, { candidates })).toEqual({ text: 'seen', candidates });
  expect(mergeLlmResponse(current, { candidates: [] })).toEqual({ text: '', candidates: [] });
  expect(mergeLlmResponse(current, { text: 'x', candidates })).toEqual({ text: 'x', candidates });
  expect(mergeLlmResponse({ candidates: [candidate('secret')] }, { candidates })).toEqual({ candidates });
});

test('a text alone takes the place of all text of the first candidate, and of nothing else in it (decision 14)', () => {
  const call = { functionCall: { name: 'read_file' } };
  const current = { candidates: [{ content: { role: 'model', parts: ['a', call, { text: 'b' }] } }] };
  expect(mergeLlmResponse(current, { text: 'x' })).toEqual({
    text: 'x',
    candidates: [{ content: { role: 'model', parts: ['x', call] } }],
  });
  expect(mergeLlmResponse({ candidates: [{ content: {} }] }, { text: 'x' })).toEqual({
    text: 'x',
    candidates: [{ content: { parts: ['x'] } }],
  });
});

const toolConfigs: Record<string, [HookToolConfig | undefined, HookToolConfig, HookToolConfig]> = {
  'names are united and sorted': [
    { allowedFunctionNames: ['b', 'a'] },
    { allowedFunctionNames: ['c', 'a'] },
    { mode: 'AUTO', allowedFunctionNames: ['a', 'b', 'c'] },
  ],
  'ANY outranks AUTO': [{ mode: 'ANY' }, { mode: 'AUTO' }, { mode: 'ANY' }],
  'NONE outranks ANY and empties the list': [
    { mode: 'ANY', allowedFunctionNames: ['a'] },
    { mode: 'NONE' },
    { mode: 'NONE', allowedFunctionNames: [] },
  ],
  'NONE stays NONE, whoever adds names': [
    { mode: 'NONE', allowedFunctionNames: [] },
    { mode: 'ANY', allowedFunctionNames: ['a'] },
    { mode: 'NONE', allowedFunctionNames: [] },
  ],
  'a mode alone adds no names': [{ allowedFunctionNames: ['a'] }, { mode: 'ANY' }, { mode: 'ANY', allowedFunctionNames: ['a'] }],
  'a list that is there and empty stays there': [undefined, { allowedFunctionNames: [] }, { mode: 'AUTO', allowedFunctionNames: [] }],
  'no list stays no list': [undefined, { mode: 'ANY' }, { mode: 'ANY' }],
};

test.each(Object.entries(toolConfigs))('tool selection: %s (decision 21)', (_, [current, patch, expected]) => {
  expect(mergeToolConfig(current, patch)).toEqual(expected);
});

test('tool selection does not depend on the order of the hooks', () => {
  const config = fc.record(
    {
      mode: fc.constantFrom('AUTO' as const, 'ANY' as const, 'NONE' as const),
      allowedFunctionNames: fc.array(fc.constantFrom('a', 'b', 'c')),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<HookToolConfig>;
  const merged = (configs: readonly HookToolConfig[]) => configs.reduce<HookToolConfig | undefined>(mergeToolConfig, undefined);
  fc.assert(fc.property(fc.array(config), (configs) => expect(merged([...configs].reverse())).toEqual(merged(configs))));
});
