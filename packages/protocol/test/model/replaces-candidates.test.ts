import type { LLMResponse } from '../../src/model/llm.js';
import { replacesCandidates } from '../../src/model/replaces-candidates.js';

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
