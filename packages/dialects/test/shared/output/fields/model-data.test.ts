import { canonicalRequest, canonicalResponse } from '../../../../src/shared/output/fields/model-data.js';

const requests: Record<string, [unknown, unknown]> = {
  'the canonical shape stays as it is': [
    { model: 'm', messages: [{ role: 'user', content: 'a' }], config: { topP: 1 } },
    { model: 'm', messages: [{ role: 'user', content: 'a' }], config: { topP: 1 } },
  ],
  'parts are joined, texts and { text } alike': [
    { contents: [{ role: 'model', parts: ['a', { text: 'b' }] }] },
    { messages: [{ role: 'model', content: 'ab' }] },
  ],
  'a part that is not a text is left out of the text': [
    { contents: [{ role: 'user', parts: ['a', { inlineData: { data: 'x' } }] }] },
    { messages: [{ role: 'user', content: 'a' }] },
  ],
  'contents without a role are of the user': [{ contents: [{ parts: ['a'] }] }, { messages: [{ role: 'user', content: 'a' }] }],
  'the system instruction is the first message': [
    { systemInstruction: { parts: [{ text: 'be brief' }] }, contents: [{ role: 'user', parts: ['a'] }] },
    {
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'a' },
      ],
    },
  ],
  'a system instruction may be a text': [{ systemInstruction: 'be brief' }, { messages: [{ role: 'system', content: 'be brief' }] }],
  'generationConfig is config': [{ generationConfig: { temperature: 0 } }, { config: { temperature: 0 } }],
  'of both shapes the canonical one counts': [
    { messages: [], contents: [{ parts: ['a'] }], config: { topK: 1 }, generationConfig: { topK: 2 } },
    { messages: [], config: { topK: 1 } },
  ],
  'what is not an object is left for the check of types': ['x', 'x'],
};

test.each(Object.entries(requests))('requests: %s (decision 14)', (_, [printed, expected]) => {
  expect(canonicalRequest(printed)).toEqual(expected);
});

const responses: Record<string, [unknown, unknown]> = {
  'a text alone is a response': [{ text: 'hi' }, { text: 'hi' }],
  '{ text } parts become texts': [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'a' }, 'b'] }, finishReason: 'STOP' }] },
    { candidates: [{ content: { role: 'model', parts: ['a', 'b'] }, finishReason: 'STOP' }] },
  ],
  'a part with more than a text is kept whole': [
    { candidates: [{ content: { parts: [{ text: 'a', thought: true }, { functionCall: { name: 'f' } }] } }] },
    { candidates: [{ content: { parts: [{ text: 'a', thought: true }, { functionCall: { name: 'f' } }] } }] },
  ],
  'a candidate without parts is left alone': [{ candidates: [{ content: {} }, 5] }, { candidates: [{ content: {} }, 5] }],
  'what is not an object is left for the check of types': [[1], [1]],
};

test.each(Object.entries(responses))('responses: %s', (_, [printed, expected]) => {
  expect(canonicalResponse(printed)).toEqual(expected);
});

test('what the hook printed is not changed', () => {
  const printed = Object.freeze({ contents: Object.freeze([Object.freeze({ role: 'user', parts: Object.freeze(['a']) })]) });
  canonicalRequest(printed);
  expect(printed).toEqual({ contents: [{ role: 'user', parts: ['a'] }] });
});
