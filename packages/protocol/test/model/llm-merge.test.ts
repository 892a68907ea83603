import fc from 'fast-check';
import type { HookToolConfig, LLMResponse } from '../../src/model/llm.js';
import { mergeLlmRequest, mergeLlmResponse, mergeToolConfig, replacesCandidates } from '../../src/model/llm-merge.js';

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

test('candidates alone are the text too: what a hook removed from them must not stay in the text', () => {
  const candidate = (...parts: (string | { text: string } | { functionCall: object })[]) => ({ content: { role: 'model', parts } });
  const current = { text: 'secret', candidates: [candidate('secret')] };
  const candidates = [candidate('se', { text: 'en' }, { functionCall: {} }), candidate('other')];
  expect(mergeLlmResponse(current, { candidates })).toEqual({ text: 'seen', candidates });
  expect(mergeLlmResponse(current, { candidates: [] })).toEqual({ text: '', candidates: [] });
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

const answer = (...parts: (string | { text?: string; functionCall?: object })[]) => ({
  content: { role: 'model', parts },
  finishReason: 'STOP',
});
const shownAnswer = { text: 'secret', candidates: [answer('secret'), answer('other')], usageMetadata: { totalTokenCount: 4 } };
const redactedAnswer = { ...shownAnswer, text: '***', candidates: [answer('***'), answer('other')] };

const echoes: Record<string, [patch: LLMResponse, expected: LLMResponse]> = {
  'everything as it was shown is not a write': [shownAnswer, shownAnswer],
  'a changed text beside the old candidates is the text': [{ ...shownAnswer, text: '***' }, redactedAnswer],
  'changed candidates beside the old text are the text': [{ ...shownAnswer, candidates: redactedAnswer.candidates }, redactedAnswer],
  'old candidates in another spelling are the old ones': [
    { text: '***', candidates: [answer({ text: 'secret' }), answer('other')] },
    redactedAnswer,
  ],
  'where both changed, the candidates win': [
    { text: 'x', candidates: [answer('y')] },
    { ...shownAnswer, text: 'y', candidates: [answer('y')] },
  ],
  'a changed text beside candidates that changed in anything but their text is their text': [
    { text: '***', candidates: [{ ...answer('secret', { functionCall: {} }), finishReason: 'OTHER' }] },
    { ...shownAnswer, text: '***', candidates: [{ ...answer('***', { functionCall: {} }), finishReason: 'OTHER' }] },
  ],
  'candidates that were taken away leave no text': [
    { ...shownAnswer, candidates: [] },
    { ...shownAnswer, text: '', candidates: [] },
  ],
};

test.each(Object.entries(echoes))('of a whole response that comes back, %s', (_, [patch, expected]) => {
  expect(mergeLlmResponse(shownAnswer, patch)).toEqual(expected);
});

const besides: Record<string, [patch: LLMResponse, expected: LLMResponse]> = {
  'everything as it was shown': [shownAnswer, redactedAnswer],
  'the text as it was shown': [{ text: 'secret' }, redactedAnswer],
  'the candidates as they were shown': [{ candidates: shownAnswer.candidates }, redactedAnswer],
  'candidates whose text is the one that was shown': [
    { candidates: [{ ...answer('secret'), finishReason: 'OTHER' }] },
    { ...redactedAnswer, candidates: [{ ...answer('***'), finishReason: 'OTHER' }] },
  ],
  'the same redaction and another field': [
    { text: '***', candidates: [{ ...answer('secret'), finishReason: 'OTHER' }] },
    { ...redactedAnswer, candidates: [{ ...answer('***'), finishReason: 'OTHER' }] },
  ],
  'another text': [
    { ...shownAnswer, text: 'x' },
    { ...shownAnswer, text: 'x', candidates: [answer('x'), answer('other')] },
  ],
};

test.each(Object.entries(besides))('beside a hook that redacted the text: %s', (_, [patch, expected]) => {
  expect(mergeLlmResponse(redactedAnswer, patch, shownAnswer)).toEqual(expected);
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
  'NONE stays NONE, whichever hook adds names': [
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

const candidates = (...parts: (string | { text: string })[]) => [{ content: { role: 'model', parts }, index: 0 }];
const shown: LLMResponse = { text: 'a', candidates: candidates('a'), usageMetadata: { totalTokenCount: 4 } };

const cases: Record<string, [returned: LLMResponse, replaces: boolean]> = {
  'a text alone keeps them': [{ text: 'x' }, false],
  'nothing keeps them': [{}, false],
  'the whole response, as it was shown, keeps them': [shown, false],
  'the whole response with another text keeps them': [{ ...shown, text: 'x' }, false],
  'a response that lost its text on the way, and nothing else, keeps them': [
    { candidates: candidates('a'), usageMetadata: { totalTokenCount: 4 } },
    false,
  ],
  'another spelling of the same parts is no other candidate': [{ text: 'x', candidates: candidates({ text: 'a' }) }, false],
  'candidates alone replace them, also where their texts are the same': [{ candidates: candidates('a') }, true],
  'a field that is undefined is not returned': [{ text: undefined, candidates: candidates('a') } as unknown as LLMResponse, true],
  'other candidates replace them': [{ ...shown, candidates: candidates('x') }, true],
  'no candidate at all replaces them': [{ ...shown, candidates: [] }, true],
};

test.each(Object.entries(cases))('%s', (_, [returned, replaces]) => {
  expect(replacesCandidates(returned, [shown.candidates])).toBe(replaces);
});

test('the candidates that a hook before it left may have been shown, too', () => {
  const returned = { text: 'x', candidates: candidates('x') };
  expect(replacesCandidates(returned, [shown.candidates, candidates('x')])).toBe(false);
  expect(replacesCandidates(returned, [undefined])).toBe(true);
});
