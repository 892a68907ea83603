import { expect, test } from '@jest/globals';
import { showResult } from '../../src/results/show-result.js';

const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image', data: 'eA==', mimeType: 'image/png' };

test.each([
  ['a single text is a text', { content: [text('a')] }, { llmContent: 'a' }],
  ['several parts stay parts', { content: [text('a'), image] }, { llmContent: [text('a'), image] }],
  [
    'a text with annotations stays a part',
    { content: [{ ...text('a'), annotations: {} }] },
    { llmContent: [{ ...text('a'), annotations: {} }] },
  ],
  ['nothing is an empty text', { content: [] }, { llmContent: '' }],
  ['content of another type', { content: 'a' }, { llmContent: ['a'] }],
  [
    'structured content is one more text',
    { content: [text('a')], structuredContent: { b: 1 } },
    { llmContent: [text('a'), text('{"b":1}')] },
  ],
  ['unless a text says the same', { content: [text('{ "b": 1 }')], structuredContent: { b: 1 } }, { llmContent: '{ "b": 1 }' }],
  [
    'no text says the same as an infinite number',
    { content: [text('{"b":1e999}')], structuredContent: { b: Number.POSITIVE_INFINITY } },
    { llmContent: [text('{"b":1e999}'), text('{"b":null}')] },
  ],
  ['structured content alone', { structuredContent: [1] }, { llmContent: '[1]' }],
  [
    'fields of other protocols',
    { content: [text('a')], toolResult: 'b', _meta: { c: 1 } },
    { llmContent: [text('a'), text('{"toolResult":"b"}')] },
  ],
  ['a failure', { content: [text('a'), text('b')], isError: true }, { llmContent: [text('a'), text('b')], error: { message: 'a\nb' } }],
  ['a failure without a text', { content: [image], isError: true }, { llmContent: [image], error: { message: 'The tool failed.' } }],
])('%s', (_, result, expected) => {
  expect(showResult(result)).toEqual(expected);
});
